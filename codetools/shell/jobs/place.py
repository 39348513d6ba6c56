"""Where a job lies: a private directory of its own below the state directory, with a few small files and its log."""

import json
import os
from typing import Any

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.state.durable import read_if_there

ID_BYTES = 4
MOST_FILE_BYTES = 1 << 20
_ID_CHARACTERS = frozenset("0123456789abcdef")


class Place(Record):
    """One job's directory. `about` is what was ordered, `supervisor` who runs it, `end` how it ended."""

    directory: str

    @property
    def job_id(self) -> str:
        """The directory's name."""
        return os.path.basename(self.directory)

    @property
    def about(self) -> str:
        """JSON, written by the call that starts the job, before anything runs."""
        return os.path.join(self.directory, "about.json")

    @property
    def supervisor(self) -> str:
        """Pid, start time and boot of the supervisor, written by it before the command starts."""
        return os.path.join(self.directory, "supervisor")

    @property
    def log(self) -> str:
        """Both streams, raw, from the first byte."""
        return os.path.join(self.directory, "log")

    @property
    def turns(self) -> str:
        """Which bytes of the log are whose: lengths, standard output and standard error in turns."""
        return os.path.join(self.directory, "turns")

    @property
    def end(self) -> str:
        """JSON, put there whole: how the command ended."""
        return os.path.join(self.directory, "end.json")

    @property
    def reserve(self) -> str:
        """Room for `end`, taken at the start, so that a full disk cannot hide how a job ended."""
        return os.path.join(self.directory, "end.reserve")


def jobs_directory(home: str) -> str:
    """Return the directory of all jobs."""
    return os.path.join(home, "jobs")


def new_place(directory: str) -> Place:
    """Make the directory of a new job; raises OSError."""
    while True:
        place = Place(os.path.join(directory, os.urandom(ID_BYTES).hex()))
        try:
            os.mkdir(place.directory, 0o700)
        except FileExistsError:
            continue
        return place


def place_of(home: str, job_id: str) -> Place:
    """Return where a job of this id would lie; raise `usage` for what is no id."""
    if len(job_id) != 2 * ID_BYTES or not _ID_CHARACTERS.issuperset(job_id):
        message = f"{job_id[:40]!r} is not the id of a job: it is {2 * ID_BYTES} hexadecimal digits."
        raise Failure("usage", message, "Call jobs_list to see them.")
    return Place(os.path.join(jobs_directory(home), job_id))


def all_places(home: str) -> list[Place]:
    """Return where jobs lie, in no order."""
    directory = jobs_directory(home)
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Failure("io", f"{directory}: {error.strerror}.") from None
    ids = (name for name in names if len(name) == 2 * ID_BYTES and _ID_CHARACTERS.issuperset(name))
    return [Place(os.path.join(directory, name)) for name in ids]


def read_json(path: str) -> dict[str, Any] | None:
    """Return the object in one of our files, or None where it is not there or not whole."""
    try:
        content = read_if_there(path, MOST_FILE_BYTES)
        found = json.loads(content) if content else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def remove_place(place: Place) -> None:
    """Take a job's directory away; another process may be doing the same."""
    try:
        names = os.listdir(place.directory)
    except OSError:
        return
    for name in sorted(names, key=lambda name: name == "about.json"):  # what makes it a job goes last
        try:
            os.unlink(os.path.join(place.directory, name))
        except OSError:
            continue
    try:
        os.rmdir(place.directory)
    except OSError:
        return
