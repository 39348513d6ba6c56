"""Commands that do nothing by themselves, whatever the variables in their words hold: they need no rule."""

import re

from codetools.shell.analysis.found import Assignment, Found, Word
from codetools.shell.analysis.reading import is_plain_format

_ANY_WORDS = frozenset(": true false echo".split())
_FLOW = frozenset("exit return break continue shift".split())
_SHELL_OPTIONS = frozenset("pipefail errexit nounset xtrace noglob errtrace".split())
_ASKS_ONE = frozenset("-e -f -d -s -r -w -x -L -h -n -z -b -c -p -S -O -G -k -u -g -t".split())
_ASKS_TWO = frozenset("= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef =~".split())
_COUNTS = frozenset("-eq -ne -lt -le -gt -ge".split())  # arithmetic within [[ ]]
_JOINTS = frozenset("&& || ( ) !".split())
_NAMES_A_PATH = re.compile(r"[*?\[~]")
_OWN_VARIABLE = re.compile(r"[a-z_][a-z0-9_]*")  # of the script alone: programs read names in capitals
_READ_BY_PROGRAMS = ("npm_", "pnpm_", "yarn_")  # beginnings; exported by whoever started us, they stay exported
_READ_BY_MANY = frozenset("http_proxy https_proxy ftp_proxy all_proxy no_proxy rsync_proxy histchars".split())
_HARMLESS_VARIABLES = frozenset(
    """CI DEBUG VERBOSE NODE_ENV RAILS_ENV RACK_ENV APP_ENV FLASK_ENV DJANGO_ENV MIX_ENV GOOS GOARCH CGO_ENABLED
    RUST_BACKTRACE RUST_LOG LOG_LEVEL NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES TERM LANG LANGUAGE
    LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME TZ PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE
    PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 SOURCE_DATE_EPOCH PORT IFS""".split()
)


def does_nothing(found: Found) -> bool:
    """Whether a command without redirections does nothing but speak, ask or direct the script itself."""
    if not all(is_harmless_variable(each.name) for each in found.assigned):
        return False
    if not found.words:
        return not found.trouble
    program, operands = found.program(), found.words[1:]
    if program in _ANY_WORDS:
        return not any(word.kind == "many" and _NAMES_A_PATH.search(word.text) for word in operands)
    if program == "printf":
        starts_plain = bool(operands) and operands[0].is_static and is_plain_format(operands[0].text)
        return starts_plain and not any(_NAMES_A_PATH.search(word.text) for word in operands if word.kind == "many")
    if program == "wait":
        return all(word.text == "$!" or word.text.isdigit() for word in operands)
    if program in _FLOW:
        return all(word.kind == "one" or word.text in ("$?", "") or word.text.isdigit() for word in operands)
    if program == "[[":
        return found.is_question and _is_plain_question(operands[:-1])
    if program == "[" and operands and operands[-1].text == "]":
        return _is_question(operands[:-1])
    if program == "test":
        return _is_question(operands)
    if not all(word.is_static for word in operands):
        return program in ("export", "local") and _sets_harmless(operands, is_exported=program == "export")
    texts = [word.text for word in operands]
    if program == "set":
        return bool(texts) and all(re.fullmatch(r"[-+][euxoEfT]+", text) or text in _SHELL_OPTIONS for text in texts)
    if program in ("export", "local"):
        return bool(texts) and _sets_harmless(operands, is_exported=program == "export")
    if program == "read":
        return bool(texts) and all(text == "-r" or is_harmless_variable(text) for text in texts)
    if program in ("command", "type", "which", "hash"):
        names = texts[1:] if program == "command" else texts
        is_asking = program in ("type", "which") or texts[:1] in (["-v"], ["-V"])
        return is_asking and bool(names) and all(re.fullmatch(r"[\w.+-]*\w", name) for name in names)
    return False


def is_harmless_variable(name: str, *, is_exported: bool = False) -> bool:
    """Whether no program runs or loads something because this variable is set; one of the script's own is not seen."""
    if name in _HARMLESS_VARIABLES:
        return True
    is_own = not is_exported and _OWN_VARIABLE.fullmatch(name) is not None
    return is_own and name not in _READ_BY_MANY and not name.startswith(_READ_BY_PROGRAMS)


def harmful(assigned: tuple[Assignment, ...], *, is_exported: bool) -> tuple[str, ...]:
    """Return the assignments that may change what a command does, as they are written."""
    return tuple(each.text() for each in assigned if not is_harmless_variable(each.name, is_exported=is_exported))


def _sets_harmless(operands: tuple[Word, ...], *, is_exported: bool) -> bool:
    for word in operands:
        name, equals, _ = word.text.partition("=")
        if not is_harmless_variable(name, is_exported=is_exported) or (word.kind == "many" and not equals):
            return False
    return True


def _is_question(operands: tuple[Word, ...]) -> bool:
    """Whether `test` asks one thing: the builtin evaluates what stands behind -v, wherever a variable may put it."""
    if operands and operands[0].text == "!" and operands[0].is_static:
        operands = operands[1:]
    if any(word.kind == "many" and word.text not in ("$?", "$#", "$$") for word in operands):
        return False
    if len(operands) == 2:
        return operands[0].is_static and operands[0].text in _ASKS_ONE
    if len(operands) == 3:
        return operands[1].is_static and operands[1].text in _ASKS_TWO
    return len(operands) == 1


def _is_plain_question(operands: tuple[Word, ...]) -> bool:
    """Whether `[[ … ]]` evaluates nothing: no arithmetic, and no name of a variable."""
    known = _ASKS_ONE | _ASKS_TWO | _JOINTS
    for word in operands:
        if word.is_static and word.text.startswith("-") and (word.text not in known or word.text in _COUNTS):
            return False
    return not any(word.text in _COUNTS or word.text in ("-v", "-R") for word in operands)
