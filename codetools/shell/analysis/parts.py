"""The parts of a script that does not only read: each judged by itself, for the rules and for whoever is asked."""

import os
from typing import Literal

from codetools.config.banned_entry import BannedEntries
from codetools.core.access import CommandPart, PathAccess
from codetools.core.record import Record
from codetools.shell.analysis.banned import Ground, find_ban, starts_itself
from codetools.shell.analysis.commands import commands_of
from codetools.shell.analysis.found import NO_FILES, Found
from codetools.shell.analysis.harmless import does_nothing, harmful
from codetools.shell.analysis.kinds import kind_of
from codetools.shell.analysis.options import NotReading
from codetools.shell.analysis.place import Grounds, Place
from codetools.shell.analysis.reading import Shown, read_words
from codetools.shell.analysis.words import Script
from codetools.shell.analysis.writing import changed_by
from codetools.system.helper_path import SYSTEM_DIRECTORIES

_MOVES = frozenset("cd pushd popd".split())


class Parts(Record):
    """A script's parts in the order of its text, and the paths that they are known to show."""

    parts: tuple[CommandPart, ...]
    shows: tuple[PathAccess, ...]


def judge_parts(command: str, script: Script | None, place: Place) -> Parts:
    """Judge every command that a script may run; `script` is what the tiny grammar made of it, if it did."""
    commands = commands_of(command, script)
    judge = _Judge(place, commands)
    parts = tuple(judge.part(found) for found in commands)
    if starts_itself(command):
        parts = (parts[0].but(verdict="banned", reason="it starts itself without end", is_critical=True), *parts[1:])
    return Parts(parts, tuple(judge.shows))


class _Judge:
    def __init__(self, place: Place, commands: list[Found]) -> None:
        self._place = place
        self._banned = BannedEntries(place.banned)
        self._grounds = Grounds(place)
        self._grounds.enter_all(_entered(found) for found in commands if found.program() in _MOVES)
        self._grounds.is_lost |= any(found.trouble and not found.words for found in commands)
        self._ground = Ground(sorted(self._grounds.directories), place.roots)
        self.shows: list[PathAccess] = []

    def part(self, found: Found) -> CommandPart:
        words = tuple(word.text for word in found.words)
        known = next((index for index, word in enumerate(found.words) if not word.is_static), None)
        part = CommandPart(
            words,
            "ask",
            found.trouble or "",
            kind_of(found),
            text=found.text,
            known=known,
            assigned=harmful(found.assigned, is_exported=bool(found.words)),
            is_opaque=bool(found.trouble) and not words,
            is_guess=found.is_guess,
            within=found.within,
        )
        if ban := find_ban(found, self._banned, self._ground):
            return part.but(verdict="banned", reason=ban.reason, entry=ban.entry, is_critical=not ban.entry)
        if found.is_guess:
            return part.but(reason=found.trouble or "it may be run")
        try:
            part = part.but(writes=self._writes(found), touches=self._touches(found))
            self._check_inputs(found)
        except NotReading as trouble:
            return part.but(reason=str(trouble), is_opaque=True)
        return self._judged(found, part)

    def _judged(self, found: Found, part: CommandPart) -> CommandPart:
        if part.reason:
            return part
        if part.assigned:
            return part.but(reason=f"{part.assigned[0]} may change what runs")
        if found.words and not found.words[0].is_static:
            return part.but(reason=f"which program {part.words[0]} is, is not known before it runs")
        verdict: Literal["read_only", "ask"] = "ask" if part.writes else "read_only"
        reason = f"it writes {part.writes[0].written.printable()}" if part.writes else "it does nothing by itself"
        if found.runs_others and found.kept is None:
            return part.but(verdict=verdict, reason=reason if part.writes else "it runs what follows", is_harmless=True)
        if does_nothing(found.but(words=found.kept or found.words)):
            return part.but(verdict=verdict, reason=reason, is_harmless=True)
        try:
            is_reading = self._reads_as_written(found.but(words=found.kept or found.words))
        except NotReading as trouble:
            return part.but(reason=str(trouble))
        if not is_reading:
            return part.but(reason=f"{found.program()} only reads where it runs by itself, with options of ours")
        reason = reason if part.writes else "it only reads"
        return part.but(verdict=verdict, reason=reason, is_harmless=True)

    def _reads_as_written(self, found: Found) -> bool:
        """Whether a command only reads, just as it is written; raise NotReading where it may do more."""
        words = found.static_words()
        program = found.program()
        directory = os.path.dirname(found.words[0].text)
        if directory and directory not in SYSTEM_DIRECTORIES:
            raise NotReading(f"{found.words[0].text} is not a program of the system's own")
        if words is None:
            raise NotReading(f"what {program} is given is not known before it runs")
        if program == "git":
            self._read_git(words)
            return False
        try:
            reading = read_words(words, self._place.hidden)
        except NotReading:
            self._show_named(found)
            raise
        for shown in reading.shown:
            self.shows += self._grounds.accesses(shown)
            self._grounds.check(shown)
        return reading.words[1:] == words[1:]

    def _show_named(self, found: Found) -> None:
        """Take in the files that a program which shows content is given by name, so that denials hold for them."""
        if kind_of(found) not in ("read", "search", "list") or self._grounds.is_lost:
            return
        for word in found.words[1:]:
            try:
                self.shows += self._grounds.accesses(Shown(word.text, "read"))
            except NotReading:
                continue

    def _read_git(self, words: tuple[str, ...]) -> None:
        from codetools.shell.analysis.git import read_git

        if self._grounds.has_moved:
            raise NotReading("git after a change of directory may find another repository")
        read_git(words, self._place.hidden, self._place.directory, self._place.roots, self._grounds.repository)

    def _writes(self, found: Found) -> tuple[PathAccess, ...]:
        targets = [redirect.target for redirect in found.redirects if redirect.action == "edit"]
        written: list[PathAccess] = []
        for target in targets:
            if target.is_static and target.text in NO_FILES:
                continue
            if not target.is_static:
                raise NotReading(f"which file {target.text} is, is not known before it runs")
            written += self._changes(target.text)
        return tuple(written)

    def _touches(self, found: Found) -> tuple[PathAccess, ...]:
        if self._grounds.is_lost:
            return ()
        return tuple(access for path in changed_by(found) for access in self._grounds.changes(path))

    def _changes(self, path: str) -> tuple[PathAccess, ...]:
        if self._grounds.is_lost and not path.startswith("/"):
            raise NotReading(f"which directory {path} starts from is not known")
        return self._grounds.changes(path)

    def _check_inputs(self, found: Found) -> None:
        for redirect in found.redirects:
            if redirect.action == "read" and redirect.target.text != "/dev/null":
                if not redirect.target.is_static:
                    raise NotReading(f"which file {redirect.target.text} is, is not known before it runs")
                shown = Shown(redirect.target.text, "read")
                self.shows += self._grounds.accesses(shown)
                self._grounds.check(shown)


def _entered(found: Found) -> str | None:
    """Return the one directory that a `cd` goes to, or None."""
    words = found.static_words()
    if found.program() != "cd" or words is None:
        return None
    operands = words[2:] if words[1:2] == ("--",) else words[1:]
    return operands[0] if len(operands) == 1 and operands[0] and not operands[0].startswith("-") else None
