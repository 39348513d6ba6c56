"""Every setting, its help, and in which direction a project may move it before the user trusts the project."""

from typing import Any, Literal

from codetools.config.defaults import BANNED_COMMANDS, CORE_TOOLS, EXCLUDES, PROTECTED, SECRETS
from codetools.core.arg import Annotated, Arg
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.core.shape import fields_of

Direction = Literal["grows", "lowers", "false", "true", "tightens", "trusted", "never"]


class SearchSettings(Record):
    """How searches go about the tree."""

    exclude: Annotated[
        tuple[str, ...], Arg("Names left out of searches besides ignored files; `!name` takes one back.")
    ] = EXCLUDES


class EditSettings(Record):
    """How files are changed."""

    require_read: Annotated[
        bool, Arg("Refuse to edit, patch or overwrite a file that the session has not read; calls need a session.")
    ] = False


class ShellSettings(Record):
    """How commands run."""

    sandbox: Annotated[
        Literal["auto", "workspace", "require"],
        Arg(
            "What holds commands. auto: the kernel holds those that only read; workspace: the others run in a sandbox "
            "too, as far as this machine has one; require: nothing runs without one."
        ),
    ] = "auto"
    network: Annotated[bool, Arg("Whether a command in the workspace sandbox reaches the network.")] = False
    keep_env: Annotated[
        tuple[str, ...],
        Arg("Variables that commands get although their names look like secrets; `AWS_*` is a pattern."),
    ] = ()
    auto_background_seconds: Annotated[
        float, Arg("Seconds after which a command that still runs becomes a job; 0: never.", minimum=0)
    ] = 0.0


class ToolSettings(Record):
    """Which of many tools a model is shown."""

    shown: Annotated[int, Arg("Tools up to which a model is shown all; of more it is shown the core.", minimum=0)] = 15
    core: Annotated[
        tuple[str, ...], Arg("Tools that a model is always shown; it finds the others by tools_search.")
    ] = CORE_TOOLS


class McpServer(Record):
    """One MCP server: a `command` to start or a `url` to post to; in a settings file `mcp` maps names to them."""

    name: Annotated[str, Arg("How its tools are called: `mcp__NAME__TOOL`.")] = ""
    command: Annotated[str, Arg("Program to start: a name, an absolute path, or `~/`.")] = ""
    args: Annotated[tuple[str, ...], Arg("Its arguments; `$NAME` and `${NAME}` stand for variables here too.")] = ()
    env: Annotated[dict[str, Any] | None, Arg("Variables it gets besides HOME, PATH and the like.")] = None
    url: Annotated[str, Arg("Address of a server that runs already.")] = ""
    headers: Annotated[dict[str, Any] | None, Arg("Headers sent with every request to the url.")] = None
    transport: Annotated[
        Literal["auto", "stdio", "http", "sse"], Arg("How it is spoken to; sse is the old kind of http.")
    ] = "auto"
    timeout_seconds: Annotated[float, Arg("Seconds one call may take, starting it too.", minimum=0.1, maximum=3600)] = (
        60.0
    )
    enabled_tools: Annotated[tuple[str, ...], Arg("Only these of its tools; patterns.")] = ()
    disabled_tools: Annotated[tuple[str, ...], Arg("All its tools but these; patterns.")] = ()


class Settings(Record):
    """All settings in force for a call. Lists add up over the layers; of scalars the later layer's wins."""

    allowed_tools: Annotated[tuple[str, ...], Arg("Rules for what runs unasked, such as `edit(src/**)`.")] = ()
    denied_tools: Annotated[tuple[str, ...], Arg("Rules for what never runs, such as `bash(git push:*)`.")] = ()
    yolo: Annotated[bool, Arg("Never ask; refusals, denials and bans still hold.")] = False
    roots: Annotated[tuple[str, ...], Arg("More trees the tools may touch: `DIR` or `DIR:ro`, absolute or `~/`.")] = ()
    secrets: Annotated[tuple[str, ...], Arg("Names asked about before they are shown; `!name` makes an exception.")] = (
        SECRETS
    )
    protected: Annotated[
        tuple[str, ...], Arg("Names changed only under a rule that names them; `!name` makes an exception.")
    ] = PROTECTED
    banned_commands: Annotated[
        tuple[str, ...], Arg("Programs run only under a rule that names them; `!name` takes one back.")
    ] = BANNED_COMMANDS
    images: Annotated[bool, Arg("Whether the model can see images.")] = True
    encoding: Annotated[str, Arg("Encoding of text that is neither UTF-8 nor marked; empty: the likeliest.")] = ""
    limits: Annotated[Limits, Arg("Caps of one call.")] = Limits()
    edit: Annotated[EditSettings, Arg("Editing.")] = EditSettings()
    search: Annotated[SearchSettings, Arg("Searching.")] = SearchSettings()
    shell: Annotated[ShellSettings, Arg("Running commands.")] = ShellSettings()
    tools: Annotated[ToolSettings, Arg("Which of many tools a model is shown.")] = ToolSettings()
    mcp: Annotated[tuple[McpServer, ...], Arg("Servers whose tools are tools here: `NAME: {command: PROGRAM}`.")] = ()


# `grows`: entries are added, those that begin with `!` need trust. `lowers`: only to a smaller number.
# `false`, `true`: only to that. `tightens`: only to a later one of the choices. `trusted`: nothing without trust.
# `never`: not even with it.
_DIRECTIONS: dict[str, Direction] = {
    "allowed_tools": "trusted",
    "denied_tools": "grows",
    "yolo": "never",
    "roots": "never",
    "secrets": "grows",
    "protected": "grows",
    "banned_commands": "grows",
    "images": "false",
    "encoding": "trusted",
    "edit.require_read": "true",
    "limits": "lowers",
    "limits.journal_bytes": "trusted",  # lower, it would drop the undo history of other projects
    "limits.journal_days": "trusted",
    "limits.jobs_count": "trusted",  # lower, it would take away the output of other projects' jobs
    "limits.jobs_days": "trusted",
    "limits.jobs_bytes": "trusted",
    "tools": "trusted",
    "mcp": "trusted",  # they start programs
    "search.exclude": "grows",
    "shell.keep_env": "trusted",
    "shell.sandbox": "tightens",
    "shell.network": "false",
    "shell.auto_background_seconds": "trusted",
}

# where `!name` stays in the list as an exception; elsewhere it takes `name` out
ORDERED_LISTS = ("secrets", "protected")
RULE_LISTS = ("allowed_tools", "denied_tools")


def direction_of(key: str) -> Direction:
    """Return how far a project may move the setting `key` (`limits.read_lines`) before it is trusted."""
    return _DIRECTIONS.get(key) or _DIRECTIONS[key.partition(".")[0]]


def choices_of(key: str) -> tuple[str, ...]:
    """Return the values that a setting of choices may have, the loosest first."""
    room, _, name = key.partition(".")
    return next(field.shape.choices for field in fields_of(type(getattr(Settings(), room))) if field.name == name)
