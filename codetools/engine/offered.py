"""Which tools a model is shown: all of a few; of many the core, what the session found, and the way to find more."""

import os

from codetools.core.errors import Failure
from codetools.core.known import KnownTool
from codetools.core.tool import Tool
from codetools.engine.engine import STORE_NAME, Engine

FINDER = "tools_search"


def permitted_tools(engine: Engine) -> tuple[Tool, ...]:
    """Return the tools that policy does not rule out."""
    return tuple(tool for tool in engine.registry.all() if engine.policy.decide_call(tool).answer != "deny")


def offered_tools(engine: Engine) -> tuple[Tool, ...]:
    """Return the tools that a model is shown in this session."""
    tools = permitted_tools(engine)
    shown = offered_names(engine, [tool.name for tool in tools])
    return tuple(tool for tool in tools if tool.name in shown)


def offered_names(engine: Engine, permitted: list[str]) -> set[str]:
    """Return which of the permitted tools a model is shown in this session."""
    settings = engine.config.settings.tools
    if len(permitted) <= settings.shown:
        return {name for name in permitted if name != FINDER}
    return {*settings.core, *activated(engine), FINDER}.intersection(permitted)


def activated(engine: Engine) -> tuple[str, ...]:
    """Return what this session has activated; without a session, or a store that can be read, nothing."""
    if engine.session is None or not os.path.exists(os.path.join(engine.home, STORE_NAME)):
        return ()
    from codetools.state.active_tools import ActiveTools

    try:
        return ActiveTools(engine.store()).names(engine.session)
    except Failure:
        return ()


def known_tools(engine: Engine) -> tuple[KnownTool, ...]:
    """Return every permitted tool as somebody sees it who looks for one."""
    shown = {tool.name for tool in offered_tools(engine)}
    return tuple(
        KnownTool(
            name=tool.name,
            summary=tool.summary,
            aliases=tool.aliases,
            search_hint=tool.search_hint,
            description=engine.registry.description(tool, engine.limits),
            is_shown=tool.name in shown,
        )
        for tool in permitted_tools(engine)
    )
