from typing import Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.schema import input_schema, output_schema


class Params(Record):
    path: Annotated[Path, Arg("File.")]
    limit: Annotated[int, Arg("Lines.", minimum=1)] = 5
    mode: Literal["a", "b"] = "a"
    names: tuple[str, ...] = ()
    quiet: Annotated[bool, Arg("Less.", model=False)] = False


class Found(Record):
    path: Path
    total: int | None


def test_the_input_schema_holds_what_a_model_may_say():
    assert input_schema(Params) == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "File."},
            "limit": {"type": "integer", "description": "Lines.", "minimum": 1, "default": 5},
            "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "names": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    assert "quiet" in input_schema(Params, model_only=False)["properties"]


def test_the_output_schema_allows_null_and_the_exact_bytes_of_a_path():
    assert output_schema(Found)["properties"] == {
        "path": {"type": "string"},
        "path_b64": {"type": "string"},
        "total": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }
