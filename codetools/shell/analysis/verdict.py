"""Judges a command before it runs: `read_only`, `ask` or `banned`, with the reason and every part. What is not
understood is asked about (I7), and what is judged to read is what runs: its words quoted, its programs by path.
"""

import os
from collections.abc import Callable
from typing import Literal

from codetools.config.glob import match_name
from codetools.core.access import CommandAccess, CommandPart, PathAccess
from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.workspace import Workspace
from codetools.shell.analysis.banned import Ban, BannedList, Ground, find_ban, find_ban_in_words
from codetools.shell.analysis.options import NotReading
from codetools.shell.analysis.reading import Reading, Shown, read_words
from codetools.shell.analysis.words import Refused, Script, Simple, parse, quote
from codetools.system.helper_path import SYSTEM_DIRECTORIES, find_helper, find_system_program

_MOST_DIRECTORIES = 16
_WORST = {"read_only": 0, "ask": 1, "banned": 2}


class Place(Record):
    """Where a command is to run and what it may show there.

    `may_show` answers for one path: the gate's own. `hidden` are the names that a search of whole trees passes over,
    `banned` the programs that need a rule of their own.
    """

    workspace: Workspace
    directory: str  # absolute, free of links
    may_show: Callable[[PathAccess], bool]
    banned: tuple[str, ...]
    hidden: tuple[str, ...]


class Judgement(Record):
    """A command's verdict. `script` is what to run for a `read_only` one, `programs` all that it may execute.

    `words` are those of one simple command of literal words; `shows` the paths that an understood one would show.
    """

    command: str
    verdict: Literal["read_only", "ask", "banned"]
    reason: str
    parts: tuple[CommandPart, ...]
    words: tuple[str, ...] | None = None
    script: str = ""
    programs: tuple[str, ...] = ()
    shows: tuple[PathAccess, ...] = ()

    def access(self, working_dir: str, *, is_enforced: bool) -> CommandAccess:
        """Return what the policy decides on."""
        return CommandAccess(
            self.command,
            self.words,
            self.verdict,
            self.reason,
            self.parts,
            is_enforced,
            Path(working_dir),
            self.shows,
        )


def judge(command: str, place: Place) -> Judgement:
    """Judge a script; nothing of it runs."""
    ground = Ground(place.directory, tuple(root.path for root in place.workspace.roots))
    try:
        script = parse(command)
    except Refused as refused:
        ban = find_ban(command, BannedList(place.banned), ground)
        reason = ban.reason if ban else f"it is not a plain list of commands: {refused}"
        verdict: Literal["ask", "banned"] = "banned" if ban else "ask"
        words = ban.words if ban else ()
        return Judgement(command, verdict, reason, (CommandPart(words, verdict, reason, _kind(ban)),))
    return _Judge(command, script, place, ground).judgement()


TREE_SEARCHERS = ("diff", "grep", "rg")


