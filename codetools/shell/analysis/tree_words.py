"""The value of a word in a tree of tree-sitter's, as far as it is known before bash runs."""

import re
from collections.abc import Callable
from typing import Any

from codetools.shell.analysis.ansi import unescaped
from codetools.shell.analysis.found import Kind, Word
from codetools.shell.analysis.tree_checks import GaveUp

_EXPANSIONS = frozenset(
    "simple_expansion expansion command_substitution process_substitution arithmetic_expansion".split()
)
_PATTERN = re.compile(r"[*?\[{}~]")  # unquoted: bash makes names of it
_LIVE = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({@*#?!$'\"-])")
_PLAIN_EXPANSION = re.compile(
    r"\$\{(?:#?\w+(?:\[[@*0-9]\])?|\w+(?:\[[@*0-9]\])?(?::?[-+?]|%%?|##?|//?|\^\^?|,,?).*|\w+:[0-9]+(?::[0-9]+)?)\}",
    re.DOTALL,
)
_SUM = re.compile(r"\$\(\([\d\s+*/%()<>=!&|^~-]*\)\)")
_STATIC: Kind = "static"
_KINDS: tuple[Kind, ...] = ("static", "one", "many")


class Words:
    """Reads words. `visit` is given what bash runs within them, `doubt` what may run something that is not known."""

    def __init__(self, visit: Callable[[Any], None], doubt: Callable[[Any, str], None], source: bytes) -> None:
        self._visit = visit
        self._doubt = doubt
        self._source = source

    def word(self, node: Any) -> Word:
        """Return a word's value; raise GaveUp where it is not certain."""
        kind = node.type
        text = node.text.decode()
        if kind in ("word", "number", "variable_name", "extglob_pattern", "regex", "test_operator", "brace_expression"):
            return self._bare(node, text)
        if kind == "raw_string":
            return Word(text[1:-1])
        if kind == "ansi_c_string":
            return Word(unescaped(text[2:-1]), "one")
        if kind == "string":
            return self._string(node)
        if kind in _EXPANSIONS:
            return self._expansion(node, text.lstrip(" \t\n"), is_quoted=False)
        if kind == "concatenation":
            return self._joined(node)
        raise GaveUp(f"{text[:40]!r} is not understood as a word")

    def inside(self, node: Any) -> None:
        """Take in what bash runs within a text that it expands, such as a here-document."""
        position = node.start_byte
        for child in node.children:
            if child.type in _EXPANSIONS:
                _refuse_live(self._source[position : child.start_byte].decode())
                self._expansion(child, child.text.decode().lstrip(" \t\n"), is_quoted=True)
                position = child.end_byte
        _refuse_live(self._source[position : node.end_byte].decode())

    def sum(self, node: Any) -> None:
        """Take in arithmetic: the variables in it may hold more of it, and that may run commands."""
        self._doubt(node, "arithmetic may run what a variable holds")
        stack = [node]
        while stack:
            found = stack.pop()
            if found.type in _EXPANSIONS and found.type != "arithmetic_expansion":
                self._expansion(found, found.text.decode().lstrip(" \t\n"), is_quoted=True)
            elif found.type in ("string", "concatenation", "raw_string", "ansi_c_string"):
                self.word(found)
            elif not found.children and any(mark in found.text for mark in (b"`", b"\\")):
                raise GaveUp("arithmetic that is not understood")
            else:
                stack += found.children

    def _bare(self, node: Any, text: str) -> Word:
        if node.children and node.type not in ("brace_expression", "number"):
            raise GaveUp(f"{text[:40]!r} is not understood as a word")
        if node.type == "number" and node.children:
            raise GaveUp(f"{text[:40]!r} is not understood as a number")
        unquoted = re.sub(r"\\.", "", text, flags=re.DOTALL)
        if re.search(r"[\s$`'\"()<>;&|\\]", unquoted):
            raise GaveUp(f"{text[:40]!r} is not understood as a word")
        value = re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
        is_pattern = unquoted != "{}" and _PATTERN.search(unquoted)
        return Word(value, "many" if is_pattern else "static")

    def _string(self, node: Any) -> Word:
        text, kind = "", _STATIC
        position = node.start_byte + 1
        for child in node.children:
            if child.type in _EXPANSIONS:
                written = child.text.decode()
                blanks = len(written) - len(written.lstrip(" \t\n"))
                text += _unquoted(self._source[position : child.start_byte + blanks].decode())
                word = self._expansion(child, written[blanks:], is_quoted=True)
                text += word.text
                kind = "many" if "many" in (kind, word.kind) else "one"
                position = child.end_byte
        text += _unquoted(self._source[position : node.end_byte - 1].decode())
        return Word(text, kind)

    def _joined(self, node: Any) -> Word:
        text, kind = "", _STATIC
        position = node.start_byte
        for child in node.children:
            if child.start_byte != position:
                raise GaveUp("a word with blanks in it")
            word = self.word(child)
            text += word.text
            kind = max(kind, word.kind, key=_KINDS.index)
            position = child.end_byte
        if position != node.end_byte:
            raise GaveUp("a word with blanks in it")
        if node.text == b"{}":
            kind = _STATIC
        return Word(text, kind)

    def _expansion(self, node: Any, text: str, *, is_quoted: bool) -> Word:
        if node.type == "simple_expansion":
            return Word(text, "one" if is_quoted and text not in ("$@", "$*") else "many")
        if node.type == "arithmetic_expansion":
            if not _SUM.fullmatch(text):
                self.sum(node)
            return Word(text, "one")
        if node.type == "expansion":
            if not _PLAIN_EXPANSION.fullmatch(text):
                self._doubt(node, f"what {text[:40]} may do is not known")
            self._within_expansion(node, text)
            return Word(text, "one" if is_quoted and "[" not in text and "@" not in text else "many")
        if text.startswith("`") and "\\" in text:
            raise GaveUp("a backslash between backticks")
        self._visit(node)
        return Word(text, "one" if is_quoted or node.type == "process_substitution" else "many")

    def _within_expansion(self, node: Any, text: str) -> None:
        """Take in what runs within `${…}`; what stands there is otherwise plain text."""
        has_nested = False
        for child in node.children:
            if child.type in _EXPANSIONS or child.type in ("string", "concatenation", "raw_string"):
                self.word(child)
                has_nested = True
            elif child.type == "subscript":
                pass
            elif child.children or child.is_error:
                raise GaveUp(f"what {text[:40]} may do is not known")
        if not has_nested:
            inner = re.sub(r"\\.", "", text[2:-1])
            if re.search(r"[$`<>'\"]", inner.removeprefix("#")):
                raise GaveUp(f"what {text[:40]} may do is not known")


def _unquoted(text: str) -> str:
    """Return what double quotes make of a text without expansions."""
    _refuse_live(text)
    return re.sub(r"\\([$`\"\\])|\\\n", lambda match: match[1] or "", text)


def _refuse_live(text: str) -> None:
    if _LIVE.search(text):
        raise GaveUp("something is expanded that is not understood")
