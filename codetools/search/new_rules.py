"""Lines that are added to a .gitignore: what is wrong with one, which are there already, and what they will do."""

import re

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.area import Area
from codetools.search.find import Pace
from codetools.search.ignore_file import IgnoreFile, Rule, read_rule, rules_of, split_lines, without_blanks
from codetools.search.waiting import is_over

PATHS_BETWEEN_CHECKS = 1000


class Addition(Record):
    """What a file of rules becomes: the whole content, what was `added`, and (pattern, line) of what was there."""

    content: bytes
    added: tuple[str, ...]
    there: tuple[tuple[str, int], ...]


class Matching(Record):
    """How many files match; at least, where not `is_exact`."""

    files: int
    is_exact: bool


def refuse_useless(pattern: str) -> None:
    """Raise `usage` for a line that would say something else than it seems to, or nothing."""
    shown = repr(pattern[:80])
    if any(mark in pattern for mark in "\n\r\0"):
        raise Failure("usage", f"the pattern {shown} holds a line end or NUL.", "Give each pattern by itself.")
    if pattern.startswith("#"):
        raise Failure("usage", f"{shown} would be a comment.", f"To ignore a name that begins with #: \\{pattern}")
    written = pattern.encode()
    if without_blanks(written) != written:
        hint = f"Leave them out, or escape the last one: {pattern.rstrip(' ')}\\ "
        raise Failure("usage", f"the blanks at the end of {shown} would not count.", hint if pattern.strip() else "")
    if pattern.strip("!/ \t") == "":
        raise Failure("usage", f"the pattern {shown} matches nothing.", "For everything here: *")
    if re.match(r"!?(\.\.?/|\.\.?\Z)", pattern):
        hint = f"From the directory of the .gitignore: /{re.sub(r'^!?[./]+', '', pattern)}"
        raise Failure("usage", f"{shown} matches nothing: patterns know no . and no .. as directories.", hint)


def addition(content: bytes, patterns: tuple[str, ...]) -> Addition:
    """Return what a file becomes with these patterns at its end; its line ends are kept."""
    rules = rules_of(split_lines(content))
    added: list[str] = []
    there: list[tuple[str, int]] = []
    for pattern in dict.fromkeys(patterns):
        line = _effective_line(rules, pattern.encode())
        if line is None:
            added.append(pattern)
        else:
            there.append((pattern, line))
    if not added:
        return Addition(content, (), tuple(there))
    end = b"\r\n" if content[: content.rfind(b"\n") + 1].endswith(b"\r\n") else b"\n"
    start = content + end if content and not content.endswith(b"\n") else content
    written = start + b"".join(pattern.encode() + end for pattern in added)
    return Addition(written, tuple(added), tuple(there))


def warnings(before: bytes, after: Addition) -> list[str]:
    """Return what the order of lines makes of those that were added, or were there already."""
    old, new = rules_of(split_lines(before)), rules_of(split_lines(after.content))
    said: list[str] = []
    for pattern, line in after.there:
        later = [rule for rule in old if rule.line > line and rule.takes_back and not pattern.startswith("!")]
        if later:
            lines = ", ".join(f"line {rule.line}: {rule.pattern}" for rule in later[:5])
            said.append(f"{pattern} (line {line}) is taken back in part by what comes later ({lines})")
    file = IgnoreFile("", new)
    for pattern in after.added:
        rule = read_rule(pattern.encode())
        if rule is None:
            continue
        if rule.takes_back:
            said += [
                f"{pattern} has no effect: line {above.line}: {above.pattern} ignores a directory above it"
                for above in _ignored_above(file, pattern)
            ]
        else:
            said += [
                f"line {other.line}: {other.pattern} has no effect any more: {pattern} comes after it"
                for other in old
                if other.takes_back and _is_overruled(other, rule)
            ]
    return said


def count_matching(area: Area, patterns: tuple[str, ...], pace: Pace) -> Matching:
    """Return how many of the files that searches list match patterns, themselves or by a directory above."""
    rules = [rule for pattern in patterns if (rule := read_rule(pattern.encode())) is not None and not rule.takes_back]
    listing = area.list_files(pace)
    known: dict[bytes, bool] = {b"": False}
    files = 0
    for number, path in enumerate(listing.paths):
        if number % PATHS_BETWEEN_CHECKS == 0 and is_over(pace):
            return Matching(files, False)
        written = path.encode("utf-8", "surrogateescape")
        directory, _, name = written.rpartition(b"/")
        files += _is_below_match(rules, directory, known) or any(rule.holds(written, name, False) for rule in rules)
    return Matching(files, listing.is_complete)


def _effective_line(rules: list[Rule], pattern: bytes) -> int | None:
    """Return the line that holds a pattern, unless a later one says just the contrary."""
    contrary = pattern[1:] if pattern.startswith(b"!") else b"!" + pattern
    line = None
    for rule in rules:
        if rule.written == pattern:
            line = rule.line
        elif rule.written == contrary:
            line = None
    return line


def _ignored_above(file: IgnoreFile, pattern: str) -> list[Rule]:
    """Return the rule that ignores a directory above what `!pattern` names, if that is a plain path."""
    names = pattern[1:].strip("/").split("/")
    path = ""
    for name in names[:-1]:
        if any(mark in name for mark in "*?[\\"):
            return []
        path = f"{path}/{name}" if path else name
        rule = file.decide(path.encode(), True)
        if rule is not None and not rule.takes_back:
            return [rule]
    return []


def _is_overruled(taking_back: Rule, rule: Rule) -> bool:
    """Whether a later rule speaks of the plain path that an earlier one takes back."""
    text = taking_back.written[1:]
    path = text.strip(b"/")
    if any(byte in path for byte in b"*?[\\"):
        return False
    return rule.holds(path, path.rpartition(b"/")[2], text.endswith(b"/"))


def _is_below_match(rules: list[Rule], directory: bytes, known: dict[bytes, bool]) -> bool:
    found = known.get(directory)
    if found is None:
        above, _, name = directory.rpartition(b"/")
        found = _is_below_match(rules, above, known) or any(rule.holds(directory, name, True) for rule in rules)
        known[directory] = found
    return found
