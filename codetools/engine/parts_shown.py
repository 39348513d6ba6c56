"""The parts of a command as lines, for whoever decides about it: what each is, and why it is asked about."""

from codetools.core.access import CommandAccess, CommandPart

MOST_LINES = 40
MOST_CHARS = 200  # of one part


def shown_parts(access: CommandAccess) -> tuple[CommandPart, ...]:
    """Return the parts that somebody decides about: no guesses, unless banned, and nothing that only sets a name."""
    parts = tuple(part for part in access.parts if _is_shown(part))
    return parts or access.parts[:1]


def part_text(part: CommandPart) -> str:
    """Return a part in one line, as it was written where its words are not known."""
    written = " ".join((*part.assigned, *part.words)) if part.words and not part.is_opaque else part.text
    line = " ".join(written.split())
    return line if len(line) <= MOST_CHARS else line[: MOST_CHARS - 1] + "…"


def part_lines(access: CommandAccess, asking: tuple[CommandPart, ...]) -> str:
    """Return the lines of a command's parts; `asking` are those that stand in the way."""
    parts = shown_parts(access)
    lines = []
    for part in parts[:MOST_LINES]:
        verdict = "ask" if part in asking else "-" if part.verdict == "ask" else part.verdict
        lines.append(f"{verdict:9}  {part_text(part)}  ({part.reason})")
        lines += [f"{'writes':9}  {path.written.printable()}" for path in part.writes]
    if len(parts) > MOST_LINES:
        lines.append(f"... {len(parts) - MOST_LINES} more parts: codetools permissions check shows all")
    return "\n".join(lines)


def _is_shown(part: CommandPart) -> bool:
    if part.is_guess:
        return part.verdict == "banned"
    return bool(part.words or part.is_opaque or part.writes or not part.is_harmless)
