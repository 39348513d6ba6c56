"""A keeper in a process of its own, for a caller that has threads: its fork could wait for ever in any of their locks.

The process is started by `posix_spawn`, which runs none of our code between fork and exec, and reads its order, a JSON
document, from standard input. Until the order is whole nothing has run, and without it nothing does.
"""

import errno
import os
import select
import sys
import time
from typing import Any

from codetools.system.command import Command, command_from_json
from codetools.system.plumbing import Ends

ORDER_SECONDS = 10.0
_PACKAGE_PARENT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_START = "import sys; sys.path.append(sys.argv[1]); from codetools.system.helper import main; main()"


class Helper:
    """A process that waits for its order; `close` without one ends it."""

    def __init__(self, command: Command, ends: Ends) -> None:
        """Start the process; raise OSError where that fails."""
        self._order = _order(command, ends)
        read, self._write = os.pipe()
        passed = {getattr(ends, name) for name in ends.record_fields} - {-1}
        if isinstance(command.directory, int):
            passed.add(command.directory)
        actions: list[Any] = [
            (os.POSIX_SPAWN_DUP2, read, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            *((os.POSIX_SPAWN_DUP2, descriptor, descriptor) for descriptor in passed),  # it stays open over the exec
        ]
        argv = [sys.executable, "-I", "-S", "-B", "-c", _START, _PACKAGE_PARENT]
        try:
            self.pid = os.posix_spawn(sys.executable, argv, os.environ, file_actions=actions)
        except OSError:
            self.close()
            raise
        finally:
            os.close(read)

    def deliver(self) -> None:
        """Give the order; raise OSError where it is not taken."""
        unsent = memoryview(self._order)
        os.set_blocking(self._write, False)
        poll = select.poll()
        poll.register(self._write, select.POLLOUT)
        until = time.monotonic() + ORDER_SECONDS
        try:
            while unsent:
                if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                    raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
                unsent = unsent[os.write(self._write, unsent) :]
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the process."""
        if self._write >= 0:
            os.close(self._write)
            self._write = -1


def has_threads() -> bool:
    """Whether this process has other threads than the one that asks."""
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:
        threading = sys.modules.get("threading")
        return threading is not None and threading.active_count() > 1


def main() -> None:
    """In the helper: take the order and keep the command it speaks of."""
    import json

    from codetools.system import kernel
    from codetools.system.keeper import keep

    with open(0, "rb", closefd=False) as pipe:
        content = pipe.read()
    try:
        order = json.loads(content)
    except ValueError:  # whoever started us has thought better of it
        return
    os.dup2(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), 0)
    kernel.load()
    command, ends = command_from_json(order["command"]), Ends(**order["ends"])
    for descriptor in (*order["ends"].values(), command.directory):
        if isinstance(descriptor, int) and descriptor >= 0:
            os.set_inheritable(descriptor, False)
    if command.jail is not None:
        command.jail.load()
    keep(command, ends)


def _order(command: Command, ends: Ends) -> bytes:
    import json

    stored = {name: getattr(ends, name) for name in ends.record_fields}
    return json.dumps({"command": command.but(stdin=None).to_json(), "ends": stored}).encode()
