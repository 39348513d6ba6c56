"""Both engines on one directory: what tests of the search room use."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codetools.search.engine import Engine, PurePython, Ripgrep
from codetools.search.find import Found, Listing, Pace, find_files, find_matches, list_files, path_order, scope_keeper
from codetools.search.job import Query, Scope
from codetools.search.ripgrep import find_ripgrep
from codetools.search.rows import Row, read_rows
from codetools.search.rules import in_repository


def engines() -> list[Engine]:
    rg = find_ripgrep(())
    assert rg is not None, "the tests need the ripgrep that is installed with the package"
    return [Ripgrep(rg), PurePython()]


class Place:
    """A directory under one engine."""

    def __init__(self, engine: Engine, directory: Path) -> None:
        self.engine = engine
        self.directory = directory

    def pace(self, seconds: float = 60.0) -> Pace:
        return Pace(time.monotonic() + seconds)

    def matches(self, pattern: str, *, need: int = 1000, seconds: float = 60.0, **how: Any) -> Found:
        query, scope = split(how)
        return self._with(
            scope,
            lambda scope: find_matches(
                self.engine, scope, Query(pattern, **query), need, self.pace(seconds), scope_keeper(scope)
            ),
        )

    def rows(self, pattern: str, **how: Any) -> dict[str, list[tuple[int, str]]]:
        found = self.matches(pattern, **how)
        return {
            file.path: [(row.line, row.text) for row in read_rows(file, 500) if row.is_match] for file in found.files
        }

    def row(self, pattern: str, most_chars: int = 500, **how: Any) -> Row:
        (file,) = self.matches(pattern, **how).files
        (row,) = read_rows(file, most_chars)
        return row

    def paths(self, pattern: str, **how: Any) -> list[str]:
        return [path for path, _ in self.files(pattern, "paths", **how).counts]

    def counts(self, pattern: str, **how: Any) -> dict[str, int]:
        return dict(self.files(pattern, "counts", **how).counts)

    def files(self, pattern: str, output: Any, *, seconds: float = 60.0, **how: Any) -> Found:
        query, scope = split(how)
        return self._with(
            scope,
            lambda scope: find_files(
                self.engine, scope, Query(pattern, **query), output, self.pace(seconds), scope_keeper(scope)
            ),
        )

    def listing(self, **how: Any) -> Listing:
        return self._with(how, lambda scope: list_files(self.engine, scope, self.pace(), explains=True))

    def names(self, **how: Any) -> list[str]:
        return sorted(self.listing(**how).paths, key=path_order)

    def _with(self, how: dict[str, Any], do: Callable[[Scope], Any]) -> Any:
        path = self.directory / how.pop("at", ".")
        fd = os.open(path, os.O_RDONLY)
        try:
            is_file = path.is_file()
            return do(Scope(fd, is_file=is_file, in_repository=not is_file and in_repository(fd), **how))
        finally:
            os.close(fd)


def split(how: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    query = {name: value for name, value in how.items() if name in Query.record_fields}
    return query, {name: value for name, value in how.items() if name not in query}


def make(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
