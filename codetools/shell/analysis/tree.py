"""Every simple command of a script that the tiny grammar refuses, wherever it stands, from tree-sitter's bash grammar.

The tree is believed only where all of it is of kinds known here and nothing speaks against it; else GaveUp is raised.
"""

import re
from typing import Any

import tree_sitter_bash
from tree_sitter import Language, Parser

from codetools.shell.analysis.found import Assignment, Found, Redirect, Word, static
from codetools.shell.analysis.tree_checks import GaveUp, check_tree, refuse_touching
from codetools.shell.analysis.tree_redirects import Redirects, last_command
from codetools.shell.analysis.tree_words import Words
from codetools.shell.analysis.words import RESERVED, Refused, refuse_odd_characters

MOST_PARSED_CHARS = 50_000
MOST_MARKS = 3000  # the grammar's time may grow with their square
MOST_PIPES = 1500
MOST_DOCUMENTS = 200
MOST_NESTED = 150  # nodes within nodes

_GROUPS = frozenset(
    """program list pipeline compound_statement subshell if_statement elif_clause else_clause while_statement do_group
    case_item negated_command command_substitution process_substitution""".split()
)
_MARKS = frozenset(
    """; & && || | |& ( ) { } ! ;; ;& ;;& $( ` <( >( if then elif else fi while until do done case in esac for select
    function""".split()
)
_BLANKS = (b" ", b"\t", b"\n")
_TO_VARIABLE = re.compile(rb"((?<!\$)\{\w+|\])\}[<>]")  # also of an array
_LANGUAGE = Language(tree_sitter_bash.language())


def extract(script: str) -> list[Found]:
    """Return the simple commands of a script in the order of their text; raise GaveUp."""
    if len(script) > MOST_PARSED_CHARS:
        raise GaveUp(f"it is longer than {MOST_PARSED_CHARS:,} characters")
    marks = sum(map(script.count, "|&;()<`{"))
    if marks > MOST_MARKS or script.count("|") > MOST_PIPES or script.count("<<") > MOST_DOCUMENTS:
        raise GaveUp("it holds more pipes, brackets or here-documents than are followed")
    try:
        refuse_odd_characters(script)
        source = script.encode()
    except (Refused, UnicodeEncodeError) as error:
        raise GaveUp(str(error)) from None
    if _TO_VARIABLE.search(source.replace(b"\\\n", b"")):  # a word to the parser, an assignment to bash
        raise GaveUp("a redirection to a variable")
    root = Parser(_LANGUAGE).parse(source).root_node
    check_tree(root, source)
    walk = _Walk(source)
    walk.visit(root)
    return walk.found


