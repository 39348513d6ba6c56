"""The files that the operands of well-known programs name to be changed: so that denials hold for them too.

A guard-rail: many programs change files that their words do not name.
"""

from codetools.shell.analysis.found import Found

_EVERY_OPERAND = frozenset("rm rmdir unlink shred touch truncate tee mkdir mkfifo".split())
_BUT_THE_FIRST = frozenset("chmod chown chgrp".split())
_LAST_OPERAND = frozenset("cp ln install rsync scp".split())


def changed_by(found: Found) -> list[str]:
    """Return the literal operands that a command would change."""
    program, rest = found.program(), found.words[1:]
    operands: list[str] = []
    is_over = False
    for word in rest:
        if word.text == "--" and not is_over:
            is_over = True
        elif word.is_static and word.text and (is_over or not word.text.startswith("-")):
            operands.append(word.text)
    if program in _EVERY_OPERAND:
        return operands
    if program == "mv" or program in _LAST_OPERAND:
        changed = operands if program == "mv" else operands[-1:]
        return [*changed, *_arrivals(operands)] if len(operands) > 1 else []
    if program in _BUT_THE_FIRST:
        return operands[1:]
    if program == "dd":
        return [word.removeprefix("of=") for word in operands if word.startswith("of=")]
    if program == "sed" and any(word.text.startswith(("-i", "--in-place")) for word in rest):
        has_script = any(word.text.startswith(("-e", "-f", "--expression", "--file")) for word in rest)
        return operands if has_script else operands[1:]
    return []


def _arrivals(operands: list[str]) -> list[str]:
    """Return where files arrive in what is written as a directory."""
    *sources, target = operands
    if not (target.endswith("/") or target in (".", "..")):
        return []
    return [f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}" for source in sources]
