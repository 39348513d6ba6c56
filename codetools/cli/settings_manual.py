"""The man page of the settings: every setting from its declaration, and how rules are written and weighed."""

from collections.abc import Iterator
from typing import Any

from codetools.cli.manual import escaped, head, joined, table, text_lines
from codetools.config.layers import default_of
from codetools.config.settings import Direction, McpServer, Settings, direction_of
from codetools.core.record import Record
from codetools.core.shape import Field, fields_of

SUMMARY = "settings of codetools, and the rules of what it may do"
DESCRIPTION = (
    "The settings are YAML: the user's file, and the project's .codetools/config.yaml. Plain mappings, lists and "
    "scalars are understood; tags, anchors, aliases, merge keys and duplicate keys are not, and only true and "
    "false are booleans. An unknown key is an error that names the nearest one, and a file that does not parse or "
    "validate stops every call with status 78: it never counts as no rules.\n\n"
    "The layers, from the weakest: built-in values, the user's file, allowed.yaml beside it (written by codetools "
    "permissions allow and deny, and by the answer always in a dialog), the project's file, the environment, the "
    "command line. Of a scalar the later layer wins; lists add up. Every value in force is printed with its "
    "origin by codetools config show; codetools config check validates the files.\n\n"
    "A project's file can only tighten until the user trusts it, with codetools config trust: at that path and "
    "with exactly that content. What each setting allows an untrusted project is said below."
)
DIRECTIONS: dict[Direction, str] = {
    "grows": "A project may add entries; one that begins with ! needs trust.",
    "lowers": "A project may lower it; to raise it needs trust.",
    "false": "A project may set it to false; true needs trust.",
    "true": "A project may set it to true; false needs trust.",
    "tightens": "A project may set it to a later one of these; an earlier one needs trust.",
    "trusted": "A project needs trust to set it.",
    "never": "A project never sets it, trusted or not.",
}
LONG_LIST = 4
GRAMMAR = (
    ("tool", "The whole tool, by its name. An unknown name is an error, so that no rule is silently void."),
    (
        "tool(glob)",
        "The tool on paths that match. * and ? stay within a name, ** crosses directories, [abc] is one of the "
        "letters; braces are not understood. read(glob) covers every tool that shows content, grep and the files "
        "a command reads too, edit(glob) every tool that changes files; another tool's name covers that one "
        "alone.",
    ),
    (
        "read(name), edit(name)",
        "Without a slash, a denied pattern matches at any depth, an allowed one at the root of the workspace "
        "only. With a slash it starts at the root. A denied directory is denied with all below it.",
    ),
    ("read(/abs), read(~/dir/**)", "A place outside the workspace."),
    (
        "bash(git status)",
        "A command of exactly these words. A script of several commands is allowed where each of them is, or does "
        "nothing by itself (cd src, echo, tail -5); a denial holds where one part is denied, and for the program by "
        "whichever path it is named. A redirection is a write of its file, and what is not understood without doubt "
        "is allowed by the bare rule bash alone. codetools permissions check bash shows the parts.",
    ),
    ("bash(git status:*)", "The same with any further words. A * within a word stands for any text of that word."),
    ("mcp__server__*, mcp__server__tool", "Tools of an MCP server."),
)
PRECEDENCE = (
    "Refusal, then denied, then allowed, then yolo, then the default: the first that applies decides. Refusals "
    "are lifted by nothing: a link in the workspace that leads out of it, deleting the root or a critical path, "
    "devices. A denial matches the path as written or the place it leads to, an allowance needs both. Yolo lifts "
    "questions only.\n\n"
    "By default, reading, listing and searching inside the workspace is allowed, but for names that may hold "
    "secrets; every change asks, undo too, and so does every read outside. A command runs unasked where it is "
    "known to only read and the kernel holds it to that; every other one asks."
)
NAMES = (
    (
        "secrets",
        "Names such as .env, id_* and *.pem are asked about before their content is shown, by whichever tool.",
    ),
    (
        "protected",
        "What runs code later, such as .git internals, hooks, editor tasks and shell startup files, and the "
        "user's own settings and state: changed only under a rule of the user's that names the path without a "
        "wildcard, such as edit(.envrc).",
    ),
    (
        "banned_commands",
        "Programs such as sudo, and uses such as git reset --hard, run only under a rule of the user's that names"
        " them, such as bash(sudo:*): a guard-rail; the sandbox is the wall. In 'npm install|i -g|--global', | stands"
        " between words of which one is enough, and an option counts wherever it stands.",
    ),
)
EXAMPLE = """allowed_tools: [read, grep, "bash(git status:*)", "edit(src/**)"]
denied_tools: ["read(.env*)", "bash(git push:*)"]
limits: {read_lines: 500}
mcp:
  docs: {command: npx, args: [-y, "@example/docs-server", $PWD], env: {DOCS_TOKEN: $DOCS_TOKEN}}
  search: {url: "https://search.example/mcp", headers: {Authorization: "Bearer ${SEARCH_TOKEN}"}}"""


