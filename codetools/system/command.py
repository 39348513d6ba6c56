"""One process to run, as plain data: it can be handed to another interpreter."""

from typing import Any

from codetools.core.record import Record
from codetools.system.jail import Jail, jail_from_json


class Command(Record):
    """One process to run.

    `argv[0]` is an absolute path. `directory` is a path or an open descriptor. `jail` is what the child gives up just
    before it becomes the program. With `reports_directory` the child may write its last directory to descriptor
    `keeper.DIRECTORY_FD`. With `fifos_in`, a private directory, the two streams reach the sink in the order in which
    they were written, as far as the machine tells; else as they are read. `wrapper` is the name of the processes that
    stand around the program: they are not asked to end, since they end with it, and they say on `keeper.STATUS_FD`,
    as bubblewrap does, that the program ran.
    """

    argv: tuple[str, ...]
    environment: dict[str, str]
    directory: str | int
    stdin: bytes | None = None
    jail: Jail | None = None
    reports_directory: bool = False
    fifos_in: str | None = None
    wrapper: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the same as a JSON object, for another interpreter; an open directory has to be passed on to it."""
        stored = {name: getattr(self, name) for name in self.record_fields}
        stored["stdin"] = None if self.stdin is None else self.stdin.decode("latin-1")
        stored["jail"] = None if self.jail is None else self.jail.to_json()
        return stored


def command_from_json(stored: dict[str, Any]) -> Command:
    """Return what `Command.to_json` stored."""
    stdin, jail = stored["stdin"], stored["jail"]
    return Command(
        argv=tuple(stored["argv"]),
        environment=dict(stored["environment"]),
        directory=stored["directory"],
        stdin=None if stdin is None else stdin.encode("latin-1"),
        jail=None if jail is None else jail_from_json(jail),
        reports_directory=stored["reports_directory"],
        fifos_in=stored["fifos_in"],
        wrapper=stored["wrapper"],
    )
