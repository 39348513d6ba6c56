"""What a command sees of our environment: the caller's own for an approved one, next to nothing for a reading one."""

import os
import re
from collections.abc import Mapping

from codetools.config.glob import match_name
from codetools.core.record import Record
from codetools.system.helper_path import SYSTEM_DIRECTORIES

UNATTENDED = {
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "SYSTEMD_PAGER": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "false",
    "EDITOR": "false",
    "VISUAL": "false",
    "TERM": "dumb",
    "CODETOOLS_LOCK": "1",  # a call made below a command cannot be looser than this one
}
GIT_ALONE = {  # of a command that only reads: neither the user's settings for git nor the machine's take part
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_START_UP = frozenset({"BASH_ENV", "ENV", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD", "CDPATH", "PS4"})
_FUNCTION = "BASH_FUNC_"
_SECRET_NAME = (
    r"(^|_)(API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASS|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|JWT|PAT)(_|$)"
    r"|(PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|CREDENTIALS)$"
)
_SECRET_VALUE = (
    r"gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{15}|sk-[\w-]{20}|xox[abprs]-[\w-]{10}|(AKIA|ASIA)[A-Z0-9]{16}"
    r"|AIza[\w-]{30}|npm_\w{30}|hf_\w{30}|pypi-\w{20}|dop_v1_\w{20}|[rs]k_(live|test)_\w{20}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:[^/\s@]+@"
)


class Environment(Record):
    """Variables for a command, and the names of those that were kept from it."""

    variables: dict[str, str]
    dropped: tuple[str, ...] = ()


def approved_environment(caller: Mapping[str, str], keep: tuple[str, ...]) -> Environment:
    """Return the caller's environment without secrets and shell start-up hooks, set so that no program waits.

    `keep` holds names or patterns of variables to pass on although they look like secrets. PATH loses its empty and
    relative elements.
    """
    variables: dict[str, str] = {}
    dropped: list[str] = []
    for name, value in caller.items():
        is_hook = name in _START_UP or name.startswith(_FUNCTION)
        is_kept = any(match_name(pattern, name) for pattern in keep)
        if is_hook or (_is_secret(name, value) and not is_kept):
            dropped.append(name)
        else:
            variables[name] = value
    elements = [element for element in caller.get("PATH", "").split(os.pathsep) if os.path.isabs(element)]
    variables["PATH"] = os.pathsep.join(elements or SYSTEM_DIRECTORIES)
    return Environment({**variables, **UNATTENDED}, tuple(sorted(dropped)))


def reading_environment(caller: Mapping[str, str]) -> Environment:
    """Return the environment of a command that only reads: language, time zone and the system's own PATH."""
    variables = {
        name: value
        for name, value in caller.items()
        if (name in ("LANG", "LANGUAGE", "TZ") or name.startswith("LC_")) and _is_harmless(value)
    }
    return Environment({**variables, **GIT_ALONE, "PATH": os.pathsep.join(SYSTEM_DIRECTORIES), "TERM": "dumb"})


def _is_secret(name: str, value: str) -> bool:
    if name.startswith("CODETOOLS_"):
        return False
    return bool(re.search(_SECRET_NAME, name.upper()) or re.search(_SECRET_VALUE, value))


def _is_harmless(value: str) -> bool:
    return all(character.isalnum() or character in "_.@-:" for character in value) and not value.startswith(":")
