"""The settings of one call, from the files, the environment and the command line; nothing is read that need not be."""

import os
from collections.abc import Callable, Collection
from typing import Any, Literal

from codetools.config.layers import Layered, Origin, merge
from codetools.config.places import allowed_file, chosen_user_file, default_user_file, private_paths, project_file
from codetools.config.rules import Rule, parse_rule
from codetools.config.settings import Settings
from codetools.config.source import Layer, Source, read_source
from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.core.record import Record

_SWITCHES = (("CODETOOLS_YOLO", "yolo"), ("CODETOOLS_IMAGES", "images"))


class Config(Record):
    """What holds for a call. `origins` lists what each layer set, applied or not; built-in values are not in it.

    `sources` are the settings files that were looked for; `allowed_path` is where "always" is written, if anywhere.
    `private` are the user's own settings files and their directory, wherever links to them lead.
    """

    settings: Settings
    rules: tuple[Rule, ...] = ()
    origins: tuple[Origin, ...] = ()
    notices: tuple[Notice, ...] = ()
    sources: tuple[Source, ...] = ()
    allowed_path: Path | None = None
    private: tuple[str, ...] = ()

    def origin(self, key: str) -> str:
        """Return where a setting's value comes from: a file, a variable, `command line`, or `default`."""
        return next(
            (origin.origin for origin in reversed(self.origins) if origin.key == key and origin.is_applied), "default"
        )


def load_config(
    home: str,
    root: str | None,
    user_file: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    known_tools: Callable[[], Collection[str]],
) -> Config:
    """Read every layer; raise `config` for a file that cannot be read or understood, never taking it for "no rules".

    `root` is the workspace's, None where there is none to take a project's settings from. `user_file` is that of
    `--config`; `allow` and `deny` are the rules of the command line, whose errors are `usage`.
    """
    chosen = chosen_user_file(user_file)
    allowed = allowed_file(chosen, root)
    files = _Files(home, root, known_tools)
    files.add("user", chosen or default_user_file(), must_exist=chosen is not None)
    if allowed is not None:
        files.add("allowed", allowed)
    if root is not None:
        files.add("project", project_file(root))
    layers = [*files.layers, *_environment(), *_command_line(allow, deny)]
    settings, origins = merge(layers) if layers else (Settings(), ())
    rules = _rules(layers, origins, root, known_tools)
    return Config(
        settings,
        rules,
        origins,
        _notices(origins, files.layers),
        tuple(files.sources),
        allowed,
        private_paths(chosen),
    )


class _Files:
    """The settings files as they are read."""

    def __init__(self, home: str, root: str | None, known_tools: Callable[[], Collection[str]]) -> None:
        self._home = home
        self._root = root
        self._known_tools = known_tools
        self.sources: list[Source] = []
        self.layers: list[Layered] = []

    def add(self, layer: Layer, path: Path, *, must_exist: bool = False) -> None:
        content = read_source(path, self._root if layer == "project" else None)
        if content is None:
            if must_exist:
                raise Failure("config", f"{path}: no such settings file.")
            self.sources.append(Source(layer, path))
            return
        from hashlib import sha256

        digest = sha256(content).hexdigest()
        is_trusted = layer != "project" or self._is_trusted(path, digest)
        self.sources.append(Source(layer, path, digest, is_trusted))
        self.layers.append(Layered(layer, path, self._values(layer, path, content, digest), is_trusted))

    def _values(self, layer: Layer, path: Path, content: bytes, digest: str) -> dict[str, Any]:
        from codetools.config.cache import cached, remember

        is_cached = self._root is None or not f"{self._home}/".startswith(self._root.rstrip("/") + "/")
        values = cached(self._home, layer, digest) if is_cached else None
        if values is None:
            from codetools.config.parse import parse_settings

            values = parse_settings(content, path, layer, self._known_tools())
            if is_cached:
                remember(self._home, layer, digest, values)
        return values

    def _is_trusted(self, path: Path, digest: str) -> bool:
        from codetools.state.trust import is_trusted

        return is_trusted(self._home, path, digest)


def _environment() -> list[Layered]:
    found: list[Layered] = []
    for variable, key in _SWITCHES:
        value = os.environ.get(variable, "")
        if value not in ("", "0", "1"):
            raise Failure("config", f"{variable} is {value!r}, not 0 or 1.")
        if value:
            found.append(Layered("environment", variable, {key: value == "1"}))
    return found


def _command_line(allow: tuple[str, ...], deny: tuple[str, ...]) -> list[Layered]:
    values = {"allowed_tools": list(allow), "denied_tools": list(deny)}
    given = {key: rules for key, rules in values.items() if rules}
    return [Layered("command line", "command line", given)] if given else []


def _rules(
    layers: list[Layered], origins: tuple[Origin, ...], root: str | None, known_tools: Callable[[], Collection[str]]
) -> tuple[Rule, ...]:
    kinds = {layer.origin: layer.kind for layer in layers}
    effects: dict[str, Literal["allow", "deny"]] = {"allowed_tools": "allow", "denied_tools": "deny"}
    found: list[Rule] = []
    for origin in origins:
        if origin.key not in effects or not origin.is_applied:
            continue
        kind = kinds[origin.origin]
        for text in origin.value:
            try:
                rule = parse_rule(
                    text,
                    effects[origin.key],
                    origin.origin,
                    known_tools(),
                    is_users=kind != "project",
                    anchor=root,
                )
            except Failure as failure:
                kind_of_failure = "usage" if kind == "command line" else failure.kind
                raise Failure(kind_of_failure, failure.message, failure.hint) from None
            found.append(rule)
    return tuple(found)


def _notices(origins: tuple[Origin, ...], layers: list[Layered]) -> tuple[Notice, ...]:
    found: list[Notice] = []
    for layer in layers:
        ignored = [origin for origin in origins if origin.origin == layer.origin and not origin.is_applied]
        if ignored:
            reasons = dict.fromkeys(origin.reason for origin in ignored)
            parts = [f"{_keys(ignored, reason)} ({reason})" for reason in reasons]
            found.append(Notice("config", f"{layer.origin}: ignored {', '.join(parts)}."))
    return tuple(found)


def _keys(ignored: list[Origin], reason: str) -> str:
    return ", ".join(dict.fromkeys(origin.key for origin in ignored if origin.reason == reason))
