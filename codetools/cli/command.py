"""A Typer command made from one entry of the reference."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from typer._click.exceptions import NoSuchOption
from typer.core import TyperArgument, TyperCommand, TyperOption

from codetools.cli.doors import HELP_NAMES
from codetools.cli.reference import Command, Parameter
from codetools.cli.values import Given, gather
from codetools.core.errors import Failure
from codetools.core.load import said_instead

if TYPE_CHECKING:
    from codetools.cli.help import Line

Run = Callable[[Given], int]


class MadeCommand(TyperCommand):
    """One command of the command line; `run` gets what was typed and returns the exit code."""

    def __init__(self, reference: Command, run: Run) -> None:
        super().__init__(
            name=reference.words[-1],
            params=_typer_parameters(reference),
            callback=self._called,
            help=reference.summary,
            context_settings={"help_option_names": HELP_NAMES},
            rich_markup_mode=None,
        )
        self.reference = reference
        self._run = run

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of this command; where one is known elsewhere, say what to do instead."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except NoSuchOption as error:
            for word in words:  # of `-exec` the parser names `-e`
                if word.startswith(error.option_name) and (said := said_instead(word, self.reference.instead)):
                    name = " ".join(self.reference.words)
                    raise Failure("usage", f"{name}: there is no {word}: {said}.", "", {"option": word}) from None
            raise

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that shows the help page."""
        return printing_help(super().get_help_option(ctx))

    def get_help(self, ctx: Any) -> str:
        """Return the help page as plain text."""
        from codetools.cli.help import plain

        return plain(self.help_page())

    def help_page(self) -> "list[Line]":
        """Return the lines of the help page."""
        from codetools.cli.help import command_page

        return command_page(self.reference)

    def _called(self, **found: Any) -> int:
        typed = [
            (parameter, _only(parameter, found[_slot(place)]) if parameter.is_once else found[_slot(place)])
            for place, parameter in enumerate(self.reference.parameters)
            if found[_slot(place)] not in (None, ())
        ]
        return self._run(gather(self.reference, typed))


def printing_help(option: Any) -> Any:
    """Return a help option that prints the page as everything is printed: a full output is an error."""
    if option is not None:
        option.callback = _print_help
    return option


def _print_help(ctx: Any, parameter: Any, is_given: bool) -> None:
    if is_given and not ctx.resilient_parsing:
        from codetools.cli.help import show_page

        show_page(ctx.command.help_page())
        ctx.exit()


def _typer_parameters(reference: Command) -> list[Any]:
    last = reference.arguments[-1] if reference.arguments else None
    parameters = enumerate(reference.parameters)
    return [_typer_parameter(parameter, place, is_last=parameter is last) for place, parameter in parameters]


def _typer_parameter(parameter: Parameter, place: int, *, is_last: bool) -> Any:
    if parameter.fills == "argument":
        nargs = -1 if is_last else 1  # the last takes all the rest, so that we say ourselves what is too many
        return TyperArgument(param_decls=[_slot(place)], nargs=nargs, metavar=parameter.metavar, help=parameter.help)
    return TyperOption(
        param_decls=[_slot(place), *parameter.spellings, *parameter.also],
        is_flag=not parameter.takes_value,
        multiple=(parameter.repeats or parameter.is_once) and parameter.takes_value,
        metavar=parameter.metavar or None,
        help=parameter.help,
    )


def _only(parameter: Parameter, values: tuple[str, ...]) -> str:
    if len(values) > 1:
        hint = "Give one; for any of several: 'a|b'." if parameter.name == "pattern" else "Give one."
        raise Failure("usage", f"{parameter.spellings[-1]} is given {len(values)} times.", hint)
    return values[0]


def _slot(place: int) -> str:
    return f"parameter_{place}"
