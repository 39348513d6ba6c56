"""Whether a command's words are all in the table of readers, and which paths it would show."""

import re
from typing import Literal

from codetools.core.record import Record
from codetools.shell.analysis.options import NotReading, Split, split_words
from codetools.shell.analysis.readers import ALIASES, READERS, Reader

_SED_PRINT = r"(?:\d+|\$)(?:,(?:\d+|\$))?p"
_FIND_ALONE = frozenset(
    """-not ! -a -and -o -or ( ) -print -print0 -ls -prune -quit -true -false -empty -depth -mount -xdev -daystart
    -executable -readable -writable -nouser -nogroup""".split()
)
_FIND_VALUED = frozenset(
    """-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size
    -mtime -mmin -atime -amin -ctime -cmin -newermt -maxdepth -mindepth -perm -user -group -uid -gid -links -inum
    -printf""".split()
)
_SETS_VARIABLE = re.compile(r"[^A-Za-z]*[hlLjqtz]*n")  # the rest of a %n, with its flags, width and length
_TEST_OPERATORS = frozenset({"-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h"})


class Shown(Record):
    """A path that a command would show: its content, or that it exists."""

    path: str
    action: Literal["read", "list"]


class Reading(Record):
    """A command that only reads. `words` are what to run: the program's own name first, options of ours among them."""

    words: tuple[str, ...]
    kind: Literal["search", "read", "list", "neutral"]
    shown: tuple[Shown, ...]
    is_builtin: bool
    enters: str | None = None  # the directory that `cd` goes to


def read_words(words: tuple[str, ...], hidden: tuple[str, ...]) -> Reading:
    """Return how a command reads; raise NotReading. A search of whole trees passes over names in `hidden`."""
    program = words[0].rpartition("/")[2]
    program, *extra = ALIASES.get(program, (program,))
    reader = READERS.get(program)
    if reader is None:
        raise NotReading(f"{program} is not known to only read")
    rest = words[1:]
    if reader.operands == "any":
        return _reading(program, rest, reader)
    if reader.operands == "format":
        if rest and not is_plain_format(rest[0]):
            raise NotReading(f"{program} {rest[0]} is not known to only read")
        return _reading(program, rest, reader)
    if reader.operands == "own":
        return _OWN_RULES[program](program, rest, reader)
    split = split_words(program, rest, reader)
    if reader.most >= 0 and len(split.operands) > reader.most:
        raise NotReading(f"{program} may write to its last operand")
    if reader.operands == "none" and split.operands:
        raise NotReading(f"{program} {split.operands[0]} is not known to only read")
    if program in ("grep", "rg", "diff"):
        return _searching(program, (*extra, *rest), reader, split.but(end=split.end + len(extra)), hidden)
    if reader.operands != "paths":
        return _reading(program, rest, reader)
    paths = split.operands or ((".",) if program in ("ls", "du", "tree", "df") else ())
    return _reading(program, (*extra, *rest), reader, paths)


def is_plain_format(text: str) -> bool:
    """Whether the builtin `printf` only prints by a format: its -v and %n set variables, PATH and CDPATH among them."""
    pieces = text.replace("%%", "").split("%")[1:]
    return not text.startswith("-") and not any(_SETS_VARIABLE.match(piece) for piece in pieces)


def _reading(program: str, rest: tuple[str, ...], reader: Reader, paths: tuple[str, ...] = ()) -> Reading:
    shown = tuple(Shown(path, reader.shows) for path in paths if path != "-" or reader.shows == "list")
    return Reading((program, *rest), reader.kind, shown, reader.is_builtin)


def _searching(program: str, rest: tuple[str, ...], reader: Reader, split: Split, hidden: tuple[str, ...]) -> Reading:
    has_pattern = bool(split.given & {"e", "regexp", "files", "type-list"}) or program == "diff"
    if not has_pattern and not split.operands:
        raise NotReading(f"{program} has no pattern")
    paths = split.operands if has_pattern else split.operands[1:]
    is_recursive = program == "rg" or bool(split.given & {"r", "recursive"})
    if program != "diff" and not is_recursive:
        return _reading(program, rest, reader, paths)
    if not paths and program != "diff":
        paths = (".",)
    passing_over = _passing_over(program, hidden)  # after the command's own options, since the last one wins
    return _reading(program, (*rest[: split.end], *passing_over, *rest[split.end :]), reader, paths)


def _passing_over(program: str, hidden: tuple[str, ...]) -> list[str]:
    """Return the options that leave files and directories with these names out of a search of whole trees."""
    options = ["--no-config"] if program == "rg" else []
    for pattern in hidden:
        if pattern.startswith(("!", "/")):  # an exception hides less, and what lies elsewhere is not in the tree
            continue
        if program == "rg":
            options.append(f"--iglob=!**/{pattern}")
            continue
        name, _, below = _in_any_case(pattern).partition("/")
        options += [] if below else [f"--exclude={name}"]
        options += [f"--exclude-dir={name}"] if program == "grep" else []
    return options


def _in_any_case(pattern: str) -> str:
    """Return a pattern that matches without regard to case: grep's and diff's own know no such option."""
    shown, is_bracketed = "", False
    for character in pattern:
        is_bracketed = character == "[" or (is_bracketed and character != "]")
        has_case = character.lower() != character.upper() and not is_bracketed
        shown += f"[{character.lower()}{character.upper()}]" if has_case else character
    return shown


def _sed(program: str, rest: tuple[str, ...], reader: Reader) -> Reading:
    is_print = len(rest) >= 2 and rest[0] == "-n" and re.fullmatch(_SED_PRINT, rest[1])
    if not is_print or any(word.startswith("-") for word in rest[2:]):
        raise NotReading("sed is known to only read as sed -n N,Mp FILE…")
    return _reading(program, rest, reader, rest[2:])


def _find(program: str, rest: tuple[str, ...], reader: Reader) -> Reading:
    words = list(rest)
    paths: list[str] = []
    while words and not words[0].startswith("-") and words[0] not in ("!", "("):
        paths.append(words.pop(0))
    while words:
        word = words.pop(0)
        if word == "-newer" and words:
            paths.append(words.pop(0))
        elif word in _FIND_VALUED and words:
            words.pop(0)
        elif word not in _FIND_ALONE:
            raise NotReading(f"find {word} is not known to only read")
    return _reading(program, rest, reader, tuple(paths) or (".",))


def _date(program: str, rest: tuple[str, ...], reader: Reader) -> Reading:
    operands = split_words(program, rest, reader).operands
    if len(operands) > reader.most or any(not word.startswith("+") for word in operands):
        raise NotReading("date with a time sets the clock")
    return _reading(program, rest, reader)


def _cd(program: str, rest: tuple[str, ...], reader: Reader) -> Reading:
    if len(rest) != 1 or rest[0].startswith("-") or not rest[0]:
        raise NotReading("cd is understood with one directory")
    return _reading(program, rest, reader, rest).but(enters=rest[0])


def _test(program: str, rest: tuple[str, ...], reader: Reader) -> Reading:
    words = rest[:-1] if program == "[" and rest[-1:] == ("]",) else rest
    if program == "[" and words is rest:
        raise NotReading("[ is understood with a ] at its end")
    words = words[1:] if words[:1] == ("!",) else words
    if len(words) != 2 or words[0] not in _TEST_OPERATORS:
        raise NotReading("test is understood with one question about one path")
    return _reading(program, rest, reader, words[1:])


_OWN_RULES = {"sed": _sed, "find": _find, "date": _date, "cd": _cd, "test": _test, "[": _test}
