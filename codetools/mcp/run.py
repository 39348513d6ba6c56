"""One call of a server's tool: connected, listed anew, compared with what was decided on, called, and read."""

import time
from typing import TYPE_CHECKING, Any

from codetools.config.servers import fold_name
from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.mcp.allowed_forms import allow_form, what_changed
from codetools.mcp.arguments import read_arguments
from codetools.mcp.content import read_content
from codetools.mcp.faults import fault
from codetools.mcp.listing import Listed
from codetools.mcp.protocol.headers import mirrored, parameter_headers
from codetools.mcp.protocol.revisions import INVALID_PARAMS
from codetools.mcp.server import Surroundings, digest
from codetools.mcp.tool import Answer, Arguments, McpTool, parts_of, said_changed
from codetools.mcp.waiting import Patience

if TYPE_CHECKING:
    from codetools.mcp.caller import Caller
    from codetools.mcp.connections import Connections

TOOL_CHANGED = "tool_changed"  # in the details of a failure: decide again, about the tool as it is now


def run_tool(tool: McpTool, params: Arguments, context: "Caller", connections: "Connections") -> Answer:
    """Call the tool; raise the Failure in its way. A session that the server has ended is begun anew, once."""
    try:
        return _run(tool, params, context, connections)
    except Failure as failure:
        if not failure.details.get("session_ended"):
            raise
    return _run(tool, params, context, connections)


def patience_of(server: McpServer, context: "Caller") -> Patience:
    """Return how long a call of this server is waited for: as long as the settings and the caller allow."""
    left = context.remaining_seconds()
    seconds = server.timeout_seconds if left is None else min(server.timeout_seconds, left)
    return Patience(time.monotonic() + seconds, context.check_cancelled, context.progress)


def surroundings_of(context: "Caller") -> Surroundings:
    """Return what a server is started in, for this call."""
    roots = tuple(root.path for root in context.files.workspace.roots)
    return Surroundings(roots, context.home, context.hold_descendants)


def _run(tool: McpTool, params: Arguments, context: "Caller", connections: "Connections") -> Answer:
    server, caller = tool.server, patience_of(tool.server, context)
    connection, listing = connections.listing(server, surroundings_of(context), caller)
    wanted = fold_name(tool.name)
    listed = next((each for each in listing.tools if fold_name(each.name) == wanted), None)
    if listed is None:
        raise _no_tool(tool, [each.name for each in listing.tools], listing.left_out)
    _refuse_changed(tool, params, listed)
    arguments = params.arguments
    if not tool.is_known:
        arguments, _ = read_arguments(listed.input_schema, arguments, tool.name)
    headers = parameter_headers(mirrored(listed.input_schema), arguments) if server.url else {}
    try:
        found = connection.ask("tools/call", {"name": listed.tool, "arguments": arguments}, caller, headers)
    except Failure as failure:
        if failure.details.get("code") == INVALID_PARAMS:
            raise Failure("usage", failure.message, failure.hint, failure.details) from None
        raise
    return _answer(tool, found, context)


def _no_tool(tool: McpTool, names: list[str], left_out: Any) -> Failure:
    from codetools.core.suggest import nearest

    why = next((left.why for left in left_out if left.tool == tool.listed.tool), "")
    if why:
        return Failure("unavailable", f"the MCP tool {tool.name} is not offered: {why}.")
    near = nearest(tool.name, names)
    hint = f"Did you mean {near!r}?" if near else f"See: codetools mcp tools {tool.server.name}"
    return Failure("usage", f"the MCP server {tool.server.name} has no tool {tool.listed.tool!r}.", hint)


def _refuse_changed(tool: McpTool, params: Arguments, listed: Listed) -> None:
    """Raise where the tool is not what was decided on; where nothing was known of it, what is known now is kept."""
    parts = parts_of(tool.server, listed)
    if listed.name != tool.name:  # a rule may name the one and not the other
        message = f"the MCP tool {tool.name} is properly called {listed.name}."
        raise Failure("usage", message, "Call it by that name.", {TOOL_CHANGED: True})
    if params.form == digest(parts):
        return
    changed = what_changed(tool.home, tool.server.name, listed.tool, parts)
    if not params.form and not changed:
        allow_form(tool.home, tool.server.name, listed.tool, parts, only_more=True)
        return
    what = said_changed(tool.server, listed, changed or ("description",))
    raise Failure("denied", f"{what}.", "Repeat the call to be asked about it as it is now.", {TOOL_CHANGED: True})


def _answer(tool: McpTool, found: dict[str, Any], context: "Caller") -> Answer:
    server = tool.server.name
    if "content" not in found and "structuredContent" not in found:
        raise fault(server, "answered tools/call without content")
    content = read_content(found.get("content"), server, context.limits, with_images=context.settings.images)
    for notice in content.notices:
        context.notice(notice.kind, notice.message)
    for image in content.images:
        context.image(image)
    is_error = found.get("isError") is True
    structured: Any = found.get("structuredContent")
    return Answer(server, tool.listed.tool, content.text, structured, is_error)
