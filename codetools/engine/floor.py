"""What a call that runs commands holds its descendants to: a `codetools` below it cannot be looser than it is.

The floor lies in the state directory under the process that laid it, where an ancestor is found by its number: the
environment and the arguments of a child are its own to change, its ancestors are not. Floors of dead processes go when
the next one is laid.
"""

import json
import os
from typing import Any

from codetools.config.rules import Rule, parse_rule
from codetools.config.settings import Settings
from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.built_in import BUILT_IN
from codetools.engine.lock import ancestors, started_at
from codetools.files.workspace import Root, Workspace
from codetools.state.durable import remove_quietly, replace_file
from codetools.state.home import make_directory
from codetools.system.confined import below

MOST_BYTES = 1 << 20
ORIGIN = "the call above"
NAME_LISTS = ("secrets", "protected", "banned_commands")
SANDBOXES = ("auto", "workspace", "require")  # from the loosest


class Floor(Record):
    """What held for a call above: its settings file, session, trees and denials, and whether it could only read."""

    config: Path | None
    session: str | None
    read_only: bool
    roots: tuple[Root, ...]
    denials: tuple[Rule, ...]
    names: tuple[tuple[str, ...], ...] = ((), (), ())  # what the settings listed under NAME_LISTS
    sandbox: str = SANDBOXES[0]
    network: bool = True

    def tighten(self, settings: Settings) -> Settings:
        """Return settings that are nowhere looser than those of the call above; exceptions are not handed down."""
        added = {
            key: (*getattr(settings, key), *(name for name in names if _is_news(name, getattr(settings, key))))
            for key, names in zip(NAME_LISTS, self.names, strict=True)
        }
        shell = settings.shell
        sandbox = max(shell.sandbox, self.sandbox, key=SANDBOXES.index)
        return settings.but(**added, shell=shell.but(sandbox=sandbox, network=shell.network and self.network))

    def confine(self, workspace: Workspace) -> Workspace:
        """Return a workspace without what the call above could not touch unasked; outside it everything is asked."""
        kept = tuple(root for each in workspace.roots if (root := self._kept(each)) is not None)
        is_bounded = workspace.is_bounded and any(root.path == workspace.root for root in kept)
        return workspace.but(roots=kept, is_bounded=is_bounded)

    def _kept(self, root: Root) -> Root | None:
        holders = [other for other in self.roots if below(root.path, other.path)]
        deepest = max(holders, key=lambda other: len(other.path), default=None)
        return root.but(writable=root.writable and deepest.writable) if deepest is not None else None


def _is_news(name: str, known: tuple[str, ...]) -> bool:
    return name not in known and not name.startswith("!")


def lay_floor(home: str, floor: Floor, process: int) -> None:
    """Write down what holds for the descendants of a process of ours, before it has one; raise `io`."""
    directory = os.path.join(home, "floors")
    make_directory(home)
    make_directory(directory)
    for name in os.listdir(directory):
        number, _, _ = name.partition("-")
        if number.isdigit() and f"{number}-{started_at(int(number))}" != name:
            remove_quietly(os.path.join(directory, name))
    content = json.dumps(
        {
            "config": floor.config,
            "session": floor.session,
            "read_only": floor.read_only,
            "roots": [[root.path, root.writable] for root in floor.roots],
            "denials": [[rule.text, rule.anchor] for rule in floor.denials],
            "names": floor.names,
            "sandbox": floor.sandbox,
            "network": floor.network,
        }
    )
    replace_file(_place(home, process), content.encode("ascii"), durable=False)


def floors_above(home: str) -> tuple[Floor, ...]:
    """Return what the calls above hold us to, the nearest first; raise `denied` where that is not known."""
    found = []
    for process in ancestors():
        path = _place(home, process)
        try:
            with open(path, encoding="ascii") as file:
                values = json.loads(file.read(MOST_BYTES))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise Failure("denied", f"what holds below the call above cannot be read: {error}.") from None
        found.append(_floor(values))
    if not found:
        raise Failure("denied", "the call above this one left no word of what holds here.")
    return tuple(found)


def _place(home: str, process: int) -> str:
    return os.path.join(home, "floors", f"{process}-{started_at(process)}")


def _floor(values: dict[str, Any]) -> Floor:
    known = BUILT_IN.names()
    return Floor(
        config=Path(values["config"]) if values["config"] is not None else None,
        session=values["session"],
        read_only=values["read_only"],
        roots=tuple(Root(Path(path), writable) for path, writable in values["roots"]),
        denials=tuple(parse_rule(text, "deny", ORIGIN, known, anchor=anchor) for text, anchor in values["denials"]),
        names=tuple(tuple(names) for names in values["names"]),
        sandbox=values["sandbox"],
        network=values["network"],
    )
