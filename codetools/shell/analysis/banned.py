"""Commands that are refused: those on the list of the settings, and those that would destroy what must stay.

Best effort, as every list is: the sandbox is the wall. It sees through wrappers, quotes, substitutions and inner
scripts, because every command found there is looked at; nothing is ever allowed because it was not found here.
"""

import os
import re
from collections.abc import Iterable, Iterator

from codetools.config.banned_entry import BannedEntries
from codetools.core.record import Record
from codetools.shell.analysis.found import SEPARATOR, Found, Word

_CRITICAL = frozenset(
    """/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /usr/bin /usr/lib
    /usr/local /usr/sbin /usr/share /var/lib /Applications /Library /System /Users /Volumes""".split()
)
_UNSETTABLE = r"\$\{?\w+\}?/+(\*|\.\*|\.)?"
_HOME_WORDS = ("~", "$HOME", "${HOME}", "$PWD", "${PWD}", "$OLDPWD", "$(pwd)", "`pwd`")
MOST_WORDS = 300_000  # that are looked at for one guess
_DEVICE = r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|mapper/|loop|mem|kmem|port)"
_BOMB = re.compile(r"(?<![\w:.])([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{\s{0,9}\1\s{0,9}\|\s{0,9}\1\s{0,9}&")


class Ban(Record):
    """Why a command is refused. `entry` is that of the list; without one, no rule lifts it."""

    words: tuple[str, ...]
    reason: str
    entry: str = ""


class Ground:
    """What a removal is measured against: the directories that names may start from, and the roots that must stay."""

    def __init__(self, directories: Iterable[str], roots: tuple[str, ...]) -> None:
        self.roots = roots
        self._directories = tuple(directories)
        self._above = {above for root in roots for above in _parents(root)}
        self._kept = self._above | {os.path.normpath(path) for path in (*roots, *self._directories)}
        self._home = os.path.expanduser("~")
        self._known: dict[str, bool] = {}

    def must_stay(self, word: str) -> bool:
        """Whether an operand names a system directory, the home directory, a root or what lies above, or may do so."""
        if word not in self._known:
            self._known[word] = self._must_stay(word)
        return self._known[word]

    def is_system(self, word: str) -> bool:
        """Whether an operand names a system directory or the home directory."""
        bare = re.sub(r"(?<=.)/(\*|\.\*|\.)?$", "", word.rstrip("/") or "/") if word != "/*" else "/"
        if bare in _HOME_WORDS:
            return True
        paths = ("/" + path.lstrip("/") for path in self._paths(bare))
        return any(path in _CRITICAL or path == self._home for path in paths)

    def is_own(self, program: str) -> bool:
        """Whether a program is named by a path in the workspace: what is banned is the machine's of that name."""
        if "/" not in program:
            return False
        return all(any(path.startswith(f"{root.rstrip('/')}/") for root in self.roots) for path in self._paths(program))

    def _must_stay(self, word: str) -> bool:
        if re.fullmatch(_UNSETTABLE, word) or self.is_system(word):
            return True
        if any(path in self._kept for path in self._paths(word)):
            return True
        return word.endswith("/*") and any(path in self._above for path in self._paths(word[:-1]))

    def _paths(self, word: str) -> list[str]:
        return [os.path.normpath(os.path.join(directory, word)) for directory in self._directories]


def starts_itself(script: str) -> bool:
    """Whether a function of a script does nothing but start itself, twice, in the background."""
    return "|" in script and "()" in script and _BOMB.search(script) is not None


def find_ban(found: Found, banned: BannedEntries, ground: Ground) -> Ban | None:
    """Return why a command is refused, a critical reason first, or None."""
    bans = list(_bans(found, banned, ground))
    return next((ban for ban in bans if not ban.entry), bans[0] if bans else None)


