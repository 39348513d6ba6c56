"""What is refused before anybody is asked: programs on the user's list, and the removal of what must stay.

A guard-rail against mistakes, seen through wrappers as far as words tell; the wall is the sandbox and the question.
"""

import os
import re
from collections.abc import Iterator

from codetools.config.glob import match_name
from codetools.core.record import Record

# wrapper: options with a value, and how many operands of its own come before the command it runs
_WRAPPERS: dict[str, tuple[str, int]] = {
    "env": ("uCS", 0), "timeout": ("ks", 1), "nice": ("n", 0), "nohup": ("", 0), "setsid": ("", 0), "time": ("fo", 0),
    "stdbuf": ("ioe", 0), "ionice": ("cnp", 0), "chrt": ("", 1), "command": ("", 0), "builtin": ("", 0),
    "exec": ("a", 0), "eval": ("", 0), "xargs": ("IdEnPLsa", 0), "watch": ("n", 0), "sudo": ("ugpChTrt", 0),
    "doas": ("uC", 0), "busybox": ("", 0), "noglob": ("", 0), "unshare": ("", 0), "taskset": ("", 1),
    "flock": ("wE", 1), "strace": ("eopuas", 0), "ltrace": ("eopuas", 0), "parallel": ("jI", 0),
}  # fmt: skip
_SHELLS = frozenset("sh bash dash zsh ksh ash fish".split())
_CRITICAL = frozenset(
    """/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /usr/bin /usr/lib
    /usr/local /var/lib /Applications /Library /System /Users /Volumes""".split()
)
_UNSETTABLE = r"\$\{?\w+\}?/+(\*|\.\*|\.)?"
MAX_DEPTH = 8  # of commands within commands
_HOME_WORDS = ("~", "$HOME", "${HOME}")
_DEVICE = r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|mapper/|loop|mem|kmem|port)"


class Loose(Record):
    """One command that a script may run; `written` are the files that it redirects its output to."""

    words: tuple[str, ...]
    written: tuple[str, ...] = ()


class Ban(Record):
    """Why a command is refused. A `critical` one is refused whatever the rules say."""

    words: tuple[str, ...]
    reason: str
    is_critical: bool = False


class Ground(Record):
    """What a removal is measured against: the directory that names start from, and the roots that must stay."""

    directory: str
    roots: tuple[str, ...]


class BannedList:
    """The entries of the list, found by program: `curl`, `mkfs.*`, or several words that a command begins with."""

    def __init__(self, entries: tuple[str, ...]) -> None:
        self._named: dict[str, list[str]] = {}
        self._patterns: list[str] = []
        for entry in filter(str.strip, entries):
            first = entry.split()[0]
            if first.isalnum():  # most are, and need no reading as a pattern
                self._named.setdefault(first, []).append(entry)
            else:
                self._patterns.append(entry)

    def find(self, program: str, arguments: tuple[str, ...]) -> str | None:
        """Return the first entry that a command falls under, or None."""
        entries: list[str] = [*self._named.get(program, []), *self._patterns]
        for entry in entries:
            first, *more = entry.split()
            if match_name(first, program) and list(arguments[: len(more)]) == more:
                return entry
        return None


def find_ban(script: str, banned: BannedList, ground: Ground) -> Ban | None:
    """Return the first reason to refuse a script, critical ones first, or None."""
    from codetools.shell.analysis.loose import loose_commands  # most commands need none

    found = list(_bans(loose_commands(script), banned, ground, 0))
    return next((ban for ban in found if ban.is_critical), found[0] if found else None)


def find_ban_in_words(words: tuple[str, ...], banned: BannedList, ground: Ground) -> Ban | None:
    """Return why one command of literal words is refused, or None."""
    found = list(_bans([Loose(words)], banned, ground, 0))
    return next((ban for ban in found if ban.is_critical), found[0] if found else None)


def _bans(commands: list[Loose], banned: BannedList, ground: Ground, depth: int) -> Iterator[Ban]:
    for command in dict.fromkeys(commands):
        for target in command.written:
            if re.match(_DEVICE, target):
                yield Ban(command.words, f"output to {target} overwrites a device", is_critical=True)
        if command.words:
            yield from _word_bans(command.words, banned, ground, depth)


