"""The man pages: roff made from the reference."""

from codetools import __version__
from codetools.cli.help import explained
from codetools.cli.reference import Command, Parameter

EXITS = (
    ("0", "Done. Where something was changed, it is durable."),
    ("1", "Ran well, and the answer is no: no match, nothing found, not allowed."),
    ("2", "The arguments are wrong."),
    ("65", "They do not fit the file: no match, not unique, stale, binary, no change."),
    ("66", "The file does not exist, or is of the wrong kind."),
    ("69", "Something needed is unavailable: a program, a server, an extra, a sandbox."),
    ("70", "A bug in codetools; the traceback is in the state directory."),
    ("74", "Input or output failed."),
    ("75", "Approval is required; nothing was done."),
    ("77", "Denied, outside the workspace, protected or banned."),
    ("78", "A settings file does not parse or validate."),
    ("124", "The time was up."),
    ("130", "Interrupted."),
)
CHILD_STATUS = "The direct command ends with the status of the command it ran (128+n where signal n ended it)."
ENVIRONMENT = (
    ("CODETOOLS_HOME", "State directory, instead of $XDG_STATE_HOME/codetools."),
    ("CODETOOLS_CONFIG", "As --config."),
    ("CODETOOLS_ROOT", "As --root."),
    ("CODETOOLS_SESSION", "As --session."),
    ("CODETOOLS_MESSAGE, CODETOOLS_CALL, CODETOOLS_MODEL", "Ids that the audit records."),
    ("CODETOOLS_IMAGES", "0 leaves images out of outcomes, 1 puts them in."),
    ("CODETOOLS_YOLO", "1 is as --yolo."),
    ("CODETOOLS_LOCK", "1 makes --yolo, --approve, --allow and --config fail."),
    ("NO_COLOR, FORCE_COLOR", "No colour; colour in a pipe too."),
)
FILES = (
    ("$XDG_CONFIG_HOME/codetools/config.yaml", "The user's settings."),
    ("$XDG_CONFIG_HOME/codetools/allowed.yaml", "Rules that were allowed for always; written by codetools."),
    (".codetools/config.yaml", "The project's settings; it can only tighten until it is trusted."),
    ("$XDG_STATE_HOME/codetools/", "Journal, approvals, audit, spools."),
)
RELEASED = "2026-11-21"  # of this version; a page does not change with the day on which it is made
MAX_SEE_ALSO = 6
SETTINGS_PAGE = ".BR codetools\\-config (5)"
WITH_RULES = ("config", "permissions")


def page_name(words: tuple[str, ...]) -> str:
    """Return the name of a command's page, without its section."""
    return "-".join(("codetools", *words))


def command_manual(command: Command, every: tuple[Command, ...]) -> str:
    """Return the man page of one command; `every` is where SEE ALSO looks for its siblings."""
    lines = [*head(page_name(command.words), command.summary)]
    lines += [".SH SYNOPSIS", f".B {escaped(command.name)}"]
    for argument in command.arguments:
        shown = f"\\fI{escaped(argument.metavar)}\\fR"
        lines.append(shown if argument.is_required else f"[{shown}]")
    lines += ["[\\fIOPTIONS\\fR]", ".SH DESCRIPTION", *text_lines(command.description or command.summary)]
    lines.append(".SH OPTIONS")
    for argument in command.arguments:
        lines += [".TP", f"\\fI{escaped(argument.metavar)}\\fR", *text_lines(explained(argument))]
    for group in dict.fromkeys(option.group for option in command.options):
        if group:
            lines.append(f".SS {escaped(group)}")
        for option in (option for option in command.options if option.group == group):
            lines += [".TP", _spelled(option), *text_lines(explained(option))]
    lines += [".SH EXIT STATUS"]
    if command.tool in ("bash", "exec"):
        lines += [*text_lines(CHILD_STATUS), ".PP", "Otherwise:"]
    lines += [*table(EXITS), *_examples(command.examples), *_see_also(command, every)]
    return "\n".join(lines) + "\n"


