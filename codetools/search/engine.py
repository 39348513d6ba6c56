"""Which engine does a search: ripgrep where there is one, else pure Python over the same files under the same rules."""

import sys
from typing import Protocol

from codetools.core.errors import Failure
from codetools.search.job import Job, Program
from codetools.search.notes import Note


class Engine(Protocol):
    """What turns a job into a process, and reads what the process says."""

    name: str

    def program(self, job: Job) -> Program:
        """Return the process that does a job; raise `usage` where this engine cannot."""

    def note(self, line: str) -> Note | None:
        """Return what a line on standard error says about one entry, or None."""

    def failure(self, errors: str) -> Failure:
        """Return the failure behind status 2, from all that stood on standard error."""


class Ripgrep:
    """ripgrep, run from an absolute path."""

    name = "ripgrep"

    def __init__(self, rg: str) -> None:
        self._rg = rg

    def program(self, job: Job) -> Program:
        """Return rg and its arguments."""
        from codetools.search.ripgrep import ripgrep_program

        return ripgrep_program(self._rg, job)

    def note(self, line: str) -> Note | None:
        """Read rg's messages."""
        from codetools.search.ripgrep import ripgrep_note

        return ripgrep_note(line)

    def failure(self, errors: str) -> Failure:
        """Read rg's reason."""
        from codetools.search.ripgrep import ripgrep_failure

        return ripgrep_failure(errors)


class PurePython:
    """This interpreter, in a process of its own, so that a deadline ends any pattern."""

    name = "python"

    def program(self, job: Job) -> Program:
        """Return an interpreter that imports nothing from its working directory or environment."""
        from codetools.search.pure_job import written_job

        package = __file__.rsplit("/", 3)[0]
        start = "import sys; sys.path.append(sys.argv.pop(1)); from codetools.search.pure import main; main()"
        scope = job.scope
        return Program(
            argv=(sys.executable, "-I", "-c", start, package, written_job(job)),
            directory_fd=None if scope.is_file else scope.fd,
            inherited_fds=(scope.fd,) if scope.is_file else (),
        )

    def note(self, line: str) -> Note | None:
        """Read the child's messages."""
        from codetools.search.pure_job import read_note

        return read_note(line)

    def failure(self, errors: str) -> Failure:
        """Read the child's reason."""
        from codetools.search.pure_job import read_failure

        return read_failure(errors)


def choose_engine(inside: tuple[str, ...]) -> Engine:
    """Return the engine of this machine; `inside` are the workspace's roots, where no program of ours is looked for."""
    from codetools.search.ripgrep import find_ripgrep

    rg = find_ripgrep(inside)
    return Ripgrep(rg) if rg is not None else PurePython()
