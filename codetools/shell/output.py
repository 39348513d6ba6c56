"""What a command wrote, as it is kept and shown: raw in the spool, both ends in memory, clean in the result."""

import codecs
from collections.abc import Callable
from typing import Any

from codetools.core.limits import Limits
from codetools.core.outcome import Next, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.shell.clean import binary_kind, to_text
from codetools.shell.spool import Kept, Spool
from codetools.shell.streams import Runs, Streams
from codetools.shell.window import HEAD_PERCENT, Piece, View, Window
from codetools.system.plumbing import STDERR, STDOUT

Emit = Callable[[str, str], None]
STDERR_MARK = "[stderr] "
SAMPLE_BYTES = 8192


class Shown(Record):
    """A command's output for its result. `text` is both streams in the order they came, stderr lines marked."""

    text: str
    plain: str  # the same without marks
    streams: Streams
    stdout: str
    stderr: str
    total_bytes: int
    total_lines: int
    truncated: Truncated | None
    spool: Path | None
    troubles: tuple[str, ...]


class Output:
    """Takes in what a command writes, in any amount, in bounded memory."""

    def __init__(
        self,
        limits: Limits,
        spool_directory: str | None,
        emit: Emit | None = None,
        *,
        log: Path | None = None,
        lines_before: int = 0,
        head_percent: int = HEAD_PERCENT,
    ) -> None:
        """Make one that keeps a spool in `spool_directory`, or needs none because `log` holds the output already.

        `lines_before` is how many lines of that log come before what is taken in. Of what is too long to be shown,
        `head_percent` come from its beginning.
        """
        self._limits = limits
        self._spool: Spool | Kept = Spool(spool_directory, limits.spool_bytes) if log is None else Kept(log)
        self._lines_before = lines_before
        self._emit = emit
        self._decoders: dict[int, Any] = {}
        self._windows = {
            STDOUT: Window(limits.stdout_bytes, head_percent),
            STDERR: Window(limits.stderr_bytes, head_percent),
        }
        self._both = Window(limits.stdout_bytes + limits.stderr_bytes, head_percent)
        self._samples = {STDOUT: b"", STDERR: b""}
        self._runs = Runs()

    def take(self, stream: int, chunk: bytes) -> None:
        """Take in the next chunk of a stream, and pass it on to whoever listens."""
        self.keep(stream, chunk)
        self.pass_on(stream, chunk)

    def keep(self, stream: int, chunk: bytes) -> None:
        """Take in the next chunk of a stream; never waits for a listener."""
        self._spool.write(chunk)
        self._runs.add(stream, len(chunk))
        newlines = chunk.count(b"\n")
        self._windows[stream].add(stream, chunk, newlines)
        self._both.add(stream, chunk, newlines)
        if len(self._samples[stream]) < SAMPLE_BYTES:
            self._samples[stream] += chunk[: SAMPLE_BYTES - len(self._samples[stream])]

    def pass_on(self, stream: int, chunk: bytes) -> None:
        """Show a chunk to whoever listens to what comes."""
        if self._emit is not None:
            decoder = self._decoders.get(stream)
            if decoder is None:
                decoder = self._decoders[stream] = codecs.getincrementaldecoder("utf-8")("replace")
            self._emit(decoder.decode(chunk), "stdout" if stream == STDOUT else "stderr")

    def finish(self) -> Shown:
        """Return what is shown; the spool stays where it holds more than that."""
        kinds = {stream: binary_kind(sample) for stream, sample in self._samples.items()}
        views = {stream: window.view() for stream, window in self._windows.items()}
        both = self._both.view()
        if self._is_verbatim(both, views, kinds):
            self._spool.discard()
        else:
            self._spool.keep()
        spool = self._spool.path
        text = _Text(kinds, spool, views, self._lines_before)
        is_cut = both.is_cut or any(view.is_cut for view in views.values()) or any(kinds.values())
        return Shown(
            text=text.both(both, STDERR_MARK),
            plain=text.both(both, ""),
            streams=Streams(both, {stream: view.total_bytes for stream, view in views.items()}, self._runs, spool),
            stdout=text.one(STDOUT),
            stderr=text.one(STDERR),
            total_bytes=both.total_bytes,
            total_lines=both.total_lines,
            truncated=self._truncated(both) if is_cut else None,
            spool=spool,
            troubles=(self._spool.trouble,) if self._spool.trouble else (),
        )

    def discard(self) -> None:
        """Forget everything, the spool too."""
        self._spool.discard()

    def _is_verbatim(self, both: View, views: dict[int, View], kinds: dict[int, str]) -> bool:
        if both.is_cut or any(view.is_cut for view in views.values()) or any(kinds.values()):
            return False
        return all(to_text(piece.content).encode() == piece.content for piece in both.head)

    def _truncated(self, both: View) -> Truncated:
        limit = self._limits.stdout_bytes + self._limits.stderr_bytes
        spool = self._spool.path
        return Truncated(
            "bytes", both.shown_bytes, both.total_bytes, limit, spool, next_read(spool, both, self._lines_before)
        )