def main_manual(every: tuple[Command, ...], summary: str, examples: tuple[str, ...]) -> str:
    """Return the page of `codetools` itself, which lists every command."""
    lines = [*head("codetools", summary), ".SH SYNOPSIS", ".B codetools"]
    lines += ["\\fICOMMAND\\fR", "[\\fIARGUMENTS\\fR]", "[\\fIOPTIONS\\fR]", ".SH DESCRIPTION"]
    lines += [*text_lines(summary), ".PP", *text_lines(PROMISE), ".SH OPTIONS"]
    lines += [".TP", "\\fB\\-\\-version\\fR", "Print the version."]
    lines += [".TP", "\\fB\\-\\-help\\fR", "Show the help page; without a command, list the commands."]
    # an entry that is no option, for fish: it reads the last option of a page up to the next entry
    lines += [".TP", "\\fICOMMAND\\fR", "One of those below; its options follow it."]
    lines.append(".SH COMMANDS")
    for command in every:
        lines += [".TP", f"\\fB{escaped(page_name(command.words))}\\fR(1)", *text_lines(command.summary)]
    lines += [".SH ENVIRONMENT", *table(ENVIRONMENT), ".SH FILES", *table(FILES)]
    lines += [".SH EXIT STATUS", *table(EXITS), *_examples(examples)]
    names = [f".BR {escaped(page_name(command.words))} (1)" for command in every]
    return "\n".join([*lines, ".SH SEE ALSO", *joined([*names, SETTINGS_PAGE])]) + "\n"


PROMISE = (
    "Every command takes plain arguments and prints for people: colour and layout on a terminal, plain text in a pipe, "
    "one JSON document with --json. A program calls the same tools with codetools call and gets one JSON envelope. "
    "What changes a file asks first, unless a rule allows it, and can be undone."
)


def escaped(text: str) -> str:
    """Return text that roff prints as it is, wherever it stands in a line."""
    table = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
    safe = "".join(table.get(letter, letter) if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return f"\\&{safe}" if safe.startswith(".") else safe


def head(name: str, summary: str, section: int = 1) -> list[str]:
    """Return the beginning of a page, up to its NAME."""
    title = escaped(name.upper())
    return [
        '.\\" Made by "codetools generate man": edit the declaration instead.',
        f'.TH {title} {section} "{RELEASED}" "codetools {__version__}" "codetools manual"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(summary.rstrip('.'))}",
    ]


def text_lines(text: str) -> list[str]:
    """Return paragraphs, one sentence to a line where that is easy to see."""
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        if lines:
            lines.append(".PP")
        lines += [
            escaped(" ".join(line.split())) for line in paragraph.replace(". ", ".\n").split("\n") if line.strip()
        ]
    return lines


def _spelled(option: Parameter) -> str:
    names = ", ".join(f"\\fB{escaped(spelling)}\\fR" for spelling in option.spellings)
    return f"{names} \\fI{escaped(option.metavar)}\\fR" if option.takes_value else names


def table(rows: tuple[tuple[str, str], ...]) -> list[str]:
    """Return tagged paragraphs: what each thing means."""
    return [line for name, meaning in rows for line in (".TP", f"\\fB{escaped(name)}\\fR", *text_lines(meaning))]


def _examples(examples: tuple[str, ...]) -> list[str]:
    return [".SH EXAMPLES", ".nf", *(f"\\&{escaped(example)}" for example in examples), ".fi"]


def _see_also(command: Command, every: tuple[Command, ...]) -> list[str]:
    siblings = [other for other in every if other.words[:-1] == command.words[:-1] and other.words != command.words]
    named = [other for other in every if other.words and f"`{other.words[-1]}`" in command.description]
    shown = dict.fromkeys(page_name(other.words) for other in (*named, *siblings) if other.words != command.words)
    names = ["codetools", *list(shown)[:MAX_SEE_ALSO]]
    pages = [f".BR {escaped(name)} (1)" for name in names]
    return [".SH SEE ALSO", *joined([*pages, SETTINGS_PAGE] if command.words[0] in WITH_RULES else pages)]


def joined(names: list[str]) -> list[str]:
    """Return the lines of a list with commas."""
    return [f"{name}," if place < len(names) - 1 else name for place, name in enumerate(names)]
