"""The one declaration: a typed function becomes a Tool, and every door is made from the Tool."""

from collections.abc import Callable
from typing import Any

from codetools.core.load import Loaded, example, load
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.core.schema import input_schema, output_schema
from codetools.core.shape import fields_of

TOOLS_PACKAGE = "codetools.tools."


class Effects(Record):
    """What a tool may do, as MCP's hints; pessimistic by default."""

    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    concurrency_safe: bool = False
    stages: bool = False  # only stages changes: reversible, and can be shown without being made


READ_ONLY = Effects(read_only=True, destructive=False, idempotent=True, open_world=False, concurrency_safe=True)
STAGING = Effects(destructive=True, open_world=False, stages=True)
STAGING_NEW = Effects(destructive=False, open_world=False, stages=True)
COMMAND = Effects()


class Tool(Record):
    """A capability with a name, a schema and effects; made by `@tool` or from a listing.

    `words` are the command's words (`web fetch`), `summary` its first sentence, `examples` command lines for its help.
    `instead` pairs arguments that other programs of this name take (several in one string) with what to do instead.
    `run` takes (params, context). The description that a model reads lies in the `.md` beside `module`. `caution` says
    why a rule's word does not suffice for the tool as it is now; ours need none.
    """

    name: str
    words: tuple[str, ...]
    summary: str
    effects: Effects
    params: type[Record]
    result: type[Result]
    run: Callable[[Any, Any], Result]
    module: str
    aliases: tuple[str, ...] = ()
    search_hint: str = ""
    title: str = ""
    examples: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    caution: str = ""

    def input_schema(self, *, model_only: bool = True) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        return input_schema(self.params, model_only=model_only)

    def plain_schema(self) -> dict[str, Any]:
        """Return the same in the few keywords that every provider takes, as those of our own tools are."""
        return self.input_schema()

    def output_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of `data`."""
        return output_schema(self.result)

    def load(self, arguments: Any) -> Loaded[Any]:
        """Read JSON arguments; raise `usage` naming every problem and a valid example."""
        return load(self.params, arguments, self.name, self.instead)

    def example(self) -> dict[str, Any]:
        """Return the smallest valid arguments."""
        return example(self.params)

    def operation(self, params: Any) -> str:
        """Return what a person is asked about where the whole call is asked about."""
        return f"run {self.name}"

    def accept(self) -> None:
        """Take note that a rule or a person has allowed the tool as it is now."""


def tool(
    effects: Effects,
    *,
    aliases: tuple[str, ...] = (),
    search_hint: str = "",
    title: str = "",
    examples: tuple[str, ...] = (),
    instead: tuple[tuple[str, str], ...] = (),
) -> Callable[[Callable[[Any, Any], Any]], Tool]:
    """Make a Tool of a function `(params, context) -> result`; its module's place under `codetools.tools` names it."""

    def declare(function: Callable[[Any, Any], Any]) -> Tool:
        words = tuple(function.__module__.removeprefix(TOOLS_PACKAGE).split("."))
        hints = function.__annotations__
        params, result = hints["params"], hints["return"]
        fields_of(params)
        summary = (function.__doc__ or "").strip().split("\n")[0]
        return Tool(
            name="_".join(words),
            words=words,
            summary=summary,
            effects=effects,
            params=params,
            result=result,
            run=function,
            module=function.__module__,
            aliases=aliases,
            search_hint=search_hint,
            title=title or " ".join(words).capitalize(),
            examples=examples,
            instead=instead,
        )

    return declare