def next_read(spool: Path | None, view: View, lines_before: int = 0) -> Next | None:
    """Return the call that shows what was cut out, from the spool, where `lines_before` come before the output."""
    if spool is None:
        return None
    left = view.total_lines - view.head_lines - view.tail_lines
    arguments: dict[str, Any] = {"file_path": spool.printable()}
    offset = lines_before + view.head_lines
    return Next("read", {**arguments, "offset": offset, "limit": max(1, left)} if view.is_cut else arguments)


class _Text:
    """Makes text of views: cleaned, with the notice at the cut, and binary streams replaced by a line about them."""

    def __init__(
        self, kinds: dict[int, str], spool: Path | None, views: dict[int, View], lines_before: int = 0
    ) -> None:
        self._lines_before = lines_before
        self._kinds = kinds
        self._spool = spool
        self._views = views

    def one(self, stream: int) -> str:
        view = self._views[stream]
        if self._kinds[stream]:
            return self._binary(stream)
        if not view.is_cut:
            return _clean(view.head)
        where = f"; all of it is in {self._spool.printable()}" if self._spool else ""
        return f"{_ended(_clean(view.head))}[… {_left_out(view)}{where}]\n{_clean(view.tail)}"

    def both(self, view: View, mark: str) -> str:
        notes = ""
        for stream in (STDOUT, STDERR):
            if self._kinds[stream]:
                notes += f"{self._binary(stream)}\n"
                view = self._views[STDERR if stream == STDOUT else STDOUT]
        if all(self._kinds.values()):
            return notes
        if not view.is_cut:
            return notes + _in_order(view.head, mark)
        reading = next_read(self._spool, view, self._lines_before)
        where = f"; to read on: read {_call(reading)}" if reading else ""
        return f"{notes}{_ended(_in_order(view.head, mark))}[… {_left_out(view)}{where}]\n{_in_order(view.tail, mark)}"

    def _binary(self, stream: int) -> str:
        name = "stdout" if stream == STDOUT else "stderr"
        where = f", kept in {self._spool.printable()}" if self._spool else ""
        return f"[{name} is {self._kinds[stream]}: {self._views[stream].total_bytes:,} bytes{where}]"


def _in_order(pieces: tuple[Piece, ...], mark: str) -> str:
    """Return the streams as lines in the order they came; a line begun by one stream is ended before the other's."""
    text: list[str] = []
    at_line_start = True
    last = STDOUT
    for piece in pieces:
        cleaned = to_text(piece.content)
        if not cleaned:
            continue
        if not at_line_start and piece.stream != last:
            text.append("\n")
            at_line_start = True
        if piece.stream == STDERR and mark:
            body, end = (cleaned[:-1], "\n") if cleaned.endswith("\n") else (cleaned, "")
            cleaned = (mark if at_line_start else "") + body.replace("\n", "\n" + mark) + end
        text.append(cleaned)
        at_line_start = cleaned.endswith("\n")
        last = piece.stream
    return "".join(text)


def _clean(pieces: tuple[Piece, ...]) -> str:
    return to_text(b"".join(piece.content for piece in pieces))


def _left_out(view: View) -> str:
    lines = max(1, view.total_lines - view.head_lines - view.tail_lines)
    left = view.total_bytes - view.shown_bytes
    return f"{lines:,} of {view.total_lines:,} lines left out, {left:,} of {view.total_bytes:,} bytes"


def _call(reading: Next) -> str:
    import json

    return json.dumps(reading.arguments, ensure_ascii=False)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
