"""The rules of `allowed_tools` and `denied_tools`: `tool`, `tool(glob)`, `bash(prefix:*)`, `mcp__server__*`."""

import os
from collections.abc import Collection
from typing import Literal

from codetools.config.command_pattern import command_matches, command_may_match, first_word, parse_command_pattern
from codetools.config.glob import escape, is_literal, literal, match_name, match_path
from codetools.core.access import PathAccess
from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record

COMMAND_TOOLS = ("bash", "exec")
MAX_RULE_CHARS = 4096
_MCP = "mcp__"


class Rule(Record):
    """One rule. `origin` is the file, or `command line`, `session`; `is_users` where it is the user's own word.

    `pattern` is None for a whole tool; for commands as written; for paths `/absolute`, `./anchored/at/the/root`, or a
    bare `name`. `anchor` is the root that relative patterns start from; None is whichever root holds the path.
    `reached` is a denied `/absolute` pattern with the links of its literal beginning followed, where there are any.
    """

    text: str
    tool: str
    pattern: str | None
    effect: Literal["allow", "deny"]
    origin: str
    is_users: bool = True
    anchor: Path | None = None
    reached: str | None = None


def parse_rule(
    text: str,
    effect: Literal["allow", "deny"],
    origin: str,
    known_tools: Collection[str],
    *,
    is_users: bool = True,
    anchor: str | None = None,
) -> Rule:
    """Read one rule; raise `config` for a malformed one or an unknown tool, naming the nearest."""
    tool, pattern = _split(text, origin)
    if not tool.startswith(_MCP) and tool not in known_tools:
        from codetools.core.suggest import nearest

        near = nearest(tool, list(known_tools))
        hint = f"Did you mean '{near}'?" if near else f"Known: {', '.join(sorted(known_tools))}."
        raise Failure("config", f"{origin}: rule '{text}' names the unknown tool '{tool}'.", hint)
    if tool.startswith(_MCP):
        _check_mcp(text, tool, pattern, effect, origin)
    elif pattern is not None and tool in COMMAND_TOOLS:
        parse_command_pattern(pattern, lambda what: _malformed(text, origin, what), is_allowing=effect == "allow")
    elif pattern is not None:
        pattern = _normal(pattern, text, origin)
    is_denied_place = effect == "deny" and tool not in COMMAND_TOOLS and pattern is not None and pattern[0] == "/"
    reached = _reached(pattern) if is_denied_place and pattern is not None else None
    return Rule(text, tool, pattern, effect, origin, is_users, Path(anchor) if anchor is not None else None, reached)


def rule_covers(rule: Rule, tool: str, action: str = "") -> bool:
    """Whether a rule is about this tool, or about what it does to a path: `action` is read, edit, list or nothing.

    `read(p)` covers every tool that shows content and `edit(p)` every tool that changes files. Without a pattern, a
    rule is about the one tool that it names.
    """
    if rule.tool == tool or (rule.pattern is not None and rule.tool == action):
        return True
    return rule.tool.startswith(_MCP) and match_name(rule.tool, tool)


def rule_matches_path(rule: Rule, access: PathAccess) -> bool:
    """Whether a covering rule is about this path: a denial by the path as written or as reached, an allowance by both.

    A rule without a pattern denies everywhere but allows only inside the workspace.
    """
    if rule.pattern is None:
        return rule.effect == "deny" or access.inside
    if rule.tool in COMMAND_TOOLS or rule.tool.startswith(_MCP):
        return False
    if rule.effect == "deny":
        return _denies(rule, access, access.written) or _denies(rule, access, access.reached)
    return _allows(rule, access, access.written) and _allows(rule, access, access.reached)


def rule_matches_command(
    rule: Rule, words: tuple[str, ...] | None, tool: str = "bash", known: int | None = None
) -> bool:
    """Whether a rule is about a simple command, given as its words; None, a longer script, matches none.

    `bash(git status)` is that command alone, `bash(git status:*)` also with more words. Of words that the shell makes,
    only the first `known` are certain. A denial also knows the program by its path, and its operands behind options;
    and what `bash(…)` says of a command holds for `exec` too.
    """
    if rule.tool not in COMMAND_TOOLS:
        return False
    if rule.pattern is None:
        return rule.tool == tool
    if not words:
        return False
    if command_matches(rule.pattern, words, known):
        return True
    return rule.effect == "deny" and any(
        command_matches(rule.pattern, other, count) for other, count in _spellings(words, known)
    )


def rule_may_match_command(rule: Rule, words: tuple[str, ...], known: int | None) -> bool:
    """Whether a denial may be about a command of which some words are made by the shell."""
    if rule.tool not in COMMAND_TOOLS or rule.pattern is None or known is None:
        return False
    pattern = rule.pattern
    return any(command_may_match(pattern, other, count) for other, count in ((words, known), *_spellings(words, known)))


def rule_names_path(rule: Rule, access: PathAccess) -> bool:
    """Whether the user allows exactly this path, without a wildcard: what a protected path needs."""
    if rule.effect != "allow" or not rule.is_users or rule.pattern is None or not is_literal(rule.pattern):
        return False
    return rule_matches_path(rule, access)


