"""`allowed.yaml`: the rules a person gave codetools to keep, mostly by "always"; the user may read and edit it."""

import os
from collections.abc import Callable
from typing import Any

from codetools.config.settings import RULE_LISTS
from codetools.config.source import read_source
from codetools.core.errors import Failure
from codetools.state.durable import replace_file
from codetools.state.home import DIRECTORY_MODE
from codetools.state.lockfile import Lock

LOCK_SECONDS = 5.0
_HEADING = "# Rules given by 'always' or 'codetools permissions allow|deny'; codetools rewrites this file.\n"
ALLOWED, DENIED = RULE_LISTS


def allowed_rules(path: str | None, name: str = ALLOWED) -> tuple[str, ...]:
    """Return the rules of the file at `path`, oldest first; raise `config` for a broken one.

    `name` is the list: the rules that allow, or `DENIED`.
    """
    content = read_source(path) if path is not None else None
    if content is None:
        return ()
    from codetools.config.strict import parse_strict

    values, _ = parse_strict(content, str(path))
    return _rules(values, name, path)


def add_rule(path: str | None, rule: str, name: str = ALLOWED) -> bool:
    """Add a rule, durably; False where it was there. `path` is `Config.allowed_path`; None raises `config`."""
    return _change(path, name, lambda rules: rules if rule in rules else (*rules, rule))


def remove_rule(path: str | None, rule: str, name: str = ALLOWED) -> bool:
    """Take a rule out, durably; False where it was not there."""
    return _change(path, name, lambda rules: tuple(other for other in rules if other != rule))


def _rules(values: Any, name: str, path: str | None) -> tuple[str, ...]:
    rules = (values.get(name) or []) if isinstance(values, dict) else values or []
    if (
        not isinstance(values, dict | None)
        or not isinstance(rules, list)
        or not all(isinstance(rule, str) for rule in rules)
    ):
        raise Failure("config", f"{path}: not a list of rules under '{name}'.", "Repair or remove it.")
    return tuple(rules)


def _change(path: str | None, name: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> bool:
    if path is None:
        message = (
            "The settings file given by --config lies where others can write: nothing is allowed always beside it."
        )
        raise Failure("config", message, "Write the rule into that file.")
    try:
        os.makedirs(os.path.dirname(path), DIRECTORY_MODE, exist_ok=True)
    except OSError as error:
        raise Failure("io", f"{os.path.dirname(path)}: {error.strerror}.") from None
    target = os.path.realpath(path)  # a link of the user's, to a place under version control, stays one
    with Lock(f"{path}.lock", LOCK_SECONDS):
        lists = {each: allowed_rules(path, each) for each in RULE_LISTS}
        before, after = lists[name], change(lists[name])
        if after != before:
            written = {ALLOWED: lists[ALLOWED], DENIED: lists[DENIED], name: after}
            text = "".join(_written(each, rules) for each, rules in written.items() if rules or each == ALLOWED)
            replace_file(target, f"{_HEADING}{text}".encode())
    return after != before


def _written(name: str, rules: tuple[str, ...]) -> str:
    lines = "".join(f"  - {_quoted(rule)}\n" for rule in rules)
    return f"{name}:\n{lines}" if rules else f"{name}: []\n"


def _quoted(text: str) -> str:
    """Return a YAML string: JSON's escapes of astral characters would not be one."""
    shown = ("\\" + c if c in '"\\' else c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
    return '"' + "".join(shown) + '"'
