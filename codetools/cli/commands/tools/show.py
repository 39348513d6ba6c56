"""Shows one tool whole."""

from typing import Any

from codetools.cli.choosing import Choice, chosen
from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options


class Params(Record):
    """Which tool."""

    name: Annotated[str, Arg("Name of the tool, or an alias.", positional=True, metavar="TOOL")]


class Shown(Result):
    """One tool: what a model reads of it, and its schemas."""

    name: str
    title: str
    description: str
    aliases: tuple[str, ...]
    effects: dict[str, Any]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    example: dict[str, Any]

    def text(self) -> str:
        """Return the description, the arguments and an example."""
        import json

        lines = [f"{self.name}: {self.title}", "", self.description, "", "Arguments:"]
        required = self.input_schema["required"]
        for name, found in self.input_schema["properties"].items():
            schema = found if isinstance(found, dict) else {}  # somebody else's may be `true`
            kind = schema.get("type", "")
            need = "required" if name in required else f"default {json.dumps(schema.get('default'))}"
            lines.append(f"  {name} ({kind}, {need}): {schema.get('description', '')}")
        effects = ", ".join(name for name, holds in self.effects.items() if holds) or "none"
        lines += ["", f"Effects: {effects}"]
        if self.aliases:
            lines.append(f"Also called: {', '.join(self.aliases)}")
        return "\n".join([*lines, "", f"Example: codetools call {self.name} '{json.dumps(self.example)}'"])


@handmade(examples=("codetools tools show edit", "codetools tools show read --json"), options=WHERE)
def show(params: Params, options: Options) -> Shown:
    """Show what a tool takes and returns, and what a model is told about it."""
    from codetools.core.dump import dump

    ((tool, description),) = chosen(Choice(), (params.name,), start(options))
    return Shown(
        name=tool.name,
        title=tool.title,
        description=description,
        aliases=tool.aliases,
        effects=dump(tool.effects),
        input_schema=tool.input_schema(model_only=False),
        output_schema=tool.output_schema(),
        example=tool.example(),
    )