class _Judge:
    def __init__(self, command: str, script: Script, place: Place, ground: Ground) -> None:
        self.command = command
        self.script = script
        self.place = place
        self.ground = ground
        self.banned = BannedList(place.banned)
        self.directories = {place.directory}  # every one that a `cd` may have led to
        self.has_moved = False
        self.shows: list[PathAccess] = []
        self.programs: list[str] = []
        self.written: list[str] = []

    def judgement(self) -> Judgement:
        parts = tuple(self._part(simple) for simple in self.script.commands)
        worst = max(parts, key=lambda part: _WORST[part.verdict])
        words, shows = self._literal_words(), tuple(self.shows)
        found = Judgement(self.command, worst.verdict, worst.reason, parts, words, shows=shows)
        if worst.verdict != "read_only":
            return found
        joined = self.written[0]
        for joint, written in zip(self.script.joints, self.written[1:], strict=True):
            joined += ("\n" if joint == ";" else f" {joint} ") + written
        return found.but(script=joined, programs=tuple(self.programs))

    def _literal_words(self) -> tuple[str, ...] | None:
        only = self.script.commands[0] if len(self.script.commands) == 1 else None
        return only.words if only is not None and only.stdin is None else None

    def _part(self, simple: Simple) -> CommandPart:
        ban = find_ban_in_words(simple.words, self.banned, self.ground)
        if ban is not None:
            return CommandPart(simple.words, "banned", ban.reason, _kind(ban))
        try:
            program = self._program(simple.words[0])
            reading = self._read(simple.words)
            before = len(self.shows)
            for shown in reading.shown:
                self._check(shown)
            if simple.words[0].rpartition("/")[2] in TREE_SEARCHERS:
                self._refuse_parts_of_hidden(self.shows[before:])
            if simple.stdin is not None:
                self._check(Shown(simple.stdin, "read"))
            if reading.enters is not None:
                self._enter(reading.enters)
        except NotReading as reason:
            return CommandPart(simple.words, "ask", str(reason))
        self.written.append(self._write(program, reading, simple))
        return CommandPart(simple.words, "read_only", "it only reads", reading.kind)

    def _read(self, words: tuple[str, ...]) -> Reading:
        if words[0].rpartition("/")[2] != "git":
            return read_words(words, self.place.hidden)
        from codetools.shell.analysis.git import read_git

        if self.has_moved:
            raise NotReading("git after a change of directory may find another repository")
        roots = tuple(root.path for root in self.place.workspace.roots)
        return read_git(words, self.place.hidden, self.place.directory, roots)

    def _program(self, name: str) -> str:
        """Return where a program is named by path, a place of the system's own; else an empty string."""
        if "/" not in name:
            return ""
        if os.path.dirname(name) not in SYSTEM_DIRECTORIES:
            raise NotReading(f"{name} is not a program of the system's own")
        return name

    def _check(self, shown: Shown) -> None:
        for directory in tuple(self.directories):
            access = self._access(os.path.join(directory, shown.path), shown)
            self.shows.append(access)
            if not self.place.may_show(access):
                where = "may not be shown without asking" if access.inside else "lies outside the workspace"
                raise NotReading(f"{shown.path} {where}")

    def _refuse_parts_of_hidden(self, searched: list[PathAccess]) -> None:
        """Refuse a search from below where a hidden `conf/*.key` begins: passing over would miss it there."""
        firsts = [
            name.casefold() for name, more, _ in map(_parted, self.place.hidden) if more and name not in ("", "!")
        ]
        for access in searched:
            for path in (access.written, access.reached):
                for part in path.removeprefix(access.root).casefold().split("/"):
                    if any(match_name(first, part) for first in firsts):
                        raise NotReading(f"{access.written} may hold names that are not shown without asking")

    def _access(self, path: str, shown: Shown) -> PathAccess:
        try:
            found = self.place.workspace.locate(path)
            reached = os.path.realpath(path)
        except (Failure, OSError, ValueError):
            raise NotReading(f"{shown.path} leads out of the workspace or cannot be resolved") from None
        if found.reached != reached:
            raise NotReading(f"{shown.path} means one file to us and may mean another to the program")
        return PathAccess(shown.action, found.written, found.reached, found.inside, found.root, found.writable)

    def _enter(self, written: str) -> None:
        """Take in a `cd`, which may succeed or fail, or run in a pipe's own shell."""
        self.has_moved = True
        if len(self.directories) >= _MOST_DIRECTORIES:
            raise NotReading("it changes its directory too often to follow")
        for directory in tuple(self.directories):
            found = os.path.realpath(os.path.join(directory, written))
            if os.path.realpath(os.path.normpath(os.path.join(directory, written))) != found:
                raise NotReading(f"{written} means one directory to the shell and another to programs")
            if os.path.isdir(found):
                self.directories.add(found)

    def _write(self, program: str, reading: Reading, simple: Simple) -> str:
        name, rest = reading.words[0], reading.words[1:]
        if reading.is_builtin and not program:
            words = ["builtin", quote(name)]
        else:
            roots = tuple(root.path for root in self.place.workspace.roots)
            path = find_system_program(name) or (find_helper(name, roots) if name == "rg" else None)
            self.programs += [path] if path else []
            words = [quote(path or name)]
        words += [quote(word) for word in rest]
        words += [f"< {quote(simple.stdin)}"] if simple.stdin is not None else []
        words += [{"": "", "null": "2>/dev/null", "stdout": "2>&1"}[simple.errors_to]]
        return " ".join(words).rstrip()


def _parted(pattern: str) -> tuple[str, str, str]:
    return pattern.partition("/")


def _kind(ban: Ban | None) -> str:
    return "critical" if ban is not None and ban.is_critical else "general"
