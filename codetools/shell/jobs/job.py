"""A background job as it is on disk and in the process table: its state is worked out whenever somebody looks."""

from typing import Any, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.shell.finished import moment_of
from codetools.shell.jobs.log import log_size
from codetools.shell.jobs.place import MOST_FILE_BYTES, Place, read_json
from codetools.state.alive import is_alive
from codetools.state.durable import read_if_there

State = Literal["running", "exited", "signalled", "timed_out", "killed", "lost"]
_STATES = ("exited", "signalled", "timed_out", "killed", "lost")


class Job(Record):
    """One background job. `exit_code` and `signal` are of the command itself, whose children may still run."""

    job_id: str
    state: Annotated[State, Arg("`lost`: its supervisor died without a word, and the command with it.")]
    exit_code: int | None
    signal: str | None
    command: str
    started: Annotated[str, Arg("UTC, ISO 8601.")]
    ended: str | None
    session: str | None
    working_dir: Path
    log: Annotated[Path, Arg("File with all output, raw.")]
    total_bytes: int
    description: str = ""

    @property
    def is_running(self) -> bool:
        """Whether anything of it still runs."""
        return self.state == "running"

    def state_words(self) -> str:
        """Return the state with what there is to say of it: `exited 1`."""
        if self.state == "running" and self.exit_code is not None:
            return f"running (its shell exited {self.exit_code})"
        if self.state == "lost":
            return "lost (its supervisor was killed, and it with it)"
        detail = {"exited": self.exit_code, "signalled": self.signal}.get(self.state)
        return self.state.replace("_", " ") + (f" {detail}" if detail is not None else "")


class Found(Record):
    """A job with what only this room needs to know. `supervisor` is pid, start time and boot, or empty."""

    place: Place
    job: Job
    about: dict[str, Any]
    end: dict[str, Any] | None
    supervisor: str

    @property
    def trouble(self) -> str:
        """What is missing from the log, and why."""
        return str((self.end or {}).get("trouble", ""))


def look_at(place: Place) -> Found | None:
    """Return the job that lies there as it is now, or None where there is none, or none that began."""
    about = read_json(place.about)
    supervisor = _supervisor(place)
    if about is None or not supervisor:
        return None
    end = read_json(place.end)
    state: State
    if end is not None and end.get("is_final"):
        state = _state(end)
    elif is_alive(supervisor):
        state = "running"
    else:
        end = read_json(place.end)  # it may have ended since it was read
        state = _state(end) if end is not None and end.get("is_final") else "lost"
    return Found(place, _job(place, about, end, state), about, end, supervisor)


def _job(place: Place, about: dict[str, Any], end: dict[str, Any] | None, state: State) -> Job:
    told = end or {}
    ended = told.get("ended") if state != "running" else None
    return Job(
        job_id=place.job_id,
        state=state,
        exit_code=told.get("exit_code"),
        signal=told.get("signal"),
        command=about["command"],
        started=moment_of(about["started"]),
        ended=moment_of(ended) if ended is not None else None,
        session=about["session"],
        working_dir=Path(about["working_dir"]),
        log=Path(place.log),
        total_bytes=log_size(place),
        description=about.get("description", ""),
    )


def _state(end: dict[str, Any]) -> State:
    state: State = end["state"] if end.get("state") in _STATES else "lost"
    return state


def _supervisor(place: Place) -> str:
    try:
        content = read_if_there(place.supervisor, MOST_FILE_BYTES)
    except OSError:
        return ""
    text = (content or b"").decode("ascii", "replace").strip()
    return text if text.count(":") == 2 and text.partition(":")[0].isdigit() else ""
