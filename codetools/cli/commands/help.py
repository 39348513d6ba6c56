"""Shows the page of a command."""

from codetools.cli.handmade import handmade
from codetools.cli.help import Line, command_page
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options
from codetools.render.terminal import Terminal


class Params(Record):
    """Which command."""

    command: Annotated[
        tuple[str, ...], Arg("Words of a command, or the name of a tool.", positional=True, metavar="TOPIC")
    ] = ()


class Page(Result):
    """One help page; `page` is its text, `command` what it is about."""

    command: tuple[str, ...]
    page: str

    def text(self) -> str:
        """Return the page."""
        return self.page


def page_for_person(page: Page, out: Terminal) -> str:
    """Return the page as `--help` shows it."""
    from codetools.cli.help import printed

    return printed(_lines(page.command), out)


@handmade(examples=("codetools help grep", "codetools help config trust"), form=page_for_person)
def help(params: Params, options: Options) -> Page:
    """Show the help of a command, the same as with --help."""
    from codetools.cli.help import plain

    return Page(params.command, plain(_lines(params.command)))


def _lines(words: tuple[str, ...]) -> list[Line]:
    from codetools.cli.front import listing_page
    from codetools.cli.listing import every_command
    from codetools.core.suggest import nearest

    every = every_command()
    for one in every:
        if words and (one.words == words or (one.tool,) == words):
            return command_page(one.reference())
    below = tuple(one for one in every if one.words[: len(words)] == words)
    if below:
        return listing_page(words, below)
    name = " ".join(words)
    near = nearest(name, [" ".join(one.words) for one in every])
    hint = f"Did you mean {near}?" if near else "See: codetools --help"
    raise Failure("usage", f"there is no command {name!r}.", hint)
