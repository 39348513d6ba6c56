"""The ripgrep engine: where rg is, the arguments that do a job, and what its messages mean."""

import re

from codetools.core.errors import Failure
from codetools.search.child import descriptor_path
from codetools.search.globs import escape, last_names
from codetools.search.job import RULES_PATH, WITHHELD_PATH, Job, Program, Query, Scope
from codetools.search.notes import Note, Passed, Unread
from codetools.search.stuck import can_watch

NAME = "ripgrep"
SORT = ("--sort", "path")
CHOSEN = "codetools"  # the file type that stands for the globs to keep; the user's `--type` cannot name it

_IGNORED = r"^rg: DEBUG\|ignore::walk\|[^ ]* ignoring (.*): Ignore\(IgnoreMatch\((\w+)\((.*)$"
_KEPT = r"^rg: DEBUG\|ignore::walk\|[^ ]* whitelisting (.*): Whitelist\("
_LARGE = r"^rg: DEBUG\|ignore::walk\|[^ ]* ignoring (.*): \d+ bytes$"
_FROM = r'from: Some\("((?:[^"\\]|\\.)*)"\)'
_ODD = r"^rg: DEBUG\|rg::\w+\|[^ ]* ignoring (.*): failed to pass .*?is_symlink: (true|false)"
_UNREAD = r"^rg: (.*?): ([^:]*) \(os error \d+\)$"
_ERROR = r"^error: (.*)$"
_RULES = r"^(?:/dev/fd|/proc/self/fd)/(\./)?\d+$"


def find_ripgrep(inside: tuple[str, ...]) -> str | None:
    """Return the rg that was installed with us, else one on the clean PATH; `inside` are the workspace's roots."""
    from codetools.system.helper_path import find_helper

    return find_helper("rg", inside)


def ripgrep_program(rg: str, job: Job) -> Program:
    """Return the process that does a job. No configuration is read, nothing is preprocessed or unpacked."""
    scope, query = job.scope, job.query
    words = [rg, "--no-config", "--color=never", "--hidden"]
    if not scope.in_repository:
        words.append("--no-require-git")
    if job.explains:
        words.append("--debug")
    if job.is_sorted:
        words += SORT
    words += _scope_words(scope)
    words += ["--files", "-0"] if query is None else _query_words(job, query)
    can_be_watched = query is not None and not scope.is_file and can_watch()
    is_watched = can_be_watched and scope.most_file_bytes is not None and not job.is_bounded
    if scope.most_file_bytes is not None and query is not None and not scope.is_file and not is_watched:
        words.append(f"--max-filesize={scope.most_file_bytes}")
    words += ["--", *_places(scope)]
    texts = {RULES_PATH: scope.rules, WITHHELD_PATH: tuple(map(_any_case, scope.withheld))}
    return Program(
        argv=tuple(words),
        directory_fd=None if scope.is_file else scope.fd,
        inherited_fds=(scope.fd,) if scope.is_file else (),
        texts=tuple((place, "\n".join(lines) + "\n") for place, lines in texts.items() if place in words),
        watched_bytes=scope.most_file_bytes if is_watched else None,
        watches_lines=can_be_watched and job.output == "events",
        is_walled=not scope.is_file,
        may_choke=not scope.is_file and not scope.include_ignored,
    )


def ripgrep_note(line: str) -> Note | None:
    """Return what a line on standard error says about one entry, or None."""
    if line.startswith("rg: DEBUG|globset"):
        return None
    found = re.match(_IGNORED, line, re.DOTALL)
    if found:
        path, kind, rest = found.groups()
        source = re.search(_FROM, rest)
        if kind == "Gitignore" and source is not None:
            ours = re.match(_RULES, source[1])
            return Passed(_relative(path), "ignored" if ours is None else "withheld" if ours[1] else "default")
        return None
    if found := re.match(_KEPT, line, re.DOTALL):
        return Passed(_relative(found[1]), "kept")
    if found := re.match(_LARGE, line, re.DOTALL):
        return Passed(_relative(found[1]), "large")
    found = re.match(_ODD, line, re.DOTALL)
    if found:
        return Passed(_relative(found[1]), "link" if found[2] == "true" else "special")
    found = re.match(_UNREAD, line)
    if found:
        return Unread(_relative(found[1]), found[2])
    return None


