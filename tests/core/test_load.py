import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.core.arg import Annotated, Arg
from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.load import example, load
from codetools.core.path import Path
from codetools.core.record import Record


class Edit(Record):
    old: str
    new: str = ""


class Params(Record):
    file_path: Annotated[Path, Arg("File.", aliases=("path", "file"))]
    pattern: str = ""
    limit: Annotated[int, Arg("Lines.", minimum=1, maximum=9)] = 5
    ratio: float = 0.5
    replace_all: bool = False
    mode: Literal["content", "count"] = "content"
    glob: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    near: int | None = None


def loaded(**values: Any) -> Params:
    return load(Params, {"file_path": "a", **values}, "tool").params


def refusal(values: Any) -> Failure:
    with pytest.raises(Failure) as caught:
        load(Params, values, "tool")
    assert caught.value.kind == "usage"
    return caught.value


def test_plain_json_needs_no_repair():
    values = {"file_path": "a", "limit": 2, "ratio": 1, "glob": ["x"], "edits": [{"old": "a"}], "near": None}
    found = load(Params, values, "tool")
    assert found.params == Params(Path("a"), limit=2, ratio=1.0, glob=("x",), edits=(Edit("a"),))
    assert found.repairs == ()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"path": "b"}, {"file_path": "b"}),
        ({"filePath": "b"}, {"file_path": "b"}),
        ({"file-path": "b"}, {"file_path": "b"}),
        ({"file_path": "b", "replaceAll": True}, {"file_path": "b", "replace_all": True}),
        ({"file_path": "b", "replace_all": "true"}, {"file_path": "b", "replace_all": True}),
        ({"file_path": "b", "replace_all": "False"}, {"file_path": "b"}),
        ({"file_path": "b", "limit": "3"}, {"file_path": "b", "limit": 3}),
        ({"file_path": "b", "glob": '["x", "y"]'}, {"file_path": "b", "glob": ["x", "y"]}),
        ({"file_path": "b", "glob": "*.py"}, {"file_path": "b", "glob": ["*.py"]}),
        ({"file_path": "b", "glob": "12345678"}, {"file_path": "b", "glob": ["12345678"]}),
        ({"file_path": "b", "glob": "4233e882"}, {"file_path": "b", "glob": ["4233e882"]}),
        ({"file_path": "b", "pattern": 5}, {"file_path": "b", "pattern": "5"}),
        ({"file_path": "b", "edits": '[{"old": "a"}]'}, {"file_path": "b", "edits": [{"old": "a"}]}),
        ({"file_path": "b", "edits": {"old": "a"}}, {"file_path": "b", "edits": [{"old": "a"}]}),
        ('{"file_path": "b"}', {"file_path": "b"}),
    ],
)
def test_what_models_write_is_repaired_and_said(given: Any, meant: dict[str, Any]):
    found = load(Params, given, "tool")
    assert found.params == load(Params, meant, "tool").params
    assert len(found.repairs) == 1


def test_null_means_not_given():
    assert loaded(limit=None, glob=None) == Params(Path("a"))


def test_text_that_looks_like_json_stays_text():
    assert loaded(pattern="[1]", mode="count").pattern == "[1]"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "missing 'file_path'"),
        ({"file_path": "a", "patern": "x"}, "unknown argument 'patern' (did you mean 'pattern'?)"),
        ({"file_path": "a", "path": "b"}, "the same argument, given twice"),
        ({"file_path": 5}, "file_path is an integer, not a path"),
        ({"file_path": None}, "file_path is null, not a path"),
        ({"file_path": ""}, "file_path is empty"),
        ({"file_path": "a\0b"}, "NUL"),
        ({"file_path": "a", "pattern": "\ud800"}, "half a surrogate pair"),
        ({"file_path": "a", "limit": 0}, "the least is 1"),
        ({"file_path": "a", "limit": 10}, "the most is 9"),
        ({"file_path": "a", "limit": 1.5}, "limit is a number, not an integer"),
        ({"file_path": "a", "limit": True}, "limit is a boolean, not an integer"),
        ({"file_path": "a", "limit": "many"}, "limit is the string 'many', not an integer"),
        ({"file_path": "a", "limit": 10**400}, "limit is no number between"),
        ({"file_path": "a", "near": "9" * 40}, "near is no number between"),
        ({"file_path": "a", "ratio": 10**400}, "ratio is no number between"),
        ({"file_path": "a", "ratio": "Infinity"}, "ratio is no number between"),
        ({"file_path": "a", "ratio": float("nan")}, "ratio is no number between"),
        ({"file_path": "a", "mode": "contents"}, "(did you mean 'content'?)"),
        ({"file_path": "a", "glob": [1.5]}, "glob[0] is a number, not a string"),
        ({"file_path": "a", "glob": [True]}, "glob[0] is a boolean, not a string"),
        ({"file_path": "a", "pattern": True}, "pattern is a boolean, not a string"),
        ({"file_path": "a", "edits": [{"new": "x"}]}, "missing 'old'"),
        ([], "the arguments are a list, not a JSON object"),
        ("nonsense", "not a JSON object"),
    ],
)
def test_everything_else_is_refused(values: Any, message: str):
    assert message in refusal(values).message


def test_a_refusal_names_every_problem_and_a_valid_example():
    failure = refusal({"limit": 0, "nonsense": 1})
    assert failure.details["missing"] == ["file_path"]
    assert len(failure.details["problems"]) == 3
    assert load(Params, failure.details["example"], "tool").params.file_path


def test_the_example_is_valid():
    assert load(Params, example(Params), "tool").repairs == ()


def test_a_path_that_is_not_utf8_comes_back_through_its_base64():
    path = Path(b"a\xff".decode("utf-8", "surrogateescape"))
    plain = dump(Params(path))
    assert plain["file_path"] == "a\ufffd"
    assert load(Params, {"file_path_b64": plain["file_path_b64"]}, "tool").params.file_path == path


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_any_json_value_is_either_read_or_refused(value: Any):
    for name in Params.record_fields:
        try:
            found = load(Params, {"file_path": "a", name: value}, "tool").params
        except Failure as failure:
            if failure.kind != "usage":
                raise
        else:
            json.dumps(dump(found))
