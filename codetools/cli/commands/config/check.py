"""Says whether the settings files parse, and what in them does not count."""

from typing import Literal

from codetools.cli.handmade import WHERE, handmade
from codetools.core.outcome import Result, Span
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options

STATES = {"ok": "good", "untrusted": "warning", "none": "dim"}


class Params(Record):
    """Nothing to say."""


class File(Record):
    """One settings file. `untrusted` is a project's: it can only tighten."""

    layer: str
    path: Path
    state: Literal["ok", "untrusted", "none"]


class Checked(Result):
    """Every file, and what in them does not count."""

    files: tuple[File, ...]
    ignored: tuple[str, ...]

    def text(self) -> str:
        """Return one line per file, and one per value that does not count."""
        lines = [f"{file.state:9} {file.layer:8} {file.path}" for file in self.files]
        return "\n".join([*lines, *(f"note: {text}" for text in self.ignored)])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        rows = tuple(
            (
                Span(file.state, STATES[file.state]),
                Span("", "column"),
                Span(file.layer),
                Span("", "column"),
                _path(file),
            )
            for file in self.files
        )
        return (*rows, *((Span(text, "warning"),) for text in self.ignored))


@handmade(examples=("codetools config check", "codetools config check --config ci.yaml"), options=WHERE)
def check(params: Params, options: Options) -> Checked:
    """Check the settings files: each must parse and hold only known settings.

    The status is 78 for a file that does not parse or validate, and the message names its line and column.
    """
    config = start(options).config
    files = tuple(
        File(source.layer, source.path, _state(source.sha256, source.is_trusted)) for source in config.sources
    )
    return Checked(files, tuple(notice.message for notice in config.notices))


def _state(sha256: str | None, is_trusted: bool) -> Literal["ok", "untrusted", "none"]:
    if sha256 is None:
        return "none"
    return "ok" if is_trusted else "untrusted"


def _path(file: File) -> Span:
    return Span(file.path, "path")
