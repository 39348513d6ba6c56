"""Globs as wcmatch defines them, without its import (three times a process start) for all but the rarest forms."""

import re
from collections.abc import Callable
from itertools import pairwise

from codetools.core.errors import Failure

MOST_ALTERNATIVES = 1000
# extglob, {1..9} and [[:alpha:]] are left to wcmatch
RARE = r"[?*+@!]\(|\{[^{}]*\.\.[^{}]*\}|\[[!^]?(?:[^\]]*)\[[:.=]"
_DIRECTORIES = "(?:[^/]+/)*"
MAGIC = r"[*?\[{\\]|[+@!]\("

Matcher = Callable[[str], object]


def matcher(pattern: str) -> Matcher:
    """Return a function that tells whether a relative path matches; raise `usage` for a broken pattern.

    `*` and `?` stand for anything but `/`, names that begin with a dot included; `**` as a whole name for any
    directories, none included; `[a-z]`, `[!a]`, `{a,b}` and `\\` as in a shell; `@(a|b)`, `!(a)`, `+(a)`, `{1..9}` too.
    """
    if re.search(RARE, pattern):
        return _by_wcmatch(pattern)
    if pattern.startswith("**/*") and not re.search(MAGIC + "|/|!", ending := pattern[4:]) and ending:
        return _ends_in(ending)
    parts = [_regex(alternative) for alternative in expand(pattern)]
    try:
        return re.compile("(?:" + "|".join(parts) + r")\Z", re.DOTALL).match
    except re.error as error:
        raise Failure("usage", f"the glob {pattern!r} does not parse: {error}.") from None


def _ends_in(ending: str) -> Matcher:
    """Return the test of the commonest glob, such as `**/*.py`, which is asked about every file of a tree."""
    return lambda path: path.endswith(ending)


def keeper(only: tuple[str, ...], without: tuple[str, ...] = ()) -> Matcher | None:
    """Return whether a path is kept: by any of `only` (none: all), and by no `without`; None where all are.

    A glob without `/` is a name at any depth, one that ends in `/` everything below. A path is dropped where a
    directory on it is.
    """
    kept = [matcher(anchored(glob)) for glob in only]
    dropped = [matcher(pattern) for glob in without for pattern in (anchored(glob), anchored(glob.rstrip("/") + "/"))]
    if not kept and not dropped:
        return None

    def keeps(path: str) -> bool:
        return (not kept or any(match(path) for match in kept)) and not any(match(path) for match in dropped)

    return keeps


def anchored(glob: str) -> str:
    """Return a glob of `grep --glob` as a pattern over the whole relative path."""
    if glob.endswith("/"):
        glob += "**"
    if "/" not in glob.removesuffix("/**"):
        return "**/" + glob
    return glob.removeprefix("./").removeprefix("/")


def last_names(glob: str) -> tuple[str, ...]:
    """Return globs of one name each, of which the last name of every path that the glob matches matches one."""
    if re.search(RARE, glob):
        return ("*",)
    return tuple("*" if name in ("", "**") else name for name in (part.rsplit("/", 1)[-1] for part in expand(glob)))


def split_base(pattern: str) -> tuple[str, str]:
    """Return the leading directories of a pattern that hold no wildcard, and the rest."""
    parts = pattern.split("/")
    count = 0
    while count < len(parts) - 1 and not re.search(MAGIC, parts[count]):
        count += 1
    return "/".join(parts[:count]) or ("/" if count else ""), "/".join(parts[count:])


def is_plain(text: str) -> bool:
    """Whether a glob holds no wildcard."""
    return not re.search(MAGIC, text)


def escape(name: str) -> str:
    """Return a glob that matches just this name."""
    return re.sub(r"([*?\[\]{}\\!+@()|])", r"\\\1", name)


