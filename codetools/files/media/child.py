"""Decoding in a process of its own: what an image or a PDF does to its decoder ends there, in time and in memory."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record

if TYPE_CHECKING:
    from codetools.system.jail import Jail

MEMORY_BYTES = 3 << 30
ANSWER_BYTES = 64 << 20
INSTALL = "pip install 'codetools-cli[media]'"

_START = (
    "import json, sys; job = json.loads(sys.argv.pop(1)); sys.path[:] = job.pop('path');"
    " from codetools.files.media.worker import main; main(job)"
)
_PROBLEMS = {
    "damaged": ("binary", "is damaged or of a form that cannot be decoded"),
    "encrypted": ("binary", "is encrypted"),
    "memory": ("binary", "takes more memory to decode than is given to it"),
    "pixels": ("binary", "has more pixels than are decoded"),
}


class Decoded(Record):
    """A decoder's answer: facts, and the bytes it made."""

    facts: dict[str, Any]
    content: bytes


def decode(
    job: dict[str, Any], content: bytes, shown: str, limits: Limits, check: Callable[[], None] | None
) -> Decoded:
    """Have one job of `worker` done on a content; raise `binary`, `timeout` or `unavailable`."""
    from codetools.system.command import Command
    from codetools.system.plumbing import STDOUT
    from codetools.system.process import run_process

    answer = bytearray()

    def take(stream: int, chunk: bytes) -> bool:
        if stream == STDOUT:
            answer.extend(chunk)
        return len(answer) > ANSWER_BYTES

    path = [entry for entry in sys.path if entry.startswith("/")]
    argv = (sys.executable, "-I", "-S", "-c", _START, json.dumps({**job, "path": path}))
    command = Command(argv, {"LC_ALL": "C.UTF-8"}, "/", content, _jail(limits))
    ending = run_process(command, take, timeout_seconds=limits.media_seconds, check=check)
    if ending.interruption is not None:
        raise ending.interruption
    if ending.timed_out or ending.signal == "SIGXCPU":
        message = f"{shown} takes longer than {limits.media_seconds:g} seconds to decode."
        raise Failure("timeout", message, "The setting limits.media_seconds may be raised.")
    line, _, made = bytes(answer).partition(b"\n")
    if ending.exit_code != 0 or not line or ending.was_enough:
        raise _problem("memory" if ending.was_enough else "damaged", shown)
    facts = json.loads(line)
    if "problem" in facts:
        raise _problem(facts["problem"], shown, facts.get("details", ""))
    return Decoded(facts, made)


def is_installed(module: str) -> bool:
    """Whether a module of the extra `media` is there."""
    from importlib.util import find_spec

    return find_spec(module) is not None


def missing(what: str) -> Failure:
    """Return the failure of a kind that only the extra can decode."""
    return Failure("unavailable", f"{what} can be read only with the extra `media`.", f"Install it: {INSTALL}")


def _jail(limits: Limits) -> "Jail":
    from codetools.system.jail import Jail

    seconds = int(limits.media_seconds) + 1
    memory = (("RLIMIT_AS", MEMORY_BYTES, MEMORY_BYTES),) if sys.platform == "linux" else ()
    caps = (("RLIMIT_CPU", seconds, seconds + 1), ("RLIMIT_CORE", 0, 0), ("RLIMIT_FSIZE", 0, 0), *memory)
    return Jail(limits=caps)


def _problem(name: str, shown: str, details: str = "") -> Failure:
    if name == "missing":
        return missing(f"{shown} ({details})" if details else shown)
    kind, words = _PROBLEMS[name]
    reason = f" ({details})" if details else ""
    return Failure(kind, f"{shown} {words}{reason}.", "`raw` and `base64` give its bytes.")
