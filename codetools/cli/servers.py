"""Talking to the configured MCP servers from a command: several at once, each until its own deadline."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

from codetools.config.servers import fold_name, nearest_server
from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.core.tool import Effects, Tool
from codetools.engine.engine import Engine, hold_descendants, start
from codetools.engine.options import Options
from codetools.engine.servers import LazyConnections
from codetools.mcp.connections import Connections
from codetools.mcp.listing import PREFIX
from codetools.mcp.server import Surroundings
from codetools.mcp.tool import MODULE, Answer, Arguments
from codetools.mcp.waiting import Patience, patience

T = TypeVar("T")


class Talk:
    """The servers that a command is about, and the connections to them."""

    def __init__(self, engine: Engine, names: tuple[str, ...]) -> None:
        self.engine = engine
        self.servers = tuple(named_server(engine, name) for name in names) or engine.config.settings.mcp
        lazy = engine.connections or LazyConnections()
        self.connections: Connections = lazy()
        roots = tuple(root.path for root in engine.workspace.roots)
        self.around = Surroundings(roots, engine.home, partial(hold_descendants, engine))

    def each(self, ask: "Callable[[McpServer, Patience], T]") -> "list[Said[T]]":
        """Ask every server, all at once; a failure of one is its answer, and the others go on."""
        said: dict[str, Said[T]] = {}

        def work(server: McpServer) -> None:
            try:
                said[server.name] = Said(server, ask(server, patience(server.timeout_seconds)), None)
            except Failure as failure:
                said[server.name] = Said(server, None, failure)

        threads = [threading.Thread(target=work, args=(server,), daemon=True) for server in self.servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [said[server.name] for server in self.servers]


class Said(Generic[T]):
    """What one server answered, or the failure in its way."""

    def __init__(self, server: McpServer, answer: T | None, failure: Failure | None) -> None:
        self.server = server
        self.answer = answer
        self.failure = failure


@contextmanager
def talk(options: Options, names: tuple[str, ...]) -> Iterator[Talk]:
    """Give the named servers, or all, to talk to; raise `denied` for one that a rule denies whole."""
    engine = start(options)
    try:
        talking = Talk(engine, names)
        for server in talking.servers:
            if engine.policy.hides(_whole(server)):
                raise Failure("denied", f"the MCP server {server.name} is denied by a rule.")
        yield talking
    finally:
        engine.close(waits=False)


def named_server(engine: Engine, name: str) -> McpServer:
    """Return the server of this name; raise `usage` with the nearest."""
    servers = engine.config.settings.mcp
    for server in servers:
        if fold_name(server.name) == fold_name(name):
            return server
    raise Failure("usage", f"there is no MCP server {name!r}.", nearest_server(name, servers))


def _whole(server: McpServer) -> Tool:
    """Return what a rule for all of a server's tools covers."""
    return Tool(
        name=f"{PREFIX}{server.name}__",
        words=(),
        summary="",
        effects=Effects(),
        params=Arguments,
        result=Answer,
        run=_nothing,
        module=MODULE,
    )


def _nothing(params: Any, context: Any) -> Answer:
    raise LookupError("a whole server is not called")
