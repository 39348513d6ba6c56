"""Judges a command before it runs: `read_only`, `ask` or `banned`, with the reason and every part. What is not
understood is asked about (I7), and what is judged to read is what runs: its words quoted, its programs by path.
"""

import os
from typing import Literal

from codetools.config.banned_entry import BannedEntries
from codetools.core.access import CommandAccess, CommandPart, PathAccess
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.shell.analysis.options import NotReading
from codetools.shell.analysis.place import Grounds, Place
from codetools.shell.analysis.reading import Reading, Shown, read_words
from codetools.shell.analysis.words import MOST_COMMANDS, Refused, Script, Simple, parse, quote
from codetools.system.helper_path import SYSTEM_DIRECTORIES, find_helper, find_system_program

TREE_SEARCHERS = ("diff", "grep", "rg")


class Judgement(Record):
    """A command's verdict. `script` is what to run for a `read_only` one, `programs` all that it may execute.

    `words` are those of one simple command of literal words; `shows` the paths that an understood one would show;
    `kind` the class of all parts together.
    """

    command: str
    verdict: Literal["read_only", "ask", "banned"]
    reason: str
    parts: tuple[CommandPart, ...]
    words: tuple[str, ...] | None = None
    script: str = ""
    programs: tuple[str, ...] = ()
    shows: tuple[PathAccess, ...] = ()
    kind: str = "general"

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
            self.kind,
        )


def judge(command: str, place: Place) -> Judgement:
    """Judge a script; nothing of it runs."""
    script: Script | None = None
    try:
        script = parse(command)
        return _Reader(command, script, place).judgement()
    except (Refused, NotReading) as refused:
        return _judged_by_parts(command, script, place, str(refused))


def _judged_by_parts(command: str, script: Script | None, place: Place, refusal: str) -> Judgement:
    from codetools.shell.analysis.kinds import worst
    from codetools.shell.analysis.parts import judge_parts

    judged = judge_parts(command, script, place)
    real = [part for part in judged.parts if not part.is_guess]
    kind = worst(tuple(part.kind for part in real))
    words = _literal_words(script) if script is not None else None
    banned = [part for part in judged.parts if part.verdict == "banned"]
    if banned:
        first = next((part for part in banned if part.is_critical), banned[0])
        return Judgement(command, "banned", first.reason, judged.parts, words, shows=judged.shows, kind=kind)
    asking = next((part.reason for part in real if part.verdict == "ask" and not part.is_harmless), None)
    asking = asking or next((part.reason for part in real if part.verdict == "ask"), None)
    reason = asking or (refusal if script is not None else f"it is not a plain list of commands: {refusal}")
    return Judgement(command, "ask", reason, judged.parts, words, shows=judged.shows, kind=kind)


def _literal_words(script: Script) -> tuple[str, ...] | None:
    only = script.commands[0] if len(script.commands) == 1 else None
    return only.words if only is not None and only.stdin is None else None


class _Reader:
    """Judges a script that may only read; raises NotReading at the first command that may do more."""

    def __init__(self, command: str, script: Script, place: Place) -> None:
        self.command = command
        self.script = script
        self.place = place
        self.grounds = Grounds(place)
        self.banned = BannedEntries(place.banned)
        self.shows: list[PathAccess] = []
        self.programs: list[str] = []
        self.written: list[str] = []

    def judgement(self) -> Judgement:
        if len(self.script.commands) > MOST_COMMANDS:
            raise NotReading(f"it holds more than {MOST_COMMANDS} commands")
        parts = tuple(self._part(simple) for simple in self.script.commands)
        joined = self.written[0]
        for joint, written in zip(self.script.joints, self.written[1:], strict=True):
            joined += ("\n" if joint == ";" else f" {joint} ") + written
        kind = parts[0].kind if len(parts) == 1 else _worst(parts)
        return Judgement(
            self.command,
            "read_only",
            parts[0].reason,
            parts,
            _literal_words(self.script),
            joined,
            tuple(self.programs),
            tuple(self.shows),
            kind,
        )

    def _part(self, simple: Simple) -> CommandPart:
        name = simple.words[0].rpartition("/")[2]
        if self.banned.find(name, simple.words[1:]):
            raise NotReading(f"{name} is on the list of banned commands")
        program = self._program(simple.words[0])
        reading = self._read(simple.words)
        before = len(self.shows)
        for shown in reading.shown:
            self.shows += self.grounds.check(shown)
        if name in TREE_SEARCHERS:
            self.grounds.refuse_parts_of_hidden(self.shows[before:])
        if name == "diff":
            self.grounds.refuse_directories_with_links(self.shows[before:])
        if simple.stdin is not None:
            self.shows += self.grounds.check(Shown(simple.stdin, "read"))
        if reading.enters is not None:
            self.grounds.enter(reading.enters)
        self.written.append(self._write(program, reading, simple))
        return CommandPart(simple.words, "read_only", "it only reads", reading.kind, is_harmless=True)

    def _read(self, words: tuple[str, ...]) -> Reading:
        if words[0].rpartition("/")[2] != "git":
            return read_words(words, self.place.hidden)
        from codetools.shell.analysis.git import read_git

        if self.grounds.has_moved:
            raise NotReading("git after a change of directory may find another repository")
        return read_git(words, self.place.hidden, self.place.directory, self.place.roots, self.grounds.repository)

    def _program(self, name: str) -> str:
        """Return where a program is named by path, a place of the system's own; else an empty string."""
        if "/" not in name:
            return ""
        if os.path.dirname(name) not in SYSTEM_DIRECTORIES:
            raise NotReading(f"{name} is not a program of the system's own")
        return name

    def _write(self, program: str, reading: Reading, simple: Simple) -> str:
        name, rest = reading.words[0], reading.words[1:]
        if reading.is_builtin and not program:
            words = ["builtin", quote(name)]
        else:
            path = find_system_program(name) or (find_helper(name, self.place.roots) if name == "rg" else None)
            self.programs += [path] if path else []
            words = [quote(path or name)]
        words += [quote(word) for word in rest]
        words += [f"< {quote(simple.stdin)}"] if simple.stdin is not None else []
        words += [{"": "", "null": "2>/dev/null", "stdout": "2>&1"}[simple.errors_to]]
        return " ".join(words).rstrip()


def _worst(parts: tuple[CommandPart, ...]) -> str:
    from codetools.shell.analysis.kinds import worst

    return worst(tuple(part.kind for part in parts))
