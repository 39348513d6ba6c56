"""Where every failure of the typed commands ends: one line or one envelope, an exit code, never a traceback."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from codetools.cli.reference import Command
from codetools.core.errors import Failure

if TYPE_CHECKING:
    from typer._click.exceptions import BadOptionUsage, ClickException

FLAG = "--json"


def guarded(action: Callable[[], Any], words: list[str]) -> int:
    """Run a command line and return its exit code, whatever happens."""
    started = monotonic()
    try:
        code = action()
    except Failure as failure:
        return _report(failure, words, _typed(words), started)
    except KeyboardInterrupt:
        return _report(Failure("interrupted", "interrupted."), words, _typed(words), started)
    except Exception as error:  # noqa: BLE001  the one broad catch of this door
        if (refused := _refused_by_typer(error)) is not None:
            command = _command_of(refused) or _typed(words)
            return _report(_usage(refused, command), words, command, started)
        from codetools.engine.record import internal
        from codetools.state.home import state_home

        return _report(internal(state_home(), error), words, None, started)
    return code if isinstance(code, int) else 0


def _refused_by_typer(error: Exception) -> "ClickException | None":
    typer = sys.modules.get("typer._click.exceptions")  # imported only for a line that it reads
    return error if typer is not None and isinstance(error, typer.ClickException) else None


def _usage(error: "ClickException", command: Command | None) -> Failure:
    if command is None:
        return _usage_of_group(error)
    from typer._click.exceptions import BadOptionUsage, NoSuchOption

    name = " ".join(command.words)
    see = f"codetools {name} --help"
    if isinstance(error, BadOptionUsage):
        return Failure("usage", f"{name}: {_said(error)}", f"See: {see}", {"option": error.option_name})
    if not isinstance(error, NoSuchOption):
        return Failure("usage", f"{name}: {error.format_message()}", f"See: {see}")
    shown = error.option_name
    from codetools.core.suggest import nearest

    known = [spelling for option in command.options for spelling in option.spellings]
    near = nearest(shown, [spelling for spelling in known if spelling.startswith("--")]) if shown[:2] == "--" else ""
    hint = f"Did you mean {near}?" if near else f"See: {see}; a value that begins with - comes after --."
    return Failure("usage", f"{name}: there is no option {shown}.", hint, {"option": shown})


def _usage_of_group(error: "ClickException") -> Failure:
    """Return what is wrong where the words name no command: a group's words, or none at all."""
    from typer._click.exceptions import NoSuchOption

    from codetools.cli.listing import missing_word

    group = getattr(getattr(error, "ctx", None), "command", None)
    if words := getattr(group, "words", ()):
        return missing_word(words)
    if isinstance(error, NoSuchOption):
        message = f"{error.option_name} is no option of codetools itself."
        return Failure("usage", message, "Options follow the command.")
    return Failure("usage", error.format_message(), "See: codetools --help")


def _said(error: "BadOptionUsage") -> str:
    takes_none = "does not take" in error.format_message()
    return f"{error.option_name} takes no value." if takes_none else f"{error.option_name} needs a value."


def _command_of(error: "ClickException") -> Command | None:
    context = getattr(error, "ctx", None)
    return getattr(context.command, "reference", None) if context is not None else None


def _report(failure: Failure, words: list[str], command: Command | None, started: float) -> int:
    """Print a failure; nothing is imported here that a bug in a tool could break."""
    from codetools.cli.printing import Printing, print_outcome
    from codetools.cli.values import Given
    from codetools.engine.call import failed

    name = command.tool if command else "codetools"
    outcome = failed(name, failure, started)
    return print_outcome(outcome, Printing(Given({}, {}, {"json": _asks_json(command, words)})))


def _typed(words: list[str]) -> Command | None:
    from codetools.cli.listing import every_command, tools_below

    for one in every_command():
        length = len(one.words)
        if tuple(words[:length]) == one.words:
            below = tools_below(one.words) if length < len(words) and one.takes_tool() else ()
            exact = (inner for inner in below if tuple(words[: len(inner.words)]) == inner.words)
            return next(exact, one).reference()
    return None


def _asks_json(command: Command | None, words: list[str]) -> bool:
    """Return whether `--json` was typed as an option, not as a value of one."""
    options = command.options if command else ()
    taking = {spelling for option in options if option.takes_value for spelling in (*option.spellings, *option.also)}
    is_value = False
    for word in words:
        if is_value:
            is_value = False
        elif word in ("--", FLAG):
            return word == FLAG
        else:
            is_value = word in taking
    return False
