"""The redirections in a tree of tree-sitter's: the files that a command reads and writes, and what it is fed."""

from typing import Any

from codetools.shell.analysis.found import Found, Redirect, Word
from codetools.shell.analysis.tree_checks import GaveUp, check_heredoc, is_quoted, refuse_touching
from codetools.shell.analysis.tree_words import Words

_WRITES = frozenset("> >> >| &> &>>".split())


class Redirects:
    """Reads redirections; what runs within them goes where `words` put it: into `found`."""

    def __init__(self, words: Words, found: list[Found], source: bytes) -> None:
        self._words = words
        self._found = found
        self._source = source

    def redirect(self, node: Any, more: list[Word]) -> list[Redirect]:
        """Return the files of a redirection; bash takes the words after the first as the command's own."""
        mark = ""
        targets: list[Any] = []
        for child in node.children:
            if not child.is_named:
                mark = child.type
            elif child.type != "file_descriptor":
                targets.append(child)
            elif not child.text.isdigit():
                raise GaveUp("a redirection to a variable")
        if not targets and mark in (">&-", "<&-"):
            return []
        if not targets:
            raise GaveUp("a redirection without a file")
        refuse_touching(targets)
        target = self._words.word(targets[0])
        more += [self._words.word(child) for child in targets[1:]]
        if mark in (">&", "<&") and (target.is_static and (target.text.isdigit() or target.text == "-")):
            return []
        if mark in _WRITES or mark == ">&":
            return [Redirect(target, "edit")]
        if mark == "<":
            return [Redirect(target, "read")]
        raise GaveUp(f"the redirection {node.text.decode()[:40]!r} is not understood")

    def heredoc(self, node: Any, redirects: list[Redirect], more: list[Word], later: list[Any]) -> str | None:
        """Return the text of a here-document where it is known; `later` takes the commands that stand in its line."""
        text: str | None = check_heredoc(node, self._source)
        for child in node.children:
            if child.type == "heredoc_body" and not is_quoted(_child(node, "heredoc_start")):
                before = len(self._found)
                self._words.inside(child)
                text = text if len(self._found) == before and "$" not in (text or "") else None
            elif child.type == "file_redirect":
                redirects += self.redirect(child, more)
            elif child.type in ("heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor", "<<", "<<-"):
                continue
            elif child.type in ("word", "number", "string", "raw_string", "concatenation", "simple_expansion"):
                more.append(self._words.word(child))
            else:
                later.append(child)
        return text

    def has_dash_before(self, redirect: Any) -> bool:
        """Whether a word `-` stands there, which the grammar passes over before a here-document."""
        before = redirect.prev_sibling
        start = before.end_byte if before is not None else redirect.parent.start_byte
        return self._source[start : redirect.start_byte].strip(b" \t") == b"-"

    def herestring(self, node: Any) -> str | None:
        """Return the text of a here-string where it is known."""
        given = [child for child in node.children if child.is_named and child.type != "file_descriptor"]
        if len(given) != 1:
            raise GaveUp("a here-string is not understood")
        word = self._words.word(given[0])
        return word.text if word.is_static else None


def last_command(node: Any) -> Any:
    """Return the command that a redirection behind a list belongs to, as bash reads it."""
    while node.type in ("list", "pipeline", "negated_command"):
        node = node.children[-1]
    return node


def _child(node: Any, kind: str) -> Any:
    return next(child for child in node.children if child.type == kind)