def _bans(found: Found, banned: BannedEntries, ground: Ground) -> Iterator[Ban]:
    words = tuple(word.text for word in found.words)
    for redirect in found.redirects:
        if redirect.action == "edit" and re.match(_DEVICE, redirect.target.text):
            yield Ban(words, f"output to {redirect.target.text} overwrites a device")
    if not words:
        return
    left = MOST_WORDS
    for candidate in _candidates(found, words, banned):
        program, arguments = os.path.basename(candidate[0]), candidate[1:]
        left -= len(candidate)
        if left < 0:  # refused rather than not looked at
            yield Ban(candidate[:1], f"it is too long to be understood, and names {program} too often")
            return
        if reason := _critical(program, arguments, ground):
            yield Ban(candidate, reason)
        if ground.is_own(candidate[0]):
            continue
        if entry := banned.find(program, arguments):
            yield Ban(candidate, f"{entry} is on the list of banned commands", entry)


def _candidates(found: Found, words: tuple[str, ...], banned: BannedEntries) -> Iterator[tuple[str, ...]]:
    """Yield the words of a command; where it may begin later, all that begin with a program one looks for."""
    if not found.words[0].is_static:
        yield from _made_names(found.words[0], words[1:])
    elif found.may_begin == 1:
        yield words
    known: dict[str, bool] = {}
    end = 0
    for index, word in enumerate(words[: found.may_begin] if found.may_begin > 1 else ()):
        if index >= end:
            end = next((place for place in range(index, len(words)) if words[place] == SEPARATOR), len(words)) + 1
        if word not in known:
            program = word.rpartition("/")[2]
            known[word] = program in _DESTROYERS or banned.may_name(program)
        if known[word]:
            yield words[index:end]


def _made_names(first: Word, rest: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the commands that a name which is made when it runs may stand for: any word in it."""
    for name in re.findall(r"[\w.+-]+", first.text)[:50]:
        yield (name, *rest)


def _critical(program: str, arguments: tuple[str, ...], ground: Ground) -> str:
    if program not in _DESTROYERS and not program.startswith("mkfs"):
        return ""
    options = [word for word in arguments if word.startswith("-")]
    operands = [word for word in arguments if not word.startswith("-")]
    if program == "rm" and _is_recursive(options, "rR"):
        return next((f"rm would remove {word}" for word in operands if ground.must_stay(word)), "")
    if program in ("chmod", "chown", "chgrp") and _is_recursive(options, "R"):
        return next((f"{program} would change all of {word}" for word in operands[1:] if ground.must_stay(word)), "")
    if program == "find" and {"-delete", "rm", "/bin/rm", "/usr/bin/rm"} & set(arguments):
        starts = [word for word in arguments[: _first_option(arguments)] if ground.is_system(word)]
        return f"find would remove what is in {starts[0]}" if starts else ""
    if program == "mv" and len(operands) > 1:
        return next((f"mv would move {word} away" for word in operands[:-1] if ground.must_stay(word)), "")
    if program == "kill" and "-1" in arguments[1:]:
        return "kill would end every process"
    if program in ("dd", "shred", "tee", "cp", "mv") or program.startswith("mkfs"):
        device = next((word for word in arguments if re.match(_DEVICE, word.removeprefix("of="))), "")
        reads_only = program in ("dd", "cp", "mv") and not device.startswith("of=") and device not in arguments[-1:]
        return f"{program} would overwrite {device.removeprefix('of=')}" if device and not reads_only else ""
    return ""


_DESTROYERS = frozenset("rm chmod chown chgrp find mv kill dd shred tee cp".split())


def _is_recursive(options: list[str], letters: str) -> bool:
    return any(
        word == "--no-preserve-root"
        or (len(word) > 3 and "--recursive".startswith(word))
        or (not word.startswith("--") and any(letter in word for letter in letters))
        for word in options
    )


def _parents(path: str) -> list[str]:
    above = [os.path.dirname(path)]
    while above[-1] not in ("/", "", path):
        path = above[-1]
        above.append(os.path.dirname(path))
    return above


def _first_option(arguments: tuple[str, ...]) -> int:
    return next((index for index, word in enumerate(arguments) if word.startswith("-")), len(arguments))
