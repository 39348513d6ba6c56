"""How a command ended: the data of every tool that runs one, and the text that a model reads."""

from typing import TYPE_CHECKING, ClassVar, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.shell.streams import Streams
from codetools.system.plumbing import STDERR, STDOUT

if TYPE_CHECKING:
    from codetools.shell.output import Shown

SLOW_SECONDS = 5.0
_BENIGN = {  # exit code 1 is an answer of these, not an error
    "grep": "nothing matched", "rg": "nothing matched", "egrep": "nothing matched", "fgrep": "nothing matched",
    "diff": "they differ", "cmp": "they differ", "test": "it is false", "[": "it is false", "false": "false",
}  # fmt: skip


class Process(Record):
    """A process that the command left running."""

    pid: int
    name: str


class Finished(Result):
    """A command that ran, or runs on as a job. `exit_code` is null for a job and where a signal ended the command."""

    exit_code: int | None
    signal: Annotated[str | None, Arg("Name of the signal that ended it.")]
    timed_out: bool
    stdout: str
    stderr: str
    started: Annotated[str, Arg("UTC, ISO 8601.")]
    ended: str | None
    working_dir: Annotated[Path, Arg("Where the shell ended.")]
    spool: Annotated[Path | None, Arg("File with all output, raw, where more came than is shown.")]
    sandbox: Annotated[Literal["enforced", "partial", "none"], Arg("How the kernel held this run to reading.")]
    verdict: Literal["read_only", "ask", "banned"]
    total_bytes: int
    total_lines: int
    truncated: Truncated | None = None
    left: Annotated[tuple[Process, ...], Arg("Processes still running.")] = ()
    job_id: Annotated[str | None, Arg("Job under which it, or what it left, runs on in the background.")] = None

    shown: ClassVar[str] = ""  # set per value by `with_words`: not data, since `text` says it
    shown_plain: ClassVar[str] = ""
    streams: ClassVar[Streams | None] = None
    remarks: ClassVar[str] = ""
    was_stopped: ClassVar[bool] = False

    def with_words(self, shown: "Shown", remarks: str, *, was_stopped: bool) -> "Finished":
        """Return the same with its output as it is shown, what is said below it, and whether we ended it."""
        told = self.but()
        told.__dict__.update(
            shown=shown.text, shown_plain=shown.plain, streams=shown.streams, remarks=remarks, was_stopped=was_stopped
        )
        return told

    def with_remark(self, remark: str) -> "Finished":
        """Return the same with what is said below its output, of which there is none yet."""
        told = self.but()
        told.__dict__["remarks"] = remark
        return told

    def text(self) -> str:
        """Return both streams as they came, and how it ended where that is not simply well."""
        if not self.remarks:
            return self.shown or "[no output]"
        separator = "" if not self.shown or self.shown.endswith("\n") else "\n"
        return f"{self.shown}{separator}{self.remarks}"

    @property
    def is_job(self) -> bool:
        """Whether the command itself still runs."""
        return self.job_id is not None and self.ended is None

    def plain(self) -> str:
        """Return the command's standard output byte for byte; the job's id of one that was sent to the background."""
        if self.is_job and self.streams is None:
            return f"{self.job_id}\n"
        return _as_bytes(self.streams.whole(STDOUT)) if self.streams is not None else ""

    def plain_error(self) -> str:
        """Return its standard error byte for byte, and a line on what is not passed on."""
        if self.streams is None:
            return ""
        remarks = f"{self.remarks}\n" if self.is_job else ""
        for stream in (STDOUT, STDERR):
            content = self.streams.whole(stream)
            remarks += self.streams.remark(stream, len(content))
        text = _as_bytes(content)
        return f"{text}\n{remarks}" if remarks and text and not text.endswith("\n") else text + remarks

    def is_exact(self) -> bool:
        """Whether a pipe gets `plain()` as it is: also of a command that we ended."""
        return True

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return both streams as they came, as lines for a terminal."""
        shown = self.shown_plain.removesuffix("\n").split("\n") if self.shown_plain else []
        return tuple((Span(line),) for line in (*shown, *(self.remarks.split("\n") if self.is_job else ())))

    def status(self) -> str:
        """Return how much came, or under which id it runs on."""
        if self.is_job:
            return f"job {self.job_id}"
        counts = ((self.total_bytes, "byte"), (self.total_lines, "line"))
        return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts)

    def process_status(self) -> int | None:
        """Return the command's status as a shell gives it; none where we ended it, which is a failure of its own."""
        if self.was_stopped:
            return None
        if self.signal is not None:
            return 128 + signal_number(self.signal)
        return self.exit_code


def remarks_on(
    exit_code: int | None, signal: str | None, *, was_stopped: bool, seconds: float, last_program: str
) -> str:
    """Return the lines that close a command's text."""
    lines = []
    if signal is not None and not was_stopped:
        lines.append(f"[ended by {signal}]")
    if exit_code:
        benign = _BENIGN.get(last_program, "") if exit_code == 1 else ""
        lines.append(f"[exit code {exit_code}{f': {benign}' if benign else ''}]")
    if seconds >= SLOW_SECONDS:
        lines.append(f"[took {seconds:.1f} seconds]")
    return "\n".join(lines)


def moment_of(seconds: float) -> str:
    """Return a time since the epoch as every result writes it."""
    import time

    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"


def signal_number(name: str) -> int:
    """Return a signal's number; `SIG34` is one without a name."""
    import signal

    found = getattr(signal, name, None)
    return int(found) if found is not None else int(name.removeprefix("SIG"))


def _as_bytes(content: bytes) -> str:
    """Return bytes as a text that becomes the same bytes when it is written."""
    return content.decode("utf-8", "surrogateescape")
