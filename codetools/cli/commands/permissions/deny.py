"""Takes back what was allowed always, or refuses a call that waits."""

from typing import Annotated

from codetools.cli.handmade import WHERE, handmade
from codetools.cli.person import refuse_below_a_call
from codetools.config.allowed import remove_rule
from codetools.core.arg import Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.engine import Engine, start
from codetools.engine.options import Options


class Params(Record):
    """Which."""

    what: Annotated[
        tuple[str, ...], Arg("Rule to take back, or the id of a call to refuse.", positional=True, metavar="RULE|ID")
    ]


class Denied(Result):
    """Rules that were taken back, and calls that were refused."""

    removed: tuple[str, ...]
    refused: tuple[str, ...]

    def text(self) -> str:
        """Return one line each."""
        lines = [f"no longer allowed always: {rule}" for rule in self.removed]
        return "\n".join([*lines, *(f"refused {name}" for name in self.refused)])


@handmade(
    examples=("codetools permissions deny 'edit(src/**)'", "codetools permissions deny 3f9ac1"),
    options=WHERE,
)
def deny(params: Params, options: Options) -> Denied:
    """Take back rules that were allowed always, or refuse calls that wait for approval.

    To deny something for good, write a rule under denied_tools in the user's settings.
    """
    refuse_below_a_call("permissions deny")
    engine = start(options)
    removed: list[str] = []
    refused: list[str] = []
    for one in params.what:
        if remove_rule(engine.config.allowed_path, one):
            removed.append(one)
        elif _refuses(engine, one):
            refused.append(one)
        else:
            hint = "To deny it for good, write it under denied_tools in the user's settings."
            raise Failure("not_found", f"{one!r} is no rule of allowed.yaml and no call that waits.", hint)
    return Denied(tuple(removed), tuple(refused))


def _refuses(engine: Engine, name: str) -> bool:
    from codetools.state.approvals import ApprovalStore

    return ApprovalStore(engine.store()).mark_denied(name, "permissions deny")
