"""What a declaration says about one argument beyond its type."""

from typing import TYPE_CHECKING, Any

from codetools.core.record import Record

if TYPE_CHECKING:
    from typing import Annotated as Annotated
else:

    class Annotated:
        """What `typing.Annotated` is to a reader; making a hundred of those costs a third of a bare start."""

        __slots__ = ("arg", "type")

        def __class_getitem__(cls, items: tuple[Any, "Arg"]) -> "Annotated":
            made = object.__new__(cls)
            made.type, made.arg = items
            return made


class Arg(Record):
    """One argument, setting or result field, as every door shows it.

    `short`: one letter for the command line. `aliases`: other names accepted from JSON and as long options.
    `flags`: for a choice, (value, letter) pairs that also get an option of their own, such as ripgrep's `-l`; the
    letter may be empty. `text`: long text, so the command line also takes `--NAME-file PATH` (`-` is standard input).
    `example`: part of the example call, although it may be left out.
    `model=False`: accepted everywhere but left out of the schema that a model pays for.
    """

    help: str
    positional: bool = False
    short: str = ""
    minimum: float | None = None
    maximum: float | None = None
    metavar: str = ""
    aliases: tuple[str, ...] = ()
    flags: tuple[tuple[str, str], ...] = ()
    text: bool = False
    example: bool = False
    model: bool = True