def settings_manual() -> str:
    """Return the page codetools-config(5)."""
    lines = head("codetools-config", SUMMARY, section=5)
    lines += [".SH SYNOPSIS"]
    for path in ("$XDG_CONFIG_HOME/codetools/config.yaml", ".codetools/config.yaml"):
        lines += [f"\\fI{escaped(path)}\\fR", ".br"]
    lines = [*lines[:-1], ".SH DESCRIPTION", *text_lines(DESCRIPTION), ".SH SETTINGS"]
    for name, field in _settings(Settings, ""):
        lines += [".TP", f"\\fB{escaped(name)}\\fR", *text_lines(_explained(name, field))]
    lines += [".SH RULES", *text_lines("The entries of allowed_tools and denied_tools:"), *table(GRAMMAR)]
    lines += [".SH PRECEDENCE", *text_lines(PRECEDENCE), ".SH LISTS OF NAMES"]
    lines += [
        *table(NAMES),
        ".PP",
        *text_lines("Their entries: codetools config show secrets protected banned_commands."),
    ]
    lines += [".SH MCP SERVERS", *text_lines("What mcp says of each server, below its name:")]
    lines += table(tuple((field.name, _of_server(field)) for field in fields_of(McpServer) if field.name != "name"))
    lines += [".SH EXAMPLES", ".nf", *(f"\\&{escaped(line)}" for line in EXAMPLE.splitlines()), ".fi"]
    names = ("codetools", "codetools-config-show", "codetools-config-trust", "codetools-permissions-check")
    return "\n".join([*lines, ".SH SEE ALSO", *joined([f".BR {escaped(name)} (1)" for name in names])]) + "\n"


def _settings(record: type[Record], prefix: str) -> Iterator[tuple[str, Field]]:
    for field in fields_of(record):
        if isinstance(field.default, Record):
            yield from _settings(type(field.default), f"{prefix}{field.name}.")
        else:
            yield f"{prefix}{field.name}", field


def _explained(name: str, field: Field) -> str:
    direction = "A project may add entries." if name == "denied_tools" else DIRECTIONS[direction_of(name)]
    return f"{field.arg.help} {_default(default_of(name))} {direction}"


def _of_server(field: Field) -> str:
    values = f" One of: {', '.join(field.shape.choices)}." if field.shape.kind == "choice" else ""
    default = "" if field.default in (None, (), "") else f" {_default(field.default)}"
    return f"{field.arg.help}{values}{default}"


def _default(value: Any) -> str:
    if value in ((), ""):
        return "Default: none."
    if isinstance(value, tuple) and len(value) > LONG_LIST:
        return f"Default: {len(value)} entries, among them {', '.join(value[:LONG_LIST])}."
    if isinstance(value, tuple):
        return f"Default: {', '.join(value)}."
    return f"Default: {str(value).lower() if isinstance(value, bool) else value}."