def _word_bans(words: tuple[str, ...], banned: BannedList, ground: Ground, depth: int) -> Iterator[Ban]:
    program, arguments = os.path.basename(words[0]), words[1:]
    if reason := _critical(program, arguments, ground):
        yield Ban(words, reason, is_critical=True)
    if entry := banned.find(program, arguments):
        yield Ban(words, f"{entry} is on the list of banned commands")
    if depth > MAX_DEPTH:
        return
    for inner in _inner(program, arguments):
        yield from _word_bans(inner, banned, ground, depth + 1)
    for script in _inner_scripts(program, arguments):
        from codetools.shell.analysis.loose import loose_commands

        yield from _bans(loose_commands(script, depth + 1), banned, ground, depth + 1)


def _inner(program: str, arguments: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the commands that a wrapper runs, given as words."""
    if program == "find":
        for index, word in enumerate(arguments):
            if word in ("-exec", "-execdir", "-ok", "-okdir") and arguments[index + 1 :]:
                yield arguments[index + 1 :]
    if program not in _WRAPPERS:
        return
    valued, own = _WRAPPERS[program]
    rest = list(arguments)
    while rest and (rest[0].startswith("-") or "=" in rest[0]):
        word = rest.pop(0)
        if len(word) == 2 and word[1] in valued and rest:
            rest.pop(0)
    if rest[own:]:
        yield tuple(rest[own:])


def _inner_scripts(program: str, arguments: tuple[str, ...]) -> Iterator[str]:
    """Yield the commands that a wrapper runs, given as a script."""
    if program == "eval":
        yield " ".join(arguments)
    for index, word in enumerate(arguments):
        is_script = program in _SHELLS or program in ("su", "script", "runuser")
        if is_script and re.fullmatch(r"-[a-zA-Z]*c", word) and arguments[index + 1 :]:
            yield arguments[index + 1]
        if program == "env" and word.startswith("-S"):
            yield word[2:] or " ".join(arguments[index + 1 :])


def _critical(program: str, arguments: tuple[str, ...], ground: Ground) -> str:
    options = [word for word in arguments if word.startswith("-")]
    operands = [word for word in arguments if not word.startswith("-")]
    if program == "rm" and _is_recursive(options, "rR"):
        return next((f"rm would remove {word}" for word in operands if _must_stay(word, ground)), "")
    if program in ("chmod", "chown", "chgrp") and _is_recursive(options, "R"):
        return next((f"{program} would change all of {word}" for word in operands[1:] if _must_stay(word, ground)), "")
    if program == "find" and {"-delete", "rm", "/bin/rm", "/usr/bin/rm"} & set(arguments):
        starts = [word for word in arguments[: _first_option(arguments)] if _is_system(word, ground)]
        return f"find would remove what is in {starts[0]}" if starts else ""
    if program == "mv" and len(operands) > 1:
        return next((f"mv would move {word} away" for word in operands[:-1] if _must_stay(word, ground)), "")
    if program in ("dd", "shred", "tee", "cp") or program.startswith("mkfs"):
        device = next((word for word in arguments if re.match(_DEVICE, word.removeprefix("of="))), "")
        reads_only = program in ("dd", "cp") and not device.startswith("of=") and device not in arguments[-1:]
        return f"{program} would overwrite {device.removeprefix('of=')}" if device and not reads_only else ""
    return ""


def _is_recursive(options: list[str], letters: str) -> bool:
    return any(
        word in ("--recursive", "--no-preserve-root")
        or (not word.startswith("--") and any(letter in word for letter in letters))
        for word in options
    )


def _must_stay(word: str, ground: Ground) -> bool:
    """Whether an operand names a system directory, the home directory, a root or what lies above it, or may do so."""
    if re.fullmatch(_UNSETTABLE, word) or _is_system(word, ground):
        return True
    path = os.path.normpath(os.path.join(ground.directory, word))
    if path == os.path.normpath(ground.directory):
        return True
    return any(f"{root.rstrip('/')}/".startswith(f"{path.rstrip('/')}/") for root in ground.roots)


def _is_system(word: str, ground: Ground) -> bool:
    bare = re.sub(r"(?<=.)/(\*|\.\*|\.)?$", "", word.rstrip("/") or "/") if word != "/*" else "/"
    if bare in _HOME_WORDS:
        return True
    path = os.path.normpath(os.path.join(ground.directory, bare))
    path = "/" + path.lstrip("/")
    return path in _CRITICAL or path == os.path.expanduser("~")


def _first_option(arguments: tuple[str, ...]) -> int:
    return next((index for index, word in enumerate(arguments) if word.startswith("-")), len(arguments))
