"""Long text from a file or standard input, read under the same policy as any other reading."""

import os
import select
import sys
from typing import Any

from codetools.cli.values import Given
from codetools.core.access import CommandAccess, PathAccess
from codetools.core.errors import Failure
from codetools.engine.built_in import BUILT_IN
from codetools.engine.engine import Engine

STANDARD_INPUT = "-"


def with_texts(engine: Engine, given: Given) -> dict[str, Any]:
    """Return the arguments, with the content of each named file in its place."""
    if list(given.files.values()).count(STANDARD_INPUT) > 1:
        raise Failure("usage", "standard input can give only one text.")
    texts = {name: _decoded(_content(engine, path), path) for name, path in given.files.items()}
    return {**given.own, **texts}


def _content(engine: Engine, path: str) -> bytes:
    if path == STANDARD_INPUT:
        return _standard_input(engine.limits.edit_bytes, engine.limits.stdin_seconds)
    from codetools.files.files import Files

    return Files(engine.workspace, _ReadGate(engine), engine.limits).read(path, engine.limits.edit_bytes).content


class _ReadGate:
    """Lets through only what the policy allows to read unasked: a file of one's own can always be piped in."""

    def __init__(self, engine: Engine) -> None:
        self._policy = engine.policy
        self._tool = BUILT_IN.find("read")

    def path(self, access: PathAccess) -> None:
        decision = self._policy.decide_path(self._tool, access)
        if decision.answer != "allow":
            kind = decision.kind if decision.answer == "deny" else "denied"
            hint = "Pipe it in instead: --NAME-file - < FILE" if decision.answer == "ask" else decision.hint
            raise Failure(kind, f"{access.written.printable()} may not be read without asking.", hint)

    def may_show(self, access: PathAccess) -> bool:
        return self._policy.decide_path(self._tool, access).answer == "allow"

    def hidden(self) -> tuple[str, ...]:
        return ()

    def command(self, access: CommandAccess) -> None:
        raise Failure("denied", "a text cannot come from a command.")

    def job(self, job_id: str, *, is_own: bool) -> None:
        raise Failure("denied", "a text cannot come from a job.")


def _standard_input(most_bytes: int, silent_seconds: float) -> bytes:
    """Read standard input to its end; a person at a terminal has all the time there is."""
    stream = sys.stdin.buffer if sys.stdin is not None else None
    if stream is None:
        raise Failure("usage", "standard input is closed.")
    try:
        descriptor = stream.fileno()
    except OSError:
        return stream.read(most_bytes + 1)  # not a file of the system's: a test's
    chunks: list[bytes] = []
    size = 0
    patience = None if os.isatty(descriptor) else silent_seconds
    while select.select([descriptor], [], [], patience)[0]:
        try:
            chunk = os.read(descriptor, 1 << 20)
        except OSError as error:
            raise Failure("usage", f"standard input cannot be read ({error.strerror}).") from None
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
        if size > most_bytes:
            raise Failure("usage", f"standard input is larger than {most_bytes} bytes (limits.edit_bytes).")
    raise Failure("usage", f"standard input stayed silent for {silent_seconds:g} seconds.")


def _decoded(content: bytes, path: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        name = "standard input" if path == STANDARD_INPUT else path
        raise Failure("encoding", f"{name} is not UTF-8 at byte {error.start}.") from None
