"""Our HTTP server as the official suite meets it: beside our tools stand the fixtures that its scenarios call.

Every request goes the way of a client: through the guard, the SDK, a call of the engine. The suite shows no token, so
one is put on its requests before the guard.
"""

import sys
import time
from typing import Any

import uvicorn

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.load import Loaded
from codetools.core.outcome import Image, Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import COMMAND, READ_ONLY, Effects, Tool
from codetools.engine.built_in import Modules
from codetools.engine.engine import Engine
from codetools.engine.options import ServeOptions
from codetools.engine.registry import Registry
from codetools.engine.resident import Resident
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES
from codetools.serve.guard import Guard
from codetools.serve.http import http_app

TOKEN = "shown-for-the-suite"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"  # one, red
MODULE = "tests.conformance"
ANYTHING: dict[str, Any] = {"type": "object", "properties": {}}
SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "priority": {"type": "integer", "x-mcp-header": "Priority"},
        "verbose": {"type": "boolean", "x-mcp-header": "Verbose"},
        "query": {"type": "string"},
    },
}


class Given(Record):
    """The arguments of a fixture, whatever they are."""

    arguments: dict[str, Any]


class Said(Result):
    """What a fixture says."""

    said: str

    def text(self) -> str:
        return self.said


class Fixture(Tool):
    """A tool that the suite calls; its schema goes to the client as it stands."""

    schema: Any = None

    def input_schema(self, *, model_only: bool = True) -> dict[str, Any]:
        found: dict[str, Any] = self.schema
        return found

    def load(self, arguments: Any) -> Loaded[Any]:
        return Loaded(Given(arguments), ())


class Fixtures:
    """The source of the suite's tools."""

    def words(self) -> tuple[tuple[str, ...], ...]:
        return tuple((name,) for name in FIXTURES)

    def load(self, name: str) -> Tool | None:
        return FIXTURES.get(name)

    def description(self, tool: Tool, limits: Limits) -> str | None:
        return tool.summary if tool.module == MODULE else None


class FixedResident(Resident):
    """An engine whose first tools are the suite's."""

    def _started(self) -> Engine:
        return super()._started().but(registry=Registry((Fixtures(), Modules())))


def say(params: Given, context: Any) -> Said:
    return Said("This is a simple text response for testing.")


def show(params: Given, context: Any) -> Said:
    context.image(Image(Path("pixel.png"), "image/png", 1, 1, PIXEL))
    return Said("Here is a red pixel.")


def fail(params: Given, context: Any) -> Said:
    raise Failure("io", "this tool intentionally returns an error for testing.")


def go_on(params: Given, context: Any) -> Said:
    for done in range(0, 101, 25):
        context.progress(done, 100, "steps")
        time.sleep(0.55)  # longer than the least time between two words of progress
    return Said("Done.")


def _fixture(name: str, run: Any, summary: str, effects: Effects = READ_ONLY, schema: Any = None) -> Fixture:
    return Fixture(
        name=name,
        words=(name,),
        summary=summary,
        effects=effects,
        params=Given,
        result=Said,
        run=run,
        module=MODULE,
        schema=schema or ANYTHING,
    )


FIXTURES = {
    tool.name: tool
    for tool in (
        _fixture("test_simple_text", say, "Says one sentence."),
        _fixture("test_image_content", show, "Shows one pixel."),
        _fixture("test_multiple_content_types", show, "Says a sentence and shows a pixel."),
        _fixture("test_error_handling", fail, "Always fails."),
        _fixture("test_tool_with_progress", go_on, "Takes its time and tells of it."),
        _fixture("test_elicitation", say, "Is asked about, as a tool that reaches out.", COMMAND),
        _fixture("test_input_required_result_elicitation", say, "Is asked about, without a session.", COMMAND),
        _fixture("test_input_required_result_tampered_state", say, "Is asked about, without a session.", COMMAND),
        _fixture("test_input_required_result_capabilities", say, "Is asked about, without a session.", COMMAND),
        _fixture("test_streaming_elicitation", say, "Is asked about, on a stream.", COMMAND),
        _fixture("test_logging_tool", say, "Could log, and does not."),
        _fixture("json_schema_2020_12_tool", say, "Has a schema with all that the draft knows.", schema=SCHEMA_2020_12),
        _fixture("test_custom_headers", say, "Wants arguments in headers too.", schema=HEADERS),
    )
}


def main() -> None:
    """Serve the workspace at a port of the loopback; say which on standard output."""
    options = ServeOptions(root=Path(sys.argv[1]), all=True, session="conformance")
    guarded = Guard(http_app(lambda: FixedResident(options)), TOKEN, "127.0.0.1", MAX_MESSAGE_BYTES)

    async def with_token(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]}
        await guarded(scope, receive, send)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            port = self.servers[0].sockets[0].getsockname()[1]
            print(f"http://127.0.0.1:{port}/mcp", flush=True)

    Server(uvicorn.Config(with_token, port=0, log_level="critical", lifespan="on")).run()


if __name__ == "__main__":
    main()
