"""The known ways in which a text that was meant to be exact differs from the file; they explain, and never apply."""

import re

from codetools.core.record import Record

LOOKALIKES = str.maketrans("‘’‚‛“”„‟–—−\u00a0\u2007\u202f", "''''\"\"\"\"---\u0020\u0020\u0020")
NUMBERED = re.compile(r"[ \t]*\d+(?:\t|→| ?\| ?)")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "`": "`"}


class Likely(Record):
    """The line where a text stands in another form, and how it differs."""

    line: int
    how: str


def likely_form(text: str, old: str) -> Likely | None:
    """Return where the text stands but for one known difference, or None."""
    plain = text.translate(LOOKALIKES)
    unnumbered = without_numbers(old)
    forms = [
        (text, unnumbered, "without the line numbers") if unnumbered is not None else None,
        (text, ESCAPE.sub(_unescaped, old), "with one level of escapes undone") if "\\" in old else None,
        (text, old.replace("\\", "\\\\").replace('"', '\\"'), "with one more level of escapes"),
        (plain, old.translate(LOOKALIKES), "with other quotes, dashes or spaces (typographic ones)"),
    ]
    for form in forms:
        if form is not None and form[1].strip() and (position := form[0].find(form[1])) >= 0:
            return Likely(text.count("\n", 0, position) + 1, form[2])
    return None


def without_numbers(old: str) -> str | None:
    """Return a text without the line numbers that reading shows; None where not every line has one."""
    lines = old.split("\n")
    starts = [NUMBERED.match(line) for line in lines]
    if not any(starts) or not all(start or not line for start, line in zip(starts, lines, strict=True)):
        return None
    return "\n".join(line[start.end() :] if start else "" for start, line in zip(starts, lines, strict=True))


def _unescaped(match: re.Match[str]) -> str:
    return ESCAPED.get(match[1], match[0])
