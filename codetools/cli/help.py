"""Help pages: plain words in a pipe, styled on a terminal, always ending with examples."""

import sys

from codetools.cli.reference import Command, Parameter
from codetools.core.outcome import Span
from codetools.render.show import show_text
from codetools.render.terminal import Terminal, terminal_of

LEAST_COLUMNS = 40
MOST_COLUMNS = 100
LEFT_COLUMNS = 30
USAGE = "Usage: "
CONTINUED = " \\"
STYLES = {"heading": "bold", "option": "cyan", "match": "bold", "dim": "dim"}

Line = tuple[Span, ...]
Row = tuple[str, str]


def command_page(command: Command) -> list[Line]:
    """Return the help of one command."""
    width = columns()
    lines = [*usage_lines(command.usage(), width), (), *paragraph(command.summary, width), ()]
    if command.arguments:
        lines += [*_section("Arguments", [(word.metavar, explained(word)) for word in command.arguments], width), ()]
    for group in dict.fromkeys(option.group for option in command.options):
        rows = [(spelled(option), explained(option)) for option in command.options if option.group == group]
        if group == "Output":
            rows.append(("-h, --help" if not _takes_h(command) else "--help", "Show this page."))
        lines += [*_section(group or "Options", rows, width), ()]
    return [*lines, *_examples(command.examples)]


def group_page(words: tuple[str, ...], summary: str, rows: list[Row], examples: tuple[str, ...]) -> list[Line]:
    """Return the help of a group of commands; `rows` are its commands and what they do."""
    width = columns()
    name = " ".join(("codetools", *words))
    lines = [*usage_lines(f"{name} COMMAND [ARGUMENTS] [OPTIONS]", width), ()]
    lines += [*paragraph(summary, width), (), *_section("Commands", rows, width), ()]
    return [*lines, *_examples(examples)]


def spelled(option: Parameter) -> str:
    """Return an option as a help page shows it: `-g, --glob GLOB`."""
    return ", ".join(option.spellings) + (f" {option.metavar}" if option.takes_value else "")


def explained(parameter: Parameter) -> str:
    """Return what a parameter means, with its choices and default."""
    parts = [parameter.help]
    if parameter.choices:
        parts.append(f"One of: {', '.join(parameter.choices)}.")
    if parameter.repeats and parameter.takes_value and "repeatable" not in parameter.help:
        parts.append("Repeatable.")
    if parameter.default:
        parts.append(f"[default: {parameter.default}]")
    return " ".join(part for part in parts if part)


def columns() -> int:
    """Return how wide a page may be: that of the terminal, 80 in a pipe."""
    return min(MOST_COLUMNS, max(LEAST_COLUMNS, terminal_of(sys.stdout).width))


def plain(lines: list[Line]) -> str:
    """Return the page as plain text."""
    return "".join("".join(span.text for span in line).rstrip() + "\n" for line in lines)


def show_page(lines: list[Line]) -> None:
    """Print a page on standard output, through the pager where it is more than a screen. Raises `io`."""
    from codetools.cli.places import roots_of

    out = terminal_of(sys.stdout)
    show_text(printed(lines, out), out, roots_of({}) if out.is_terminal else ())


def printed(lines: list[Line], out: Terminal) -> str:
    """Return the page as text; styled by Rich where colour is wanted."""
    if not out.color:
        return plain(lines)
    import io

    from rich.console import Console
    from rich.text import Text

    page = io.StringIO()
    console = Console(file=page, force_terminal=True, width=columns(), highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((span.text, STYLES.get(span.role, "")) for span in line)))
    return page.getvalue()


def _takes_h(command: Command) -> bool:
    return any("-h" in option.spellings for option in command.options)


def _section(heading: str, rows: list[Row], width: int) -> list[Line]:
    left = min(LEFT_COLUMNS, width // 3, max(len(name) for name, _ in rows) + 2)
    lines: list[Line] = [_line(("heading", f"{heading}:"))]
    for name, meaning in rows:
        wrapped = _wrapped(meaning, max(20, width - left - 2)) or [""]
        if len(name) + 2 > left:
            lines.append(_line(("plain", "  "), ("option", name)))
            lines += [_line(("plain", " " * (left + 2) + text)) for text in wrapped]
            continue
        lines.append(_line(("plain", "  "), ("option", name), ("plain", " " * (left - len(name)) + wrapped[0])))
        lines += [_line(("plain", " " * (left + 2) + text)) for text in wrapped[1:]]
    return lines


def usage_lines(text: str, width: int) -> list[Line]:
    """Return the line that shows how a command is typed."""
    first, *rest = _wrapped(text, width - len(USAGE))
    return [_line(("heading", USAGE), ("plain", first)), *(_line(("plain", " " * len(USAGE) + line)) for line in rest)]


def paragraph(text: str, width: int) -> list[Line]:
    """Return running text as lines."""
    return [_line(("plain", line)) for line in _wrapped(text, width)]


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _examples(examples: tuple[str, ...]) -> list[Line]:
    lines = [line for example in examples for line in example_lines(example)]
    return [_line(("heading", "Examples:")), *(_line(("plain", line)) for line in lines)]


def example_lines(example: str) -> list[str]:
    """Return a command line, broken between its words where a terminal is narrower, so that a shell still takes it."""
    import re

    width = columns() if terminal_of(sys.stdout).is_terminal else len(example) + 4
    lines: list[str] = []
    line = " "
    for word in re.findall(r"""(?:'[^']*'|"[^"]*"|\S)+""", example):
        if line.strip() and len(line) + 1 + len(word) + len(CONTINUED) > width:
            lines.append(line + CONTINUED)
            line = "   "
        line += f" {word}"
    return [*lines, line]


def _line(*spans: tuple[str, str]) -> Line:
    return tuple(Span(text, role) for role, text in spans)
