"""From Records to plain JSON values, with the same names everywhere."""

from typing import Any

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.shape import fields_of


def dump(record: Record) -> dict[str, Any]:
    """Return a Record as JSON types.

    A field that has the default None and holds it is left out. A path that is not UTF-8 is shown with U+FFFD, and its
    exact bytes stand beside it as `NAME_b64`.
    """
    plain: dict[str, Any] = {}
    for field in fields_of(type(record)):
        value = getattr(record, field.name)
        if value is None and field.default is None:
            continue
        plain[field.name] = _plain(value)
        if isinstance(value, Path) and not value.is_utf8:
            plain[f"{field.name}_b64"] = encoded_path(value)
    return plain


def encoded_path(path: Path) -> str:
    """Return the exact bytes of a path as base64."""
    import base64

    return base64.b64encode(path.encode("utf-8", "surrogateescape")).decode("ascii")


def path_argument(name: str, path: Path) -> dict[str, Any]:
    """Return a path as an argument of a call that is to be repeated; one that is not UTF-8 as `NAME_b64`."""
    return {name: path} if path.is_utf8 else {f"{name}_b64": encoded_path(path)}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return dump(value)
    if isinstance(value, Path):
        return value.printable()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
