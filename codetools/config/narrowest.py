"""The rule to suggest when somebody says "always": the narrowest that would have let this through."""

from codetools.config.command_pattern import quote_words
from codetools.config.glob import escape
from codetools.core.access import PathAccess
from codetools.core.path import Path

# programs whose words or input are themselves a program
_RUNS_ANYTHING = frozenset(
    """ash bash busybox chroot chrt command csh dash doas docker env eval exec expect fish flock gdb ionice kubectl ksh
    ltrace nice nohup npx parallel pipx pkexec podman runuser script setpriv setsid sh source ssh stdbuf strace su sudo
    systemd-run tcsh time timeout tmux unshare uvx watch xargs zsh""".split()
)
_INTERPRETERS = ("Rscript", "awk", "gawk", "lua", "mawk", "node", "perl", "php", "pypy", "python", "ruby", "tclsh")
_CODE_FLAGS = ("-c", "-e", "-E", "-r", "-p", "--eval", "--print", "-")


def narrowest_path_rule(tool: str, access: PathAccess) -> str:
    """Return the rule that allows this tool this one path, or an empty string where no rule can say it."""
    if access.written != access.reached or not Path(access.written).is_utf8 or "\n" in access.written:
        return ""
    if not access.inside:
        return f"{tool}({_pattern(access.written)})"
    relative = access.written[len(access.root) :].lstrip("/")
    start = "./" if relative.startswith("~") else ""
    return f"{tool}({start}{_pattern(relative)})" if relative else ""


def narrowest_command_rule(tool: str, words: tuple[str, ...] | None) -> str:
    """Return the rule that allows exactly these words, or an empty string.

    There is none for a script of several commands, nor for a program whose words are themselves a program.
    """
    if not words or not all(Path(word).is_utf8 and "\n" not in word for word in words):
        return ""
    program = words[0].rpartition("/")[2]
    if program in _RUNS_ANYTHING:
        return ""
    is_interpreter = program.rstrip("0123456789.") in _INTERPRETERS
    if is_interpreter and (len(words) == 1 or any(word in _CODE_FLAGS for word in words)):
        return ""
    return f"{tool}({quote_words(words)})"


def _pattern(path: str) -> str:
    return escape(path).replace("{", "\\{")
