"""Background jobs as tests need them: real ones with a marker in their environment, and ones that only lie on disk."""

import json
import os
import time
from pathlib import Path
from typing import Any

from tests.calls import call

PATIENCE_SECONDS = 30
DEAD_PID = 4_194_304 + 7  # above the most pids that Linux gives
BOOT = Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start(command: str, **arguments: Any) -> str:
    """Start a job for a command and return its id."""
    options = {name: arguments.pop(name) for name in ("session", "directory", "read_only") if name in arguments}
    answer = call("bash", {"command": command, "run_in_background": True, **arguments}, yolo=True, **options)
    assert answer["ok"], answer
    return str(answer["data"]["job_id"])


def jobs_home() -> Path:
    """Return where jobs lie."""
    return Path(os.environ["HOME"]) / ".local/state/codetools/jobs"


def state_of(job_id: str, session: str | None = None) -> str:
    """Return the state of a job."""
    found = call("jobs_list", {"all": True}, session=session)["data"]["jobs"]
    [state] = [job["state"] for job in found if job["job_id"] == job_id]
    return str(state)


def wait(job_id: str, session: str | None = None) -> dict[str, Any]:
    """Wait for the end of a job and return it."""
    answer = call("jobs_wait", {"job_id": [job_id], "timeout_seconds": PATIENCE_SECONDS}, session=session)
    assert answer["ok"], answer
    job: dict[str, Any] = answer["data"]["jobs"][0]
    return job


def supervisor_of(job_id: str) -> int:
    """Return the pid of a job's supervisor."""
    return int((jobs_home() / job_id / "supervisor").read_text().partition(":")[0])


def lay_job(
    job_id: str = "3f9a1c2e",
    *,
    supervisor: str = f"{DEAD_PID}:1:{BOOT}",
    end: dict[str, Any] | None = None,
    session: str | None = None,
    root: str = "/",
    log: bytes = b"kept\n",
    ended_days_ago: float = 0,
    has_end: bool = True,
) -> Path:
    """Put the directory of a job there as a supervisor would have left it."""
    place = jobs_home() / job_id
    place.mkdir(parents=True)
    at = time.time() - ended_days_ago * 86400
    about = {"command": "make test", "session": session, "root": root, "working_dir": "/", "started": at - 5}
    (place / "about.json").write_text(json.dumps(about))
    (place / "supervisor").write_text(supervisor)
    (place / "log").write_bytes(log)
    if has_end:
        record = {"state": "exited", "is_final": True, "exit_code": 0, "signal": None, "ended": at, "trouble": ""}
        (place / "end.json").write_text(json.dumps({**record, **(end or {})}))
        os.utime(place / "end.json", (at, at))
    return place


def until(condition: Any) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def survivors(marker: str) -> list[int]:
    """Return the processes whose arguments or environment hold the marker, but for this one."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes() + Path(f"/proc/{name}/environ").read_bytes()
                state = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if marker.encode() in words and state != b"Z":
                found.append(int(name))
    return found


def end_all() -> None:
    """End every job that a test may have left."""
    found = call("jobs_list", {"all": True})["data"]
    running = [job["job_id"] for job in (found or {"jobs": []})["jobs"] if job["state"] == "running"]
    if running:
        call("jobs_kill", {"job_id": running}, yolo=True)