def name_regex(name: str) -> str:
    """Return a regular expression for one name, without `/`.

    What stands between two `*` matches at its first place for good, which loses nothing and keeps the time linear.
    """
    out, position, last_star = "", 0, -1
    while position < len(name):
        character = name[position]
        position += 1
        if character == "*":
            if last_star >= 0:
                out = f"{out[:last_star]}(?>[^/]*?{out[last_star + 5 :]})"
            last_star = len(out)
            out += "[^/]*"
            while name[position : position + 1] == "*":
                position += 1
        elif character == "?":
            out += "[^/]"
        elif character == "[" and (end := _class_end(name, position)):
            out += _class_regex(name[position:end])
            position = end + 1
        elif character == "\\" and position < len(name):
            out += re.escape(name[position])
            position += 1
        else:
            out += re.escape(character)
    return out


def expand(pattern: str) -> list[str]:
    """Return the alternatives that the braces of a pattern stand for."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        text = waiting.pop()
        found = _first_brace(text)
        if found is None:
            done.append(text)
        else:
            start, end, commas = found
            edges = [start, *commas, end]
            choices = [text[left + 1 : right] for left, right in pairwise(edges)]
            waiting += [text[:start] + choice + text[end + 1 :] for choice in reversed(choices)]
        if len(done) + len(waiting) > MOST_ALTERNATIVES:
            raise Failure("usage", f"the braces of {pattern[:80]!r} stand for over {MOST_ALTERNATIVES} globs.")
    return done


def _first_brace(text: str) -> tuple[int, int, list[int]] | None:
    """Find the first group with a comma: its ends, and its own commas."""
    for start, character in _characters(text):
        if character != "{":
            continue
        depth, commas = 0, []
        for offset, inner in _characters(text[start:]):
            depth += (inner == "{") - (inner == "}")
            if inner == "," and depth == 1:
                commas.append(start + offset)
            if depth == 0:
                if commas:
                    return start, start + offset, commas
                break
    return None


def _characters(text: str) -> list[tuple[int, str]]:
    """Return the characters that are not escaped, with their places."""
    found, position = [], 0
    while position < len(text):
        if text[position] == "\\":
            position += 2
            continue
        found.append((position, text[position]))
        position += 1
    return found


def _regex(pattern: str) -> str:
    names = [name for position, name in enumerate(pattern.split("/")) if name or position == 0]
    out, last_run = "", -1
    for position, name in enumerate(names):
        is_last = position == len(names) - 1
        if name != "**":
            out += name_regex(name) + ("" if is_last else "/")
            continue
        if last_run >= 0:  # as between two `*`
            out = f"{out[:last_run]}(?>{_DIRECTORIES}?{out[last_run + len(_DIRECTORIES) :]})"
        last_run = len(out)
        out += ".*" if is_last else _DIRECTORIES
    return out


def _class_end(name: str, start: int) -> int:
    position = start + (name[start : start + 1] in ("!", "^"))
    position += name[position : position + 1] == "]"
    while position < len(name) and name[position] != "]":
        position += 2 if name[position] == "\\" else 1
    return position if position < len(name) else 0


def _class_regex(content: str) -> str:
    negation = content[:1] in ("!", "^")
    out, position = "", int(negation)
    while position < len(content):
        if content[position] == "\\" and position + 1 < len(content):
            position += 1
        first = last = content[position]
        if content[position + 1 : position + 2] == "-" and position + 2 < len(content):
            position += 2
            if content[position] == "\\" and position + 1 < len(content):
                position += 1
            last = content[position]
        if first <= last:
            out += re.escape(first) + ("-" + re.escape(last) if first != last else "")
        position += 1
    if negation:
        return f"[^/{out}]"
    return f"(?!/)[{out}]" if out else "(?!)"


def _by_wcmatch(pattern: str) -> Matcher:
    from wcmatch import glob
    from wcmatch._wcparse import PatternLimitException  # no public name of it

    flags = glob.GLOBSTAR | glob.DOTGLOB | glob.BRACE | glob.EXTGLOB
    try:
        included, _ = glob.translate(pattern, flags=flags, limit=MOST_ALTERNATIVES)
        expressions = [re.compile(expression) for expression in included]
    except PatternLimitException:
        raise Failure("usage", f"the braces of {pattern[:80]!r} stand for over {MOST_ALTERNATIVES} globs.") from None
    except (ValueError, re.error) as error:
        raise Failure("usage", f"the glob {pattern!r} does not parse: {error}.") from None

    def matches(path: str) -> bool:
        return any(expression.match(path) for expression in expressions)

    return matches
