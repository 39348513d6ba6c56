import time
from contextlib import suppress
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.config.strict import MAX_DEPTH, parse_strict
from codetools.core.errors import Failure


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# nothing\n", None),
        ("---\n", None),
        ("a: 1", {"a": 1}),
        ("a: -1", {"a": -1}),
        ("a: 1.5", {"a": 1.5}),
        ("a: true\nb: false", {"a": True, "b": False}),
        ("a: True", {"a": "True"}),
        ("a: yes\nb: no\nc: on\nd: off", {"a": "yes", "b": "no", "c": "on", "d": "off"}),
        ("no: x", {"no": "x"}),
        ("a: 017", {"a": "017"}),
        ("a: 0o17\nb: 0x1f\nc: 1_000", {"a": "0o17", "b": "0x1f", "c": "1_000"}),
        ("a: 12:30:00\nb: 2024-01-01", {"a": "12:30:00", "b": "2024-01-01"}),
        ("a: .inf\nb: .nan\nc: 1e3", {"a": ".inf", "b": ".nan", "c": "1e3"}),
        ("a: ~\nb: null\nc:\nd: Null", {"a": None, "b": None, "c": None, "d": "Null"}),
        ("a: '1'\nb: \"true\"\nc: ''", {"a": "1", "b": "true", "c": ""}),
        ("a: |\n  1\n", {"a": "1\n"}),
        ("a: [x, {b: c}, [d]]", {"a": ["x", {"b": "c"}, ["d"]]}),
        ("- a\n- b", ["a", "b"]),
        ("a: 1" + "0" * 30, {"a": "1" + "0" * 30}),
        ("%YAML 1.1\n---\na: b", {"a": "b"}),
        ("a: é\r\nb: 世界\r\n", {"a": "é", "b": "世界"}),
        ("\ufeffa: b", {"a": "b"}),
    ],
)
def test_a_document_means(text: str, value: Any):
    found, _ = parse_strict(text.encode(), "f")
    assert found == value
    assert repr(found) == repr(value), "types as well"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a: &x 1", "f:1:4", "anchor"),
        ("a: 1\nb: *x", "f:2:4", "alias"),
        ("a: !!python/object:os.system x", "f:1:4", "tag"),
        ("a: !!str x", "f:1:4", "tag"),
        ("a: ! x", "f:1:4", "tag"),
        ("!!map {a: b}", "f:1:1", "tag"),
        ("<<: {a: b}", "f:1:1", "merge"),
        ("a: 1\nb: 2\na: 3", "f:3:1", "'a' stands twice (first on line 1)"),
        ('a: 1\n"a": 3', "f:2:1", "twice"),
        ("x:\n  a: 1\n  a: 2", "f:3:3", "twice"),
        ("1: a", "f:1:1", "key"),
        ("true: a", "f:1:1", "key"),
        ("? [a]\n: b", "f:1:3", "key"),
        ("a: 1\n---\nb: 2", "f:2:1", "second document"),
        ("%TAG ! tag:x,2000:\n---\na: b", "f:1:1", "%TAG"),
        ("a: b: c", "f:1:5", "mapping values"),
        ("a: [b\nc: ]]", "f:2:", ""),
        ("a: 'b", "f:1:6", ""),
        ("\ta: b", "f:1:1", ""),
        ("[" * (MAX_DEPTH + 1), f"f:1:{MAX_DEPTH + 1}", "deep"),
    ],
)
def test_anything_surprising_is_refused_with_its_place(text: str, where: str, what: str):
    with pytest.raises(Failure) as caught:
        parse_strict(text.encode(), "f")
    assert caught.value.kind == "config"
    assert caught.value.message.startswith(f"{where}")
    assert what in caught.value.message


@pytest.mark.parametrize("content", [b"a: 1\nb: \xff", b"a: \x00", b"a: \x07"])
def test_bytes_that_are_no_text_are_refused(content: bytes):
    with pytest.raises(Failure) as caught:
        parse_strict(content, "f")
    assert caught.value.kind == "config"


def test_bad_utf8_names_its_line():
    with pytest.raises(Failure) as caught:
        parse_strict(b"a: 1\nb: \xff", "f")
    assert caught.value.message == "f:2: not valid UTF-8."


@pytest.mark.parametrize("text", ["[" * 200_000, "{a: " * 60_000, "a: " + "[x, " * 60_000, "- " * 100_000])
def test_i6_nesting_ends_at_once(text: str):
    started = time.monotonic()
    with pytest.raises(Failure):
        parse_strict(text.encode(), "f")
    assert time.monotonic() - started < 5


def test_places_are_kept():
    _, place = parse_strict(b"a: 1\nlist:\n  - x\n  - y\n", "f")
    inner = place.inner["list"]
    assert (inner.line, inner.column) == (2, 1)
    assert (inner.inner[1].line, inner.inner[1].column) == (4, 5)


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet="a:[]{}-#&*!|>'\"\n ,?%1", max_size=30))
def test_i7_any_text_is_a_value_or_a_config_failure(text: str):
    with suppress(Failure):
        parse_strict(text.encode(), "f")
