"""What bare `codetools` shows, and the lists of commands: which there are, grouped by what they may do."""

from codetools.cli.help import Line, columns, example_lines, group_page, paragraph, usage_lines
from codetools.cli.listing import TOP_SUMMARY, Listed, every_command, summary_of
from codetools.core.outcome import Span
from codetools.core.tool import Tool

EXAMPLES = (
    "codetools grep TODO src",
    "codetools edit app.py 'x = 1' 'x = 2'",
    """codetools call read '{"file_path": "README.md"}'""",
)
EXAMPLE_NOTES = ("search", "change, undoable", "the same, for a program")
KIND_COLUMNS = 10


def front_page() -> list[Line]:
    """Return the page of bare `codetools`: it fits a screen."""
    kinds: dict[str, list[str]] = {"Look": [], "Change": [], "Run": [], "Manage": []}
    for one in every_command():
        kind, word = _kind(one), one.words[0]
        if word not in kinds[kind]:
            kinds[kind].append(word)
    lines: list[Line] = [
        *paragraph(TOP_SUMMARY, columns()),
        (),
        *usage_lines("codetools COMMAND [ARGUMENTS] [OPTIONS]", columns()),
        (),
    ]
    for kind, words in kinds.items():
        lines += _listed(kind, words)
    lines += [(), (Span("Examples:", "heading"),)]
    lines += _examples()
    return [
        *lines,
        (),
        *paragraph("More: codetools COMMAND --help. For programs: --json, codetools call.", columns()),
    ]


def listing_page(words: tuple[str, ...], below: tuple[Listed, ...]) -> list[Line]:
    """Return the page that lists the commands below `words`, each with what it does."""
    rows: dict[str, str] = {}
    for one in below:
        word = one.words[len(words)]
        is_exact = len(one.words) == len(words) + 1
        rows.setdefault(word, one.reference().summary if is_exact else summary_of((*words, word)))
    exact = [one for one in below if len(one.words) == len(words) + 1]
    examples = EXAMPLES if not words else tuple(one.reference().examples[0] for one in exact[:2])
    return group_page(words, summary_of(words), list(rows.items()), examples)


def _kind(one: Listed) -> str:
    found = one.loaded()
    if not isinstance(found, Tool):
        return "Manage"
    if found.effects.read_only:
        return "Look"
    return "Change" if found.effects.stages else "Run"


def _listed(kind: str, words: list[str]) -> list[Line]:
    import textwrap

    wrapped = textwrap.wrap(" ".join(words), columns() - KIND_COLUMNS - 2) if words else []
    rows: list[Line] = []
    for place, text in enumerate(wrapped):
        label = kind if place == 0 else ""
        rows.append((Span(f"  {label.ljust(KIND_COLUMNS)}", "option"), Span(text)))
    return rows


def _examples() -> list[Line]:
    """Return the examples, with what they are where there is room for it."""
    width = max(map(len, EXAMPLES)) + 2
    if 2 + width + max(map(len, EXAMPLE_NOTES)) > columns():
        return [(Span(line),) for example in EXAMPLES for line in example_lines(example)]
    pairs = zip(EXAMPLES, EXAMPLE_NOTES, strict=True)
    return [(Span(f"  {example.ljust(width)}"), Span(note, "dim")) for example, note in pairs]
