"""The rule to suggest when somebody says "always": the narrowest that would have let this through."""

from codetools.config.command_pattern import quote_words
from codetools.config.glob import escape
from codetools.core.access import CommandPart, PathAccess
from codetools.core.path import Path

# programs whose words or input are themselves a program
_RUNS_ANYTHING = frozenset(
    """ash bash busybox chroot chrt command csh dash doas docker env eval exec expect fish flock gdb ionice kubectl ksh
    ltrace nice nohup npx parallel pipx pkexec podman runuser script setpriv setsid sh source ssh stdbuf strace su sudo
    systemd-run tcsh time timeout tmux unshare uvx watch xargs zsh""".split()
)
_INTERPRETERS = ("Rscript", "awk", "gawk", "lua", "mawk", "node", "perl", "php", "pypy", "python", "ruby", "tclsh")


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

    There is none for a script of several commands, nor for a wrapper or an interpreter, which run anything.
    """
    if not words or not all(Path(word).is_utf8 and "\n" not in word for word in words):
        return ""
    program = words[0].rpartition("/")[2]
    if program in _RUNS_ANYTHING:
        return ""
    if program.rstrip("0123456789.") in _INTERPRETERS:
        return ""
    return f"{tool}({quote_words(words)})"


def narrowest_rule_for_parts(tool: str, asking: tuple[CommandPart, ...]) -> str:
    """Return the one rule that allows all parts of a command that are asked about, or an empty string."""
    different = {(part.assigned, part.words, part.writes, part.is_harmless): part for part in asking}
    if len(different) != 1:
        return ""
    part = next(iter(different.values()))
    if part.known is not None or part.is_opaque or part.is_guess:
        return ""
    if part.writes:
        is_all = part.is_harmless and len(part.writes) == 1
        return narrowest_path_rule("edit", part.writes[0]) if is_all else ""
    if not narrowest_command_rule(tool, part.words):
        return ""
    return narrowest_command_rule(tool, (*part.assigned, *part.words))


def _pattern(path: str) -> str:
    return escape(path).replace("{", "\\{")