def ripgrep_failure(errors: str) -> Failure:
    """Return the failure behind status 2: a pattern, glob or type that rg does not take."""
    reason = re.search(_ERROR, errors, re.MULTILINE)
    said = reason[1] if reason else next((line for line in errors.splitlines() if "|" not in line), "").strip()
    said = said.removeprefix("rg: ").rstrip(".")
    details = {"engine": NAME, "reason": errors.strip()[-2000:]}
    if "file type" in said:
        return Failure("usage", f"{said}.", "Use a glob, such as *.py, or a type of `rg --type-list`.", details)
    if "glob" in said:
        return Failure("usage", f"{said}.", "", details)
    return Failure("usage", f"the pattern does not parse: {said}.", _pattern_hint(errors), details)


def _scope_words(scope: Scope) -> list[str]:
    words: list[str] = []
    if scope.is_file:
        return ["--no-ignore"]
    if scope.withheld:
        words += ["--ignore-file", WITHHELD_PATH]
    if scope.include_ignored:
        words.append("--no-ignore")
    elif scope.rules:
        words += ["--ignore-file", RULES_PATH]
    words += ["--glob", "!.git"]
    for glob in scope.without:
        if not scope.below or "/" not in glob:  # else every path that comes back is asked about
            words += ["--glob", "!" + glob]
    for path in scope.skipped:
        words += ["--glob", "!/" + re.sub("[\ud800-\udfff]+", "*", escape(path))]
    if scope.depth is not None:
        words.append(f"--max-depth={scope.depth}")
    if scope.type is not None:
        words.append(f"--type={scope.type}")
    else:
        kept = [_any_case(name) for name in scope.names] or [
            name for glob in scope.only for name in last_names(glob.rstrip("/") + "/**" * glob.endswith("/"))
        ]
        if kept and "*" not in kept:
            for name in kept:
                words += ["--type-add", f"{CHOSEN}:{name}"]
            words.append(f"--type={CHOSEN}")
    return words


def _places(scope: Scope) -> tuple[str, ...]:
    if scope.is_file:
        return (descriptor_path(scope.fd),)
    return tuple(f"./{path}" for path in scope.paths) or ("./",)


def _query_words(job: Job, query: Query) -> list[str]:
    words = ["--crlf"]
    if job.has_binary:
        words.append("--binary")
    words.append({"sensitive": "--case-sensitive", "insensitive": "--ignore-case", "smart": "--smart-case"}[query.case])
    if query.is_literal:
        words.append("--fixed-strings")
    if query.is_word:
        words.append("--word-regexp")
    if query.is_inverted:
        words.append("--invert-match")
    if query.is_multiline:
        words.append("--multiline")
    if job.output == "events":
        words += ["--json", f"--before-context={query.before}", f"--after-context={query.after}"]
    else:
        words += ["--files-with-matches" if job.output == "paths" else "--count", "-0", "--with-filename"]
    if job.most_per_file is not None:
        words.append(f"--max-count={job.most_per_file}")
    return [*words, "-e", query.pattern]


def _any_case(name: str) -> str:
    """Return a glob of one name that matches it in any case; a file type has no option for that."""
    out, in_class, escaped = "", False, False
    for character in name:
        if character.isalpha() and not in_class and not escaped and character.lower() != character.upper():
            out += f"[{character.lower()}{character.upper()}]"
        else:
            out += character
        in_class = (in_class or character == "[") and character != "]"
        escaped = character == "\\" and not escaped
    return out


def _relative(path: str) -> str:
    return path.removeprefix("./")


def _pattern_hint(errors: str) -> str:
    if "multiline mode" in errors:
        return r"Set multiline to match across lines."
    if "look-around" in errors or "backreference" in errors:
        return "Patterns are matched in linear time: no look-around, no backreferences."
    return "To look for this very text, set literal."
