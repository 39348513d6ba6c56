"""The options that follow every command, declared once for the command line, `call` and the man pages."""

from typing import Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record

Provider = Literal["anthropic", "openai", "openai-responses", "gemini"]


class Options(Record):
    """How one call is to be made: where, under which settings and whose word."""

    root: Annotated[Path | None, Arg("Workspace root; else the nearest .codetools/ or .git.", metavar="DIR")] = None
    directory: Annotated[Path | None, Arg("Working directory for relative paths.", short="C", metavar="DIR")] = None
    add_dir: Annotated[tuple[str, ...], Arg("One more tree, writable unless :ro; repeatable.", metavar="DIR[:ro]")] = ()
    config: Annotated[Path | None, Arg("Settings file, instead of the user's own.", metavar="FILE")] = None
    session: Annotated[str | None, Arg("Group this call with others under one id.", metavar="ID")] = None
    yolo: Annotated[bool, Arg("Do not ask; refusals, denials and bans still hold.")] = False
    approve: Annotated[str | None, Arg("Run a call that was asked about, once.", metavar="ID")] = None
    allow: Annotated[tuple[str, ...], Arg("Allow what this rule names; repeatable.", metavar="RULE")] = ()
    deny: Annotated[tuple[str, ...], Arg("Deny what this rule names; repeatable.", metavar="RULE")] = ()
    read_only: Annotated[bool, Arg("Deny every tool that can change anything.")] = False
    max_chars: Annotated[int | None, Arg("Cap on the characters of the text.", minimum=200, metavar="N")] = None


class StagingOptions(Options):
    """Options of a tool that only stages changes."""

    dry_run: Annotated[bool, Arg("Show what would change, change nothing.", short="n")] = False


class BatchOptions(Options):
    """Options of a door that takes many calls."""

    unordered: Annotated[bool, Arg("Answer each call when it is done, not in the order of the calls.")] = False
    stream: Annotated[bool, Arg("Pass output on as it comes, as events with the id of their call.")] = False


class AnswerOptions(Options):
    """Options of the door that answers a provider's response."""

    format: Annotated[Provider | None, Arg("Whose response it is; must be given.", short="f", metavar="FORMAT")] = None


class ServeOptions(Options):
    """Options of the MCP server."""

    all: Annotated[bool, Arg("List every tool, however many there are.")] = False
    http: Annotated[str | None, Arg("Serve streamable HTTP there instead of one client.", metavar="[HOST:]PORT")] = None