class _Walk:
    def __init__(self, source: bytes) -> None:
        self.found: list[Found] = []
        self._source = source
        self._words = Words(self.visit, self._doubt, source)
        self._redirects = Redirects(self._words, self.found, source)
        self._depth = 0
        self._places: dict[int, int] = {}  # where a command stands in `found`, by where it begins

    def visit(self, node: Any) -> None:
        """Take in a statement and all in it."""
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise GaveUp("commands are nested too deep")
        kind = node.type
        if not node.is_named:
            if kind.strip(" \t\n") not in _MARKS and kind.strip(" \t\n"):
                raise GaveUp(f"{kind!r} is not understood")
            if kind in ("!", "{") and self._source[node.end_byte : node.end_byte + 1] not in _BLANKS:
                raise GaveUp(f"a {kind} without a blank after it")
        elif kind in _GROUPS:
            self._group(node)
        elif kind != "comment":
            handler = getattr(self, f"_{kind}", None)
            if handler is None:
                raise GaveUp(f"{node.text.decode()[:40]!r} is not understood")
            handler(node)
        self._depth -= 1

    def _group(self, node: Any) -> None:
        children = node.children
        if node.type == "command_substitution" and [child.type for child in children[1:-1]] == ["file_redirect"]:
            redirects = self._redirects.redirect(children[1], [])
            self.found.append(Found(redirects=tuple(redirects), text=node.text.decode()))
            return
        if node.type == "case_item":
            children = self._case_patterns(children)
        if children and children[0].type == "((":
            self._words.sum(node)
            return
        before = len(self.found)
        for child in children:
            began = len(self.found)
            self.visit(child)
            if node.type == "pipeline":
                self._feed(before, began)

    def _feed(self, before: int, began: int) -> None:
        """Tell a shell at the end of a pipe what it is fed, where that is known."""
        from codetools.shell.analysis.commands import fed_by

        if began - before == 1 and len(self.found) == began + 1:
            self.found[began] = fed_by(self.found[before], self.found[began])

    def _case_patterns(self, children: list[Any]) -> list[Any]:
        for index, child in enumerate(children):
            if child.type == ")":
                return children[index + 1 :]
            if child.is_named:
                self._words.word(child)
        raise GaveUp("a case is not understood")

    def _command(self, node: Any) -> None:
        place = len(self.found)
        words: list[Word] = []
        assigned: list[Assignment] = []
        redirects: list[Redirect] = []
        fed: str | None = None
        refuse_touching(node.children)
        for child in node.children:
            if child.type == "variable_assignment":
                assigned.append(self._assignment(child))
            elif child.type == "command_name":
                words.append(self._name(child))
            elif child.type == "file_redirect":
                redirects += self._redirects.redirect(child, words)
            elif child.type == "herestring_redirect":
                fed = self._redirects.herestring(child)
            elif child.is_named:
                words.append(self._words.word(child))
            else:
                raise GaveUp(f"{child.type!r} is not understood")
        self._put(place, Found(tuple(words), tuple(assigned), tuple(redirects), node.text.decode(), input=fed))
        self._places[node.start_byte] = place

    def _doubt(self, node: Any, trouble: str) -> None:
        self.found.append(Found(text=node.text.decode().strip(), trouble=trouble))

    def _put(self, place: int, found: Found) -> None:
        """Put a command before those that run within its words, as it stands in the text."""
        self.found.insert(place, found)

    def _name(self, node: Any) -> Word:
        written = node.text.decode()
        if len(node.children) != 1 or (written in RESERVED and written != "time"):
            raise GaveUp(f"{written[:40]!r} is not understood as a command")
        return self._words.word(node.children[0])

    def _redirected_statement(self, node: Any) -> None:
        body, *rest = node.children
        place = len(self.found)
        if body.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
            body, rest = None, node.children
        else:
            self.visit(body)
        more: list[Word] = []
        redirects: list[Redirect] = []
        fed: str | None = None
        later: list[Any] = []
        for child in rest:
            if child.type == "file_redirect":
                redirects += self._redirects.redirect(child, more)
            elif child.type == "heredoc_redirect":
                if self._redirects.has_dash_before(child):
                    more.append(Word("-"))
                fed = self._redirects.heredoc(child, redirects, more, later)
            elif child.type == "herestring_redirect":
                fed = self._redirects.herestring(child)
            else:
                raise GaveUp(f"{child.text.decode()[:40]!r} is not understood")
        last = self._place_of(body)
        if last is not None:
            command = self.found[last]
            self.found[last] = command.but(
                words=(*command.words, *more), redirects=(*command.redirects, *redirects), input=fed or command.input
            )
        elif more:
            raise GaveUp("a word after the redirection of a group")
        elif redirects:
            self._put(place, Found(redirects=tuple(redirects), text=node.text.decode()))
        for child in later:
            self.visit(child)

    def _place_of(self, body: Any | None) -> int | None:
        last = last_command(body) if body is not None else None
        return self._places[last.start_byte] if last is not None and last.type == "command" else None

    def _assignment(self, node: Any) -> Assignment:
        name, mark, *value = node.children
        is_name = name.type == "variable_name" and re.fullmatch(rb"[A-Za-z_]\w*", name.text) is not None
        if not is_name or mark.type not in ("=", "+=") or len(value) > 1:
            raise GaveUp(f"the assignment {node.text.decode()[:40]!r} is not understood")
        if not value:
            return Assignment(name.text.decode(), Word(""))
        if value[0].type != "array":
            return Assignment(name.text.decode(), self._words.word(value[0]))
        refuse_touching([child for child in value[0].children if child.is_named])
        for child in value[0].children:
            if child.is_named:
                self._words.word(child)
        return Assignment(name.text.decode(), Word(value[0].text.decode(), "many"))

    def _variable_assignment(self, node: Any) -> None:
        place = len(self.found)
        self._put(place, Found(assigned=(self._assignment(node),), text=node.text.decode()))

    def _variable_assignments(self, node: Any) -> None:
        for child in node.children:
            self._variable_assignment(child)

    def _declaration_command(self, node: Any) -> None:
        place = len(self.found)
        words: list[Word] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignment = self._assignment(child)
                words.append(Word(assignment.text(), assignment.value.kind))
            elif child.is_named:
                words.append(self._words.word(child))
            else:
                words.append(Word(child.type))
        self._put(place, Found(tuple(words), text=node.text.decode()))

    def _unset_command(self, node: Any) -> None:
        first, *rest = node.children
        self._put(
            len(self.found),
            Found((Word(first.type), *(self._words.word(child) for child in rest)), text=node.text.decode()),
        )

    def _test_command(self, node: Any) -> None:
        place = len(self.found)
        text = node.text.decode()
        mark, *inside, end = node.children
        if mark.type == "((":
            self._words.sum(node)
            return
        if (mark.type, end.type) not in (("[", "]"), ("[[", "]]")):
            raise GaveUp("a test is not understood")
        words: list[Word] = []
        for child in inside:
            self._flatten(child, words, is_double=mark.type == "[[")
        found = Found((Word(mark.type), *words, *static(end.type)), text=text, is_question=mark.type == "[[")
        self._put(place, found)

    def _flatten(self, node: Any, words: list[Word], *, is_double: bool) -> None:
        if node.type in ("unary_expression", "binary_expression", "parenthesized_expression"):
            for child in node.children:
                self._flatten(child, words, is_double=is_double)
        elif node.is_named:
            word = self._words.word(node)
            words.append(word if not is_double or word.is_static else Word(word.text, "one"))
        else:
            words.append(Word(node.type))

    def _case_statement(self, node: Any) -> None:
        for child in node.children:
            if child.is_named and child.type not in ("case_item", "comment"):
                self._words.word(child)
            else:
                self.visit(child)

    def _for_statement(self, node: Any) -> None:
        text = node.text.decode()
        refuse_touching([child for child in node.children if child.is_named and child.type != "do_group"])
        for child in node.children:
            if child.type == "variable_name":
                name = child.text.decode()
                self._put(len(self.found), Found(assigned=(Assignment(name, Word("", "many")),), text=text))
            elif child.is_named and child.type not in ("do_group", "compound_statement", "comment"):
                self._words.word(child)
            else:
                self.visit(child)

    def _c_style_for_statement(self, node: Any) -> None:
        self._doubt(node, "arithmetic may run what a variable holds")
        for child in node.children:
            if child.type in ("do_group", "compound_statement"):
                self.visit(child)
            elif child.is_named and child.type != "comment":
                self._words.sum(child)

    def _function_definition(self, node: Any) -> None:
        for child in node.children:
            if child.type == "word" and child == node.child_by_field_name("name"):
                continue
            if child.type == "file_redirect":
                raise GaveUp("a redirection of a function")
            self.visit(child)
