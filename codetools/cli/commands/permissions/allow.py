"""Allows what a rule names, for always."""

from codetools.cli.handmade import WHERE, handmade
from codetools.cli.person import refuse_below_a_call
from codetools.config.allowed import add_rule, remove_rule
from codetools.config.rules import parse_rule
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.built_in import BUILT_IN
from codetools.engine.engine import start
from codetools.engine.options import Options


class Params(Record):
    """Which rules."""

    rules: Annotated[tuple[str, ...], Arg("Rule, such as 'edit(src/**)' or 'bash(git status:*)'.", positional=True)]
    remove: Annotated[bool, Arg("Take back rules that were allowed so.")] = False


class Allowed(Result):
    """What was changed in the file; a rule that needed no change is not in it."""

    path: Path | None
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def text(self) -> str:
        """Return one line per rule."""
        lines = [f"allowed {rule}" for rule in self.added] + [f"took back {rule}" for rule in self.removed]
        return "\n".join(lines) or "Nothing to change."


@handmade(
    examples=("codetools permissions allow 'edit(src/**)'", "codetools permissions allow 'bash(git status:*)'"),
    options=WHERE,
)
def allow(params: Params, options: Options) -> Allowed:
    """Allow what rules name, always: they are written to allowed.yaml beside the user's settings."""
    refuse_below_a_call("permissions allow")
    path = start(options).config.allowed_path
    if params.remove:
        return Allowed(path, (), tuple(rule for rule in params.rules if remove_rule(path, rule)))
    for rule in params.rules:
        try:
            parse_rule(rule, "allow", "command line", BUILT_IN.names())
        except Failure as failure:
            raise Failure("usage", failure.message, failure.hint) from None
    return Allowed(path, tuple(rule for rule in params.rules if add_rule(path, rule)), ())
