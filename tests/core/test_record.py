from typing import Any, ClassVar

import pytest

from codetools.core.record import Record


class Point(Record):
    x: int
    y: int = 2
    unit: ClassVar[str] = "m"


class Named(Point):
    name: str = ""


def test_a_record_takes_values_by_position_and_name():
    assert (Point(1).x, Point(1).y, Point(x=3, y=4)) == (1, 2, Point(3, 4))


def test_a_subclass_has_the_fields_of_its_base_first():
    assert Named(1, 2, "p") == Named(name="p", y=2, x=1)
    assert list(Named.record_fields) == ["x", "y", "name"]


@pytest.mark.parametrize(("positional", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1})])
def test_wrong_fields_are_refused(positional: tuple[int, ...], named: dict[str, Any]):
    with pytest.raises(TypeError):
        Point(*positional, **named)


def test_a_record_is_frozen_equal_by_value_and_hashable():
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Point(1) != Named(1)
    assert repr(Point(1)) == "Point(x=1, y=2)"


def test_but_changes_some_fields_of_a_copy():
    point = Point(1)
    assert (point.but(y=5), point) == (Point(1, 5), Point(1, 2))


def test_a_mutable_default_is_refused_at_declaration():
    with pytest.raises(TypeError, match="immutable"):
        type("Bad", (Record,), {"__annotations__": {"x": list}, "x": []})


def test_an_annotation_that_is_text_is_refused_at_declaration():
    with pytest.raises(TypeError, match="strings"):
        type("Bad", (Record,), {"__annotations__": {"x": "int"}})
