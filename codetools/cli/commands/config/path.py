"""Says where the settings files and the state lie."""

import os
from typing import Literal

from codetools.cli.handmade import WHERE, handmade
from codetools.config.places import allowed_file, chosen_user_file, default_user_file, project_file
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.engine import with_environment
from codetools.engine.options import Options
from codetools.files.workspace import find_workspace
from codetools.state.home import state_home


class Params(Record):
    """Which place."""

    which: Annotated[
        Literal["user", "allowed", "project", "state"] | None, Arg("Only this path, bare.", positional=True)
    ] = None


class Place(Record):
    """One place, and whether something is there."""

    name: str
    path: Path
    exists: bool


class Places(Result):
    """Where everything lies."""

    places: tuple[Place, ...]
    bare: bool

    def text(self) -> str:
        """Return a line per place, or the one path that was asked for."""
        if self.bare:
            return "\n".join(place.path for place in self.places)
        return "\n".join(f"{place.name:8} {place.path}{'' if place.exists else ' (none)'}" for place in self.places)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        if self.bare:
            return tuple((Span(place.path, "path"),) for place in self.places)
        return tuple(
            (
                Span(place.name),
                Span("", "column"),
                Span(place.path, "path"),
                Span("" if place.exists else " (none)", "dim"),
            )
            for place in self.places
        )


@handmade(examples=("codetools config path", '"$EDITOR" "$(codetools config path user)"'), options=WHERE)
def path(params: Params, options: Options) -> Places:
    """Show where the user's settings, allowed.yaml, the project's settings and the state directory lie."""
    options = with_environment(options)
    chosen = chosen_user_file(options.config)
    workspace = find_workspace(options.directory, options.root)
    found: dict[str, str | None] = {
        "user": chosen or default_user_file(),
        "allowed": allowed_file(chosen, workspace.root),
        "project": project_file(workspace.root) if workspace.is_bounded else None,
        "state": state_home(),
    }
    wanted = [params.which] if params.which else list(found)
    places = ((name, found[name]) for name in wanted)
    return Places(
        tuple(Place(name, Path(place), os.path.lexists(place)) for name, place in places if place is not None),
        params.which is not None,
    )
