"""The Typer app: finds the one command that was typed, and loads no other."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from codetools.cli.boundary import guarded
from codetools.cli.command import MadeCommand, printing_help
from codetools.cli.doors import HELP_NAMES, door_for
from codetools.cli.listing import TOP_SUMMARY, Listed, every_command, missing_word, summary_of, tools_below
from codetools.core.errors import Failure
from codetools.core.tool import Tool
from codetools.render.write import write_out

if TYPE_CHECKING:
    from codetools.cli.help import Line

PROGRAM = "codetools"


class Commands(TyperGroup):
    """The commands below some words: all of them at the top, those of `tools` below `tools`."""

    words: tuple[str, ...] = ()
    below: tuple[Listed, ...] | None = None  # None: those of the whole program

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the next words that exist, without importing a command."""
        return sorted({one.words[len(self.words)] for one in self._all()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and return one command, a group of commands, or None."""
        words = (*self.words, cmd_name)
        below = tuple(one for one in self._all() if one.words[: len(words)] == words)
        exact = next((one for one in below if one.words == words), None)
        if exact is not None:
            return _made(exact)
        return _group(words, below) if below else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that the first word names; raise `usage` with the nearest one where there is none."""
        word = args[0]
        command = self.get_command(ctx, word)
        if command is None:
            raise self._unknown(ctx, word)
        return word, command, args[1:]

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that shows the list."""
        return printing_help(super().get_help_option(ctx))

    def get_help(self, ctx: Any) -> str:
        """Return the page that lists the commands, as plain text."""
        from codetools.cli.help import plain

        return plain(self.help_page())

    def help_page(self) -> "list[Line]":
        """Return the lines of the page that lists the commands."""
        from codetools.cli.front import listing_page

        return listing_page(self.words, self._all())

    def invoke(self, ctx: Any) -> Any:
        """Run the command; without one, the top shows what there is and a group says what is missing."""
        if ctx._protected_args or ctx.params.get("version"):
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt:  # before Click sees it, which would print a line of its own
                raise Failure("interrupted", "interrupted.") from None
        if self.words:
            raise missing_word(self.words)
        from codetools.cli.front import front_page
        from codetools.cli.help import show_page

        show_page(front_page())
        return 0

    def _all(self) -> tuple[Listed, ...]:
        depth = len(self.words)
        every = every_command() if self.below is None else self.below
        return tuple(one for one in every if len(one.words) > depth)

    def _unknown(self, ctx: Any, word: str) -> Failure:
        from codetools.core.suggest import nearest

        name = " ".join((*self.words, word))
        near = self._known_elsewhere(word) or nearest(word, self.list_commands(ctx))
        hint = f"Did you mean {' '.join((PROGRAM, *self.words, near))}?" if near else f"See: {PROGRAM} --help"
        return Failure("usage", f"there is no command {name!r}.", hint)

    def _known_elsewhere(self, word: str) -> str:
        """Return the command of the tool that models and other shells know by this name, as `rm`."""
        known = () if self.words else (one.loaded() for one in self._all() if one.tool)
        return next((" ".join(tool.words) for tool in known if isinstance(tool, Tool) and word in tool.aliases), "")


class Root(Commands):
    """The top: every way in ends here, and no exception leaves."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; exit with its code, or return it where `standalone_mode` is False."""
        words = list(sys.argv[1:] if args is None else args)
        run = super().main
        if (door := door_for(words)) is not None:
            code = door(words[1:])
        else:
            code = guarded(lambda: run(words, PROGRAM, standalone_mode=False, **extra), words)
        if standalone_mode:
            sys.exit(code)
        return code

    def _main_shell_completion(self, *args: Any, **named: Any) -> None:
        """Do nothing: completions are static files, and no variable in the environment may start one."""


app = typer.Typer(
    name=PROGRAM,
    cls=Root,
    help=TOP_SUMMARY,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_NAMES},
)


@app.callback()
def top(version: bool = typer.Option(False, "-V", "--version", help="Print the version.")) -> None:
    """Take the options that stand before a command."""
    if version:
        from codetools import __version__

        write_out(f"{PROGRAM} {__version__}\n")
        raise typer.Exit


def main(words: list[str]) -> int:
    """Run one command line; return its exit code."""
    code: int = typer.main.get_command(app).main(words, PROGRAM, standalone_mode=False)
    return code


def _group(words: tuple[str, ...], below: tuple[Listed, ...]) -> Commands:
    made = Commands(name=words[-1], help=summary_of(words), rich_markup_mode=None)
    made.words, made.below = words, below
    return made


def _made(one: Listed) -> MadeCommand | Commands:
    found = one.loaded()
    if isinstance(found, Tool):
        return _of_tool(found, one)
    if found.takes_tool:
        return _group(one.words, tools_below(one.words))
    from codetools.cli.run_handmade import run_handmade

    reference = found.reference()
    return MadeCommand(reference, lambda given: run_handmade(found, reference, given))


def _of_tool(tool: Tool, one: Listed) -> MadeCommand:
    reference = one.reference()
    if one.words == tool.words:
        from codetools.cli.run_tool import run_tool

        return MadeCommand(reference, lambda given: run_tool(tool, reference, given))
    from codetools.cli.checking import check_tool

    return MadeCommand(reference, lambda given: check_tool(tool, reference, given))
