from typing import Any, Literal

import pytest

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.shape import Json, Shape, fields_of, shape_of


class Inner(Record):
    a: int


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        (str, Shape("string")),
        (int, Shape("integer")),
        (float, Shape("number")),
        (bool, Shape("boolean")),
        (Path, Shape("path")),
        (Literal["a", "b"], Shape("choice", choices=("a", "b"))),
        (tuple[str, ...], Shape("list", items=Shape("string"))),
        (int | None, Shape("integer", optional=True)),
        (Inner, Shape("record", record=Inner)),
        (Json, Shape("any")),
        (tuple[Inner, ...] | None, Shape("list", items=Shape("record", record=Inner), optional=True)),
    ],
)
def test_each_type_of_the_closed_set_has_a_shape(annotation: Any, shape: Shape):
    assert shape_of(annotation) == shape


@pytest.mark.parametrize("annotation", [list[str], dict, bytes, int | str, tuple[int, str], Literal[1], object, Any])
def test_any_other_type_is_refused_at_declaration(annotation: Any):
    with pytest.raises(TypeError):
        shape_of(annotation)


def test_a_refused_field_is_named():
    class Bad(Record):
        wrong: Annotated[list[int], Arg("x")]

    with pytest.raises(TypeError, match=r"Bad\.wrong"):
        fields_of(Bad)
