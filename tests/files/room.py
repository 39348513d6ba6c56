"""The files room without an engine: a gate that lets everything pass and remembers it, a real store."""

from pathlib import Path

from codetools.core.access import CommandAccess, PathAccess
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.commit import Committed, commit
from codetools.files.files import Files
from codetools.files.prepare import prepare
from codetools.files.workspace import find_workspace
from codetools.state.journal import Journal
from codetools.state.store import open_store


class OpenGate:
    def __init__(self, denied: str = "") -> None:
        self.asked: list[PathAccess] = []
        self.denied = denied

    def path(self, access: PathAccess) -> None:
        self.asked.append(access)
        if self.denied and self.denied in access.reached:
            raise Failure("denied", "a rule denies it.")

    def may_show(self, access: PathAccess) -> bool:
        return not (self.denied and self.denied in access.reached)

    def command(self, access: CommandAccess) -> None:
        raise AssertionError(access)


def files_of(workspace: Path, limits: Limits | None = None, gate: OpenGate | None = None) -> Files:
    return Files(find_workspace(str(workspace)), gate or OpenGate(), limits or Limits())


def journal_of(home: Path) -> Journal:
    limits = Limits()
    return Journal(open_store(str(home / "state"), limits.lock_seconds), limits)


def commit_staged(files: Files, home: Path, session: str | None = None, undoes: str | None = None) -> Committed:
    return commit(prepare(files), journal_of(home), "test", session, undoes)


def tree_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
