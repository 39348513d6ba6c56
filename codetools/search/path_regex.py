"""Which of many paths match a regular expression: in a process of its own, so that a deadline ends any pattern."""

import os
import re
import sys
from collections.abc import Iterable

from codetools.core.errors import Failure
from codetools.search.child import Child, descriptor_path
from codetools.search.engine import Engine, PurePython
from codetools.search.find import Pace
from codetools.search.job import Program
from codetools.search.notes import Notes
from codetools.search.ripgrep import find_ripgrep


class Matched:
    """The paths that match, as far as they were found before the end of the time."""

    def __init__(self, paths: frozenset[str], is_whole: bool) -> None:
        self.paths = paths
        self.is_whole = is_whole


def matching_paths(
    engine: Engine, inside: tuple[str, ...], pattern: str, paths: Iterable[str], pace: Pace, *, ignores_case: bool
) -> Matched:
    """Return which paths hold a match; raise `usage` for a pattern that the engine does not take."""
    chunks: list[bytes] = []

    def read(chunk: bytes) -> bool:
        chunks.append(chunk)
        return True

    import tempfile

    notes = Notes(lambda line: None)
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(os.fsencode(path) + b"\0" for path in paths))
        file.seek(0)
        program = _program(engine, inside, pattern, file.fileno(), ignores_case)
        with Child(program, read, notes.read) as child:
            ending = child.finish(pace.deadline, pace.check)
    notes.close()
    if ending.status not in (0, 1, None):
        raise engine.failure(notes.errors)
    *whole, _ = b"".join(chunks).split(b"\0")
    return Matched(frozenset(map(os.fsdecode, whole)), ending.status is not None)


def main() -> None:
    """Be the pure-Python engine's process: `argv` is the pattern, whether case is ignored, and a file of paths."""
    from codetools.search.pure_job import REFUSED, line

    try:
        expression = _compiled(sys.argv[1], sys.argv[2] == "insensitive")
    except Failure as failure:
        sys.stderr.write(line(REFUSED, failure.message, failure.hint))
        sys.exit(2)
    with open(sys.argv[3], "rb") as file:
        for path in file.read().split(b"\0")[:-1]:
            if expression.search(path.decode("utf-8", "replace")):
                sys.stdout.buffer.write(path + b"\0")
    sys.stdout.buffer.flush()


def _compiled(pattern: str, ignores_case: bool) -> "re.Pattern[str]":
    from codetools.search.dialect import dialect_problem

    try:
        if problem := dialect_problem(pattern):
            raise Failure("usage", f"the pattern cannot be searched for: {problem}")
        # as to ripgrep, `^` and `$` are the ends of each line of a name
        return re.compile(pattern, re.MULTILINE | (re.IGNORECASE if ignores_case else 0))
    except (re.error, OverflowError, RecursionError) as error:
        raise Failure("usage", f"the pattern does not parse: {error}.") from None


def _program(engine: Engine, inside: tuple[str, ...], pattern: str, fd: int, ignores_case: bool) -> Program:
    case = "insensitive" if ignores_case else "sensitive"
    rg = None if isinstance(engine, PurePython) else find_ripgrep(inside)
    if rg is not None:
        flag = "--ignore-case" if ignores_case else "--case-sensitive"
        words = (rg, "--no-config", "--color=never", "--null-data", flag, "--no-filename", "--no-line-number")
        return Program((*words, "-e", pattern, "--", descriptor_path(fd)), None, (fd,))
    package = __file__.rsplit("/", 3)[0]
    start = "import sys; sys.path.append(sys.argv.pop(1)); from codetools.search.path_regex import main; main()"
    argv = (sys.executable, "-I", "-c", start, package, pattern, case, descriptor_path(fd))
    return Program(argv, None, (fd,))
