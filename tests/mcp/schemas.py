"""The protocol's official schemas: what a message has to be."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

DIRECTORY = Path(__file__).parent.parent / "data" / "mcp"


def check(value: Any, definition: str, revision: str) -> None:
    """Fail where a value is not what the schema of a revision says of `definition`."""
    problems = [
        f"{error.json_path}: {error.message[:300]}" for error in validator(definition, revision).iter_errors(value)
    ]
    assert not problems, f"{definition} of {revision}: {problems}\n{json.dumps(value)[:2000]}"


@cache
def validator(definition: str, revision: str) -> Draft202012Validator:
    schema = json.loads((DIRECTORY / f"{revision}.json").read_text())
    assert definition in schema["$defs"], f"{revision} has no {definition}"
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]})
