"""One line of a batch: a call, or the word to cancel one."""

from typing import Any

from codetools.cli.json_text import parse_json
from codetools.core.errors import Failure
from codetools.core.record import Record

EXAMPLE = """A line is {"id": 1, "tool": "read", "input": {"file_path": "README.md"}} or {"cancel": 1}."""
FIELDS = ("id", "tool", "input", "dry_run", "approve")


class Request(Record):
    """One call. `id` comes back with the answer; `approve` is an approval's id, for this call alone."""

    id: str | int | float | None
    tool: str
    input: Any
    dry_run: bool = False
    approve: str | None = None


class Cancel(Record):
    """The word to end a call that was asked for."""

    id: str | int | float


def parse_request(line: bytes) -> Request | Cancel:
    """Read one line; raise `usage`, with the `id` in its details where there is one."""
    try:
        values = parse_json(line)
    except ValueError as error:  # what is not UTF-8 too
        raise Failure("usage", f"that is not JSON: {error}.", EXAMPLE) from None
    if not isinstance(values, dict):
        raise Failure("usage", "a request is a JSON object.", EXAMPLE)
    request_id = values.get("cancel", values.get("id"))
    if not isinstance(request_id, str | int | float | None) or isinstance(request_id, bool):
        raise Failure("usage", "an id is a text or a number.", EXAMPLE)
    if request_id is not None and set(values) == {"cancel"}:
        return Cancel(request_id)
    if wrong := _wrong(values):
        raise Failure("usage", wrong, EXAMPLE, {"id": request_id})
    return Request(
        request_id, values["tool"], values.get("input", {}), values.get("dry_run", False), values.get("approve")
    )


def _wrong(values: dict[str, Any]) -> str:
    """Return what keeps a JSON object from being a request, or nothing."""
    if unknown := [name for name in values if name not in FIELDS]:
        return f"a request has no {unknown[0]!r}, only {', '.join(FIELDS)}."
    if not isinstance(values.get("tool"), str):
        return "a request names its tool."
    if not isinstance(values.get("dry_run", False), bool):
        return "dry_run is true or false."
    if not isinstance(values.get("approve"), str | None):
        return "approve is the id of an approval."
    return ""
