"""Whether a tree of tree-sitter's says what bash would say: where the two are known to differ, neither is believed."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

_GAP = re.compile(r"(?:[ \t\n]|\\\n)*")
_WHOLE = frozenset("string raw_string ansi_c_string heredoc_body".split())  # read by themselves
_REDIRECTS = frozenset("file_redirect herestring_redirect heredoc_redirect".split())
_BEFORE_COMMENT = frozenset(" \t\n;&|()")


class GaveUp(Exception):
    """The script is not understood without doubt; the message says where."""


def check_tree(root: Any, source: bytes) -> None:
    """Raise GaveUp unless the leaves of a tree cover a script, with nothing but blanks between them."""
    if root.has_error:
        raise GaveUp("it is not understood as a script of bash")
    end = 0
    heredoc_rows: set[int] = set()
    for leaf in _leaves(root):
        gap = source[end : leaf.start_byte].decode()
        text = leaf.text.decode()
        blanks = len(text) - len(text.lstrip(" \t\n")) if leaf.type not in _WHOLE else 0
        is_lone_dash = gap.strip(" \t") == "-" and gap[:1] in (" ", "\t") and leaf.type in ("<<", "<<-")
        if not is_lone_dash and not _is_gap(gap, end, leaf.start_byte, source):
            raise GaveUp(f"what {gap.strip()!r} means to bash is not certain")
        if leaf.type == "comment" and leaf.start_byte and chr(source[leaf.start_byte - 1]) not in _BEFORE_COMMENT:
            raise GaveUp("a # within a word")
        if leaf.type not in _WHOLE and leaf.type not in ("comment", "heredoc_end") and "\n" in text[blanks:].strip():
            raise GaveUp("a word goes on in the next line")
        if leaf.type == "heredoc_start":
            if leaf.start_point[0] in heredoc_rows:
                raise GaveUp("two here-documents begin in one line")
            heredoc_rows.add(leaf.start_point[0])
        end = leaf.end_byte
    if not _is_gap(source[end:].decode(), end, len(source), source):
        raise GaveUp(f"what {source[end:].decode().strip()!r} means to bash is not certain")


def check_heredoc(redirect: Any, source: bytes) -> str:
    """Return the text of a here-document that ends where bash ends it; raise GaveUp otherwise."""
    parts = {child.type: child for child in redirect.children}
    start, body, end = (parts.get(f"heredoc_{name}") for name in ("start", "body", "end"))
    if start is None or end is None:
        raise GaveUp("a here-document is not closed")
    written = start.text.decode()
    delimiter = written[1:-1] if written[:1] in ("'", '"') else written.removeprefix("\\")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", delimiter):
        raise GaveUp("the end of a here-document is written in an unusual way")
    takes_tabs = "<<-" in parts
    line_end = source.find(b"\n", start.end_byte)
    end_line = source[: end.start_byte].rpartition(b"\n")[2].decode()
    text = source[line_end + 1 : end.start_byte - len(end_line.encode())].decode() if line_end >= 0 else ""
    lines = [line.lstrip("\t") if takes_tabs else line for line in text.split("\n")]
    after = source[end.end_byte : end.end_byte + 1]
    is_plain = (
        line_end >= 0
        and end.text.decode().strip() == delimiter
        and not end_line.strip("\t" if takes_tabs else "")
        and after in (b"", b"\n")
        and delimiter not in lines
        and (body is None or body.start_byte >= line_end)
    )
    if not is_plain:
        raise GaveUp("where a here-document ends is not certain")
    if not is_quoted(start) and any(line.endswith("\\") for line in lines):
        raise GaveUp("a line of a here-document goes on in the next")
    return text


def is_quoted(start: Any) -> bool:
    """Whether nothing is expanded in the here-document that begins so."""
    return start.text[:1] in (b"'", b'"', b"\\")


def refuse_touching(words: list[Any]) -> None:
    """Refuse words without a blank between them: to bash they are one."""
    for word, following in pairwise(words):
        if word.end_byte == following.start_byte and not {word.type, following.type} & _REDIRECTS:
            raise GaveUp("two words without a blank between them")


def _leaves(node: Any) -> Iterator[Any]:
    stack = [node]
    while stack:
        found = stack.pop()
        if found.type in _WHOLE or not found.children:
            yield found
        else:
            stack += reversed(found.children)


def _is_gap(gap: str, start: int, end: int, source: bytes) -> bool:
    if not gap.strip(" \t\n"):
        return True
    around = source[max(0, start - 1) : start].decode("latin-1"), source[end : end + 1].decode("latin-1")
    found = _GAP.fullmatch(gap) is not None
    return found and (gap[0] in " \t" or gap[-1] in " \t" or around[0] in " \t" or around[1] in " \t")
