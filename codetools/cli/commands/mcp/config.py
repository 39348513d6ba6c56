"""Prints what to put into an MCP client's settings."""

import json
import os
import sys
from typing import Any, Literal

from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options

Client = Literal["claude-code", "claude-desktop", "codex", "cursor", "gemini-cli", "vscode", "zed"]
NAME = "codetools"


class Params(Record):
    """For which client."""

    client: Annotated[Client, Arg("The client.", positional=True)] = "claude-code"


class Snippet(Result):
    """What to write, and where."""

    client: str
    file: str
    snippet: str

    def plain(self) -> str:
        """Return the snippet alone, to be written into a file."""
        return self.snippet

    def plain_error(self) -> str:
        """Return where it belongs."""
        return f"codetools mcp config: for {self.file}\n"

    def text(self) -> str:
        """Return the snippet below the name of its file."""
        comment = "//" if self.snippet.startswith("{") else "#"
        return f"{comment} {self.file}\n{self.snippet}"


@handmade(
    examples=("codetools mcp config claude-desktop --root ~/project", "codetools mcp config codex"),
    options=("root", "read_only"),
)
def config(params: Params, options: Options) -> Snippet:
    """Print the settings that make an MCP client start these tools.

    Clients that start their servers in the project find the workspace there; editors that can name their folder do so;
    for the others, such as claude-desktop, name it with --root.
    """
    program = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == NAME else NAME
    arguments = ["mcp", "serve"]
    if options.root is not None:
        arguments += ["--root", os.path.abspath(os.path.expanduser(options.root))]
    elif params.client in _NAME_THEIR_FOLDER:
        arguments += ["--root", "${workspaceFolder}"]
    if options.read_only:
        arguments.append("--read-only")
    file, keys = _PLACES[params.client]
    if params.client == "codex":
        words = ", ".join(json.dumps(word) for word in arguments)
        return Snippet("codex", file, f"[mcp_servers.{NAME}]\ncommand = {json.dumps(program)}\nargs = [{words}]")
    server: dict[str, Any] = {"command": program, "args": arguments}
    if params.client == "vscode":
        server = {"type": "stdio", **server}
    return Snippet(params.client, file, json.dumps({keys: {NAME: server}}, indent=2))


_PLACES: dict[str, tuple[str, str]] = {
    "claude-code": (".mcp.json in the project", "mcpServers"),
    "claude-desktop": ("claude_desktop_config.json", "mcpServers"),
    "codex": ("~/.codex/config.toml", ""),
    "cursor": (".cursor/mcp.json in the project", "mcpServers"),
    "gemini-cli": ("~/.gemini/settings.json", "mcpServers"),
    "vscode": (".vscode/mcp.json in the project", "servers"),
    "zed": ("~/.config/zed/settings.json", "context_servers"),
}
_NAME_THEIR_FOLDER = ("cursor", "vscode")  # the others start a server where they work, or nowhere
