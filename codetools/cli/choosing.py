"""Which tools a list or a schema is about."""

from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.engine.engine import Engine
from codetools.engine.offered import offered_tools


class Choice(Record):
    """The options that leave tools out."""

    read_only: Annotated[bool, Arg("Only tools that cannot change anything.")] = False
    allowed: Annotated[bool, Arg("Leave out the tools that a rule denies by their bare name.")] = False
    active: Annotated[bool, Arg("Only tools a model is shown: the core, and what the session activated.")] = False
    all: Annotated[bool, Arg("Every tool, which is so unless something else is said.")] = False


def chosen(choice: Choice, names: tuple[str, ...], engine: Engine) -> tuple[tuple[Tool, str], ...]:
    """Return the named tools, or all, each with what a model reads of it under the limits in force."""
    tools = tuple(engine.registry.find(name) for name in names) or engine.registry.all()
    if choice.active:
        if choice.all:
            raise Failure("usage", "--active and --all exclude each other.")
        offered = {tool.name for tool in offered_tools(engine)}
        tools = tuple(tool for tool in tools if tool.name in offered)
    if choice.read_only:
        tools = tuple(tool for tool in tools if tool.effects.read_only)
    if choice.allowed:
        tools = tuple(tool for tool in tools if engine.policy.decide_call(tool).answer != "deny")
    return tuple((tool, engine.registry.description(tool, engine.limits)) for tool in tools)
