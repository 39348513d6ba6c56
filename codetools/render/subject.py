"""What a call is about, for the line above its result."""

from codetools.core.record import Record
from codetools.core.shape import fields_of

MOST_CHARS = 200


def subject_of(params: Record) -> str:
    """Return the positional arguments that were given, without the long texts after the first."""
    given: list[str] = []
    for field in fields_of(type(params)):
        value = getattr(params, field.name)
        if field.arg.positional and value != field.default and not (field.arg.text and given):
            values = value if isinstance(value, tuple) else (value,)
            given += [str(item)[:MOST_CHARS] for item in values]
    return " ".join(given)[:MOST_CHARS]
