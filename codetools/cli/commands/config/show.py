"""Prints every setting with where its value comes from."""

import json
from collections.abc import Iterator
from typing import Any

from codetools.cli.handmade import WHERE, handmade
from codetools.config.load import Config
from codetools.config.servers import server_of, shown
from codetools.core.arg import Annotated, Arg
from codetools.core.dump import dump
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options

DEFAULT = "default"


class Params(Record):
    """Which settings."""

    names: Annotated[tuple[str, ...], Arg("Only these, such as limits.read_lines.", positional=True)] = ()
    changed: Annotated[bool, Arg("Leave out settings that have their default.")] = False


class Setting(Record):
    """One setting; `value` is JSON. A list that several layers add to has several origins."""

    name: str
    value: str
    origins: tuple[str, ...]


class Ignored(Record):
    """What a layer says and what does not count, with the reason."""

    name: str
    value: str
    origin: str
    reason: str


class Shown(Result):
    """The settings in force: `settings` as they are nested in a file, `origins` one by one."""

    settings: dict[str, Any]
    origins: tuple[Setting, ...]
    ignored: tuple[Ignored, ...]

    def text(self) -> str:
        """Return one line per setting, as YAML would have it, its origin as a comment."""
        lines = [f"{row.name}: {row.value}  # {', '.join(row.origins)}" for row in self.origins]
        return "\n".join([*lines, *(_said(row) for row in self.ignored)])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same with its parts set apart."""
        lines = tuple(
            (Span(row.name, "path"), Span(f": {row.value}  "), Span(f"# {', '.join(row.origins)}", "dim"))
            for row in self.origins
        )
        return (*lines, *((Span(_said(row), "warning"),) for row in self.ignored))


@handmade(examples=("codetools config show", "codetools config show limits.read_lines --json"), options=WHERE)
def show(params: Params, options: Options) -> Shown:
    """Show every setting in force, and where its value comes from.

    Scalars are those of the last layer that sets them, lists add up. The layers: built-in values, the user's settings,
    allowed.yaml, the project's settings, the environment, the command line. What a project that is not trusted may not
    set is shown with the reason.
    """
    config = start(options).config
    settings = {**dump(config.settings), "mcp": {server.name: shown(server) for server in config.settings.mcp}}
    rows = [Setting(name, json.dumps(value), _origins(config, name)) for name, value in _flat(settings, "")]
    if params.names:
        _refuse_unknown(params.names, [row.name for row in rows])
        rows = [row for row in rows if any(_is_below(row.name, name) for name in params.names)]
    if params.changed:
        rows = [row for row in rows if row.origins != (DEFAULT,)]
    ignored = tuple(
        Ignored(origin.key, json.dumps(_printable(origin.key, origin.value)), origin.origin, origin.reason)
        for origin in config.origins
        if not origin.is_applied and (not params.names or any(_is_below(origin.key, name) for name in params.names))
    )
    return Shown(settings, tuple(rows), ignored)


def _flat(values: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict) and value and prefix != "mcp.":
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _printable(key: str, value: Any) -> Any:
    name = key.removeprefix("mcp.")
    return value if name == key else shown(server_of(name, value))


def _origins(config: Config, name: str) -> tuple[str, ...]:
    set_by = [origin for origin in config.origins if origin.key == name and origin.is_applied]
    if not set_by:
        return (DEFAULT,)
    if isinstance(set_by[-1].value, tuple):
        from codetools.config.layers import default_of

        built_in = (DEFAULT,) if default_of(name) else ()
        return (*built_in, *dict.fromkeys(origin.origin for origin in set_by))
    return (set_by[-1].origin,)


def _is_below(name: str, wanted: str) -> bool:
    return name == wanted or name.startswith(f"{wanted}.")


def _refuse_unknown(wanted: tuple[str, ...], known: list[str]) -> None:
    from codetools.core.errors import Failure
    from codetools.core.suggest import nearest

    for name in wanted:
        if not any(_is_below(other, name) for other in known):
            near = nearest(name, known)
            hint = f"Did you mean {near}?" if near else "See: codetools config show"
            raise Failure("usage", f"config show: there is no setting {name!r}.", hint)


def _said(row: Ignored) -> str:
    return f"# not followed: {row.name}: {row.value} of {row.origin}: {row.reason}"
