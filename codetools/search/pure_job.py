"""The pure-Python engine's letters: the job that is written to its process, and what that process says."""

import json

from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.load import load
from codetools.search.job import Job
from codetools.search.notes import Note, Passed, Unread

PASSED, UNREAD, REFUSED = "passed", "unread", "refused"


def written_job(job: Job) -> str:
    """Return a job as one argument."""
    written = json.dumps(dump(job))
    if r"\u0000" in written.replace(r"\\", ""):
        raise Failure("usage", "a pattern or glob holds a NUL character.", r"Write \x00 in a pattern.")
    return written


def read_job(text: str) -> Job:
    """Return the job that was written."""
    return load(Job, json.loads(text), "job").params


def line(*words: str) -> str:
    """Return one line for standard error."""
    return json.dumps(words) + "\n"


def read_note(text: str) -> Note | None:
    """Return what a line says about one entry, or None."""
    words = _words(text)
    if words[:1] == [PASSED] and words[2] in (
        "ignored",
        "default",
        "link",
        "special",
        "withheld",
        "large",
        "rules",
        "long",
    ):
        return Passed(words[1], words[2])  # type: ignore[arg-type]
    if words[:1] == [UNREAD]:
        return Unread(words[1], words[2])
    return None


def read_failure(errors: str) -> Failure:
    """Return why the engine did not take a pattern, glob or type."""
    for text in errors.splitlines():
        words = _words(text)
        if words[:1] == [REFUSED]:
            return Failure("usage", words[1], words[2], {"engine": "python", "reason": words[1]})
    return Failure("internal", "the Python search engine failed.", details={"reason": errors[-2000:]})


def _words(text: str) -> list[str]:
    try:
        words = json.loads(text)
    except ValueError:
        return []
    return words if isinstance(words, list) else []
