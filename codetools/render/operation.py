"""What a call is about to do, as the lines that whoever decides reads: none of them can pass for one of ours (I9)."""

from codetools.render.escape import escape_line

BAR = "  | "


def operation_lines(operation: str) -> list[str]:
    """Return an operation escaped; further lines, those of a script, stand behind a bar."""
    first, *rest = operation.split("\n")
    return [escape_line(first), *(BAR + escape_line(line) for line in rest)]