def rule_names_program(rule: Rule, program: str) -> bool:
    """Whether the user allows commands of exactly this program: what a banned one needs."""
    if rule.effect != "allow" or not rule.is_users or rule.pattern is None or rule.tool not in COMMAND_TOOLS:
        return False
    return os.path.basename(first_word(rule.pattern)) == os.path.basename(program)


def _spellings(words: tuple[str, ...], known: int | None) -> list[tuple[tuple[str, ...], int | None]]:
    """Return a command with its program by name, and without the options before its first operand."""
    from codetools.config.banned_entry import from_first_operand

    named = (os.path.basename(words[0]), *words[1:])
    short = from_first_operand(named)
    gone = len(named) - len(short)
    return [(named, known), (short, None if known is None else max(known - gone, min(known, 1)))]


def _split(text: str, origin: str) -> tuple[str, str | None]:
    if len(text) > MAX_RULE_CHARS:
        raise Failure("config", f"{origin}: a rule is longer than {MAX_RULE_CHARS} characters: '{text[:60]}…'.")
    if "\0" in text or "\n" in text:
        raise _malformed(text, origin, "a rule is one line")
    tool, bracket, rest = text.strip().partition("(")
    if not tool:
        raise _malformed(text, origin, "it names no tool")
    if not bracket:
        if ")" in tool or " " in tool:
            raise _malformed(text, origin, "write tool or tool(pattern)")
        return tool, None
    if not rest.endswith(")"):
        raise _malformed(text, origin, "the bracket is not closed")
    pattern = rest[:-1]
    if not pattern.strip():
        raise _malformed(text, origin, f"the pattern is empty; write {tool} for the whole tool")
    return tool, pattern


def _check_mcp(text: str, tool: str, pattern: str | None, effect: str, origin: str) -> None:
    server, _, name = tool.removeprefix(_MCP).partition("__")
    if pattern is not None:
        raise _malformed(text, origin, "a rule for an MCP tool takes no pattern")
    is_whole = effect == "deny" and server == "*" and not name
    if not is_whole and (not server or not name or not is_literal(server)):
        raise _malformed(text, origin, f"write {_MCP}SERVER__TOOL or {_MCP}SERVER__*")


def _normal(pattern: str, text: str, origin: str) -> str:
    """Return a path pattern as `/absolute`, `./anchored`, or a bare `name`."""
    if pattern == "~" or pattern.startswith("~/"):
        pattern = escape(os.path.expanduser("~")) + pattern[1:]
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _malformed(text, origin, "'..' has no place in a pattern; write the absolute path")
    if "," in pattern.replace("\\{", "").partition("{")[2].partition("}")[0]:
        raise _malformed(text, origin, "braces are not understood; write one rule for each")
    joined = "/".join(parts)
    if pattern.startswith("/"):
        return "/" + joined
    if not parts:
        return "./."
    return "./" + joined if len(parts) > 1 or pattern.startswith("./") else joined


def _reached(pattern: str) -> str | None:
    """Return where a denied place really lies, or None where no link leads there: it has two names, both denied."""
    parts = pattern.split("/")
    count = next((index for index, part in enumerate(parts) if not is_literal(part)), len(parts))
    named = literal("/".join(parts[:count])) or "/"
    found = os.path.realpath(named)
    return None if found == named else "/".join([escape(found).rstrip("/"), *parts[count:]])


def _malformed(text: str, origin: str, what: str) -> Failure:
    return Failure("config", f"{origin}: rule '{text}' cannot be read: {what}.", "A valid rule: edit(src/**)")


def _denies(rule: Rule, access: PathAccess, path: str) -> bool:
    """Denied by name, by place, or by a directory above it."""
    pattern = rule.pattern or ""
    if pattern.startswith("/"):
        return any(_matches_at_or_above(place, path) for place in (pattern, rule.reached) if place)
    relative = _below(path, access.root) if access.inside else None
    if not pattern.startswith("./"):
        return any(match_name(pattern, part) for part in (relative or path.lstrip("/")).split("/"))
    roots = {access.root, rule.anchor or access.root} - {"/"}
    below = [found for root in roots if (found := _below(path, root)) is not None]
    return any(_matches_at_or_above(pattern[2:], found) for found in below)


def _allows(rule: Rule, access: PathAccess, path: str) -> bool:
    pattern = rule.pattern or ""
    if pattern.startswith("/"):
        return match_path(pattern, path)
    if not access.inside:
        return False
    relative = _below(path, rule.anchor or access.root)
    return relative is not None and match_path(pattern.removeprefix("./"), relative)


def _matches_at_or_above(pattern: str, path: str) -> bool:
    parts = path.split("/")
    return any(match_path(pattern, "/".join(parts[:count])) for count in range(1, len(parts) + 1))


def _below(path: str, root: str) -> str | None:
    if path == root:
        return "."
    start = root if root.endswith("/") else root + "/"
    return path[len(start) :] if path.startswith(start) else None
