"""Every command with its arguments, options and examples: what parsing, help, man pages and completions share."""

from typing import Any, Literal

from codetools.core.load import Instead
from codetools.core.record import MISSING, Record
from codetools.core.shape import Field, Shape, fields_of
from codetools.render.terminal import COLORS

CALL_OPTIONS = "How the call is made"
OUTPUT_OPTIONS = "Output"
Completes = Literal["", "file", "directory", "tool", "command", "file_type"]


class Parameter(Record):
    """One argument or option.

    `fills` says how it gives field `name` its value: an `argument` by its place, a `value` by the word after it, a
    `file` by the content of the file named, a `flag` by being there (`no_flag`: its contrary), a `choice` because it
    stands for `value`. `also` are other spellings that are understood and not shown. Of an option given twice the last
    counts, but one of those that `is_once`, which say what the call is about, is refused.
    """

    name: str
    fills: Literal["argument", "value", "file", "flag", "no_flag", "choice"]
    shape: Shape
    help: str = ""
    spellings: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    metavar: str = ""
    value: str = ""
    default: str = ""
    is_required: bool = False
    is_once: bool = False
    repeats: bool = False
    group: str = ""
    completes: Completes = ""

    @property
    def takes_value(self) -> bool:
        """Whether the word after the option belongs to it."""
        return self.fills in ("value", "file")

    @property
    def takes_rest(self) -> bool:
        """Whether several words given by place are one value: a command line, quoted word by word."""
        return self.fills == "argument" and not self.repeats and self.metavar.endswith("...")

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it can be given."""
        shape = self.shape.items if self.shape.kind == "list" else self.shape
        return tuple(shape.choices) if self.takes_value or self.fills == "argument" else ()


class Command(Record):
    """One command: `words` follow `codetools`, `tool` is its name in an envelope, `description` is for its page."""

    words: tuple[str, ...]
    tool: str
    summary: str
    parameters: tuple[Parameter, ...]
    examples: tuple[str, ...] = ()
    description: str = ""
    instead: Instead = ()

    @property
    def name(self) -> str:
        """The command as a person types it."""
        return " ".join(("codetools", *self.words))

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """What is given by place, in order."""
        return tuple(parameter for parameter in self.parameters if parameter.fills == "argument")

    @property
    def options(self) -> tuple[Parameter, ...]:
        """What is given by name."""
        return tuple(parameter for parameter in self.parameters if parameter.fills != "argument")

    def usage(self) -> str:
        """Return the line that shows how it is typed."""
        shown = (
            name if argument.is_required else f"[{name}]" for argument in self.arguments for name in [argument.metavar]
        )
        return " ".join((self.name, *shown, "[OPTIONS]"))


def parameters_of(
    own: type[Record], *common: type[Record], only: tuple[str, ...] | None = None
) -> tuple[Parameter, ...]:
    """Return the parameters that fill `own`, then those of the `common` Records whose names are not taken.

    `only` names the fields of the common Records that apply. A letter or name that an earlier one took is left out of a
    later one.
    """
    taken: set[str] = {"--help"}
    found = [parameter for field in fields_of(own) for parameter in _of_field(field, "", taken)]
    for record in common:
        for field in fields_of(record):
            if only is None or field.name in only:
                found.extend(_of_field(field, CALL_OPTIONS, taken))
    return tuple(found)


def output_parameters(streams: bool, taken: set[str]) -> tuple[Parameter, ...]:
    """Return the options every command has for what it prints."""
    flag, choice = Shape("boolean"), Shape("choice", choices=COLORS)
    every = [
        Parameter("json", "flag", flag, "Print one JSON document: the outcome.", ("--json",)),
        Parameter("color", "value", choice, "When to use colour.", ("--color",), metavar="WHEN", default="auto"),
    ]
    if streams:
        text = "Print output as it comes, one JSON event per line; the last is the outcome."
        every.insert(1, Parameter("stream", "flag", flag, text, ("--stream",)))
    every = [parameter.but(group=OUTPUT_OPTIONS) for parameter in every]
    return tuple(parameter for parameter in every if not taken.intersection(parameter.spellings))


def _of_field(field: Field, group: str, taken: set[str]) -> list[Parameter]:
    arg, shape = field.arg, field.shape
    long = f"--{field.name.replace('_', '-')}"
    base = Parameter(
        name=field.name,
        fills="flag" if shape.kind == "boolean" else "value",
        shape=shape,
        help=arg.help,
        metavar="" if shape.kind == "boolean" else _metavar(field),
        default=_shown_default(field),
        is_required=field.is_required,
        repeats=shape.kind == "list" and shape.items.kind not in ("record", "object"),
        group=group,
        completes=_completes(field),
    )
    found: list[Parameter] = []
    if arg.positional:
        dots = "..." if base.repeats and not base.metavar.endswith("...") else ""
        metavar = f"{base.metavar}{dots}"
        found.append(base.but(fills="argument", metavar=metavar))
        base = base.but(is_required=False, is_once=base.fills == "value" and not base.repeats)
    words = tuple(alias for alias in arg.aliases if alias.startswith("-") and len(alias) > 2)  # as find's `-name`
    if not arg.positional or arg.text or words:
        aliases = tuple(f"--{alias.replace('_', '-')}" for alias in arg.aliases if not alias.startswith("-"))
        letter = (f"-{arg.short}",) if arg.short else ()
        also = (*(() if arg.positional else aliases), *words)
        found.append(base.but(spellings=(*letter, long), also=also, default="" if arg.positional else base.default))
    if shape.kind == "boolean" and field.default is True:
        found.append(
            base.but(
                fills="no_flag",
                spellings=(f"--no-{long[2:]}",),
                default="",
                help=f"Turn {long} off; it is on by default.",
            )
        )
    if arg.text:
        text = f"Take {base.metavar} from PATH; - is standard input."
        found.append(
            base.but(
                fills="file",
                spellings=(f"{long}-file",),
                metavar="PATH",
                help=text,
                completes="file",
                default="",
                is_required=False,
            )
        )
    for value, letter_of_value in arg.flags:
        short = (f"-{letter_of_value}",) if letter_of_value else ()
        spellings = (*short, f"--{value.replace('_', '-')}")
        text = f"Short for {long} {value}."
        found.append(
            base.but(
                fills="choice", spellings=spellings, value=value, metavar="", help=text, default="", is_required=False
            )
        )
    return [free for parameter in found if (free := _without_taken(parameter, taken))]


def _without_taken(parameter: Parameter, taken: set[str]) -> Parameter | None:
    if parameter.fills == "argument":
        return parameter
    spellings = tuple(spelling for spelling in parameter.spellings if spelling not in taken)
    taken.update(spellings)
    also = tuple(spelling for spelling in parameter.also if spelling not in taken)
    taken.update(also)
    return parameter.but(spellings=spellings, also=also) if spellings else None


def _metavar(field: Field) -> str:
    if field.arg.metavar:
        return field.arg.metavar
    shape = field.shape.items if field.shape.kind == "list" else field.shape
    if shape.kind in ("record", "object"):
        return "JSON"
    if field.arg.positional:
        return field.name.upper().removesuffix("S") if field.shape.kind == "list" else field.name.upper()
    kinds = {"path": "PATH", "integer": "N", "number": "N", "choice": "WHICH"}
    return kinds.get(shape.kind, field.name.upper().split("_")[-1])


def _shown_default(field: Field) -> str:
    if field.default in (MISSING, None, (), "", False) or field.shape.kind == "boolean":
        return ""
    value: Any = field.default
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _completes(field: Field) -> Completes:
    shape = field.shape.items if field.shape.kind == "list" else field.shape
    metavar = field.arg.metavar.rstrip(".")
    if metavar == "TOOL":
        return "tool"
    if metavar == "TOPIC":
        return "command"
    if field.name == "type":
        return "file_type"
    if metavar.startswith("DIR"):
        return "directory"
    return "file" if shape.kind == "path" or metavar in ("FILE", "PATH") else ""
