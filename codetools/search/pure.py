"""The pure-Python engine's process: walks and searches as rg would, and writes what rg would write."""

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from codetools.core.errors import Failure
from codetools.search.dialect import dialect_problem
from codetools.search.file_types import TYPES
from codetools.search.globs import keeper
from codetools.search.job import Job, Query, Scope
from codetools.search.long_lines import LARGE_BYTES, has_long_line
from codetools.search.pure_job import PASSED, REFUSED, UNREAD, line, read_job
from codetools.search.pure_rows import FileText, events
from codetools.search.sieve import Sieve
from codetools.search.walk import Seen, open_file, walk

LITERAL = "To look for this very text, set literal."
OUR_BUG = 3
MOST_FILE_BYTES = 512 << 20
READ_BYTES = 1 << 20


def main() -> None:
    """Do the job in `sys.argv[1]`; status 0 with a result, 1 without, 2 after an error."""
    try:
        sys.exit(_run(read_job(sys.argv[1])))
    except Failure as failure:
        sys.stderr.write(line(REFUSED, failure.message, failure.hint))
        sys.exit(2)
    except BrokenPipeError:
        os._exit(OUR_BUG)  # nobody reads on
    except Exception:  # noqa: BLE001  Python would end with 1, which stands for "nothing found"
        import traceback

        traceback.print_exc()
        os._exit(OUR_BUG)


def _run(job: Job) -> int:
    scope, query = job.scope, job.query
    if scope.type is not None and scope.type not in TYPES:
        raise Failure("usage", f"unrecognized file type: {scope.type}.", f"Known without ripgrep: {', '.join(TYPES)}.")
    keeper(scope.only, scope.without)
    expression = compiled(query) if query is not None else None
    sieve = Sieve(query, expression) if query is not None and expression is not None else None
    searched, has_found, has_error = 0, False, False
    for seen in _files(scope):
        if isinstance(seen, Seen):
            if query is None or expression is None or sieve is None:
                _write(os.fsencode("./" + seen.path) + b"\0")
                has_found = True
                continue
            try:
                file = _read(seen, scope, shows_lines=job.output == "events")
                if isinstance(file, str):
                    sys.stderr.write(line(PASSED, _said(seen.path), file))
                    continue
            except OSError as error:
                has_error = True
                sys.stderr.write(line(UNREAD, _said(seen.path), error.strerror or ""))
                continue
            searched += 1
            shown = seen.path if scope.is_file else "./" + seen.path
            has_found |= events(job, query, expression, sieve, shown, file, _write)
        elif seen.why == "unread":
            has_error = True
            sys.stderr.write(line(UNREAD, _said(seen.path), seen.reason))
        elif job.explains or seen.why == "rules":
            sys.stderr.write(line(PASSED, _said(seen.path), seen.why))
    if query is not None and job.output == "events":
        _write(b'{"data":{"stats":{"searches":%d}},"type":"summary"}\n' % searched)
    sys.stdout.buffer.flush()
    return 2 if has_error else 0 if has_found else 1


def compiled(query: Query) -> "re.Pattern[str]":
    """Return the expression for one line (for the whole text with multiline); raise `usage` where it is refused."""
    pattern = query.pattern
    if query.is_literal:
        pattern = re.escape(pattern)
    elif problem := dialect_problem(pattern):
        raise Failure(
            "usage", f"the pattern cannot be searched for: {problem}", "To look for this very text, set literal."
        )
    if not query.is_multiline and ("\n" in query.pattern or (not query.is_literal and r"\n" in query.pattern)):
        raise Failure("usage", "the pattern holds a line end.", "Set multiline to match across lines.")
    if query.is_word:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    flags = re.MULTILINE
    is_lower = not any(character.isupper() for character in re.sub(r"\\.", "", query.pattern))
    if query.case == "insensitive" or (query.case == "smart" and is_lower):
        flags |= re.IGNORECASE
    try:
        return re.compile(pattern, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise Failure(
            "usage", f"the pattern does not parse: {error}.", "To look for this very text, set literal."
        ) from None


def _files(scope: Scope) -> Iterator[Any]:
    if scope.is_file:
        yield Seen(f"/proc/self/fd/{scope.fd}", "", -1)
        return
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    yield from walk(scope, directory)


def _read(seen: Seen, scope: Scope, *, shows_lines: bool) -> FileText | str:
    """Return what a file holds, or why it is passed over."""
    descriptor = os.open(seen.path, os.O_RDONLY | os.O_CLOEXEC) if scope.is_file else open_file(seen)
    try:
        size = os.fstat(descriptor).st_size
        if not scope.is_file and scope.most_file_bytes is not None and size > scope.most_file_bytes:
            return "large"
        if shows_lines and size > LARGE_BYTES and not scope.is_file and has_long_line(descriptor):
            return "long"
        content = os.read(descriptor, min(size, MOST_FILE_BYTES) + 1)
        more = content if len(content) > size else b""
        while more and len(content) < MOST_FILE_BYTES:  # it has grown, or tells no size
            more = os.read(descriptor, READ_BYTES)
            content += more
        return FileText(content)
    finally:
        os.close(descriptor)


def _write(content: bytes) -> None:
    sys.stdout.buffer.write(content)


def _said(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
