"""Which tools a list or a schema is about."""

from typing import Annotated

from codetools.core.arg import Arg
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.engine.engine import start
from codetools.engine.options import Options


class Choice(Record):
    """The options that leave tools out."""

    read_only: Annotated[bool, Arg("Only tools that cannot change anything.")] = False
    allowed: Annotated[bool, Arg("Leave out the tools that a rule denies by their bare name.")] = False


def chosen(choice: Choice, names: tuple[str, ...], options: Options) -> tuple[tuple[Tool, str], ...]:
    """Return the named tools, or all, each with what a model reads of it under the limits in force."""
    engine = start(options)
    tools = tuple(engine.registry.find(name) for name in names) or engine.registry.all()
    if choice.read_only:
        tools = tuple(tool for tool in tools if tool.effects.read_only)
    if choice.allowed:
        tools = tuple(tool for tool in tools if engine.policy.decide_call(tool).answer != "deny")
    return tuple((tool, engine.registry.description(tool, engine.limits)) for tool in tools)
