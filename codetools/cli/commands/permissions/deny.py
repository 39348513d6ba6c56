"""Denies what a rule names, for always, or refuses a call that waits."""

import os

from codetools.cli.handmade import WHERE, handmade
from codetools.cli.naming import approval_named
from codetools.cli.person import refuse_below_a_call
from codetools.config.allowed import DENIED, add_rule, remove_rule
from codetools.config.rules import parse_rule
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.built_in import BUILT_IN
from codetools.engine.engine import STORE_NAME, Engine, start
from codetools.engine.options import Options


class Params(Record):
    """Which."""

    what: Annotated[
        tuple[str, ...],
        Arg(
            "Rule, such as 'bash(git push:*)', or the id of a call to refuse, or its beginning.",
            positional=True,
            metavar="RULE|ID",
        ),
    ]
    remove: Annotated[bool, Arg("Take back rules that were denied so.")] = False


class Denied(Result):
    """What was changed in the file, and the calls that were refused."""

    path: Path | None
    added: tuple[str, ...]
    removed: tuple[str, ...]
    refused: tuple[str, ...]

    def text(self) -> str:
        """Return one line each."""
        lines = [f"denied {rule}" for rule in self.added] + [f"took back {rule}" for rule in self.removed]
        return "\n".join([*lines, *(f"refused {name}" for name in self.refused)]) or "Nothing to change."


@handmade(
    examples=("codetools permissions deny 'bash(git push:*)'", "codetools permissions deny 3f9ac1"),
    options=WHERE,
)
def deny(params: Params, options: Options) -> Denied:
    """Deny what rules name, always, or refuse calls that wait for approval.

    Rules are written to allowed.yaml beside the user's settings. A denial wins over whatever allows.
    """
    refuse_below_a_call("permissions deny")
    engine = start(options)
    path = engine.config.allowed_path
    if params.remove:
        return Denied(path, (), tuple(rule for rule in params.what if remove_rule(path, rule, DENIED)), ())
    refused = {name: found for name in params.what if (found := _refused(engine, name))}
    rules = tuple(rule for rule in params.what if rule not in refused)
    for rule in rules:
        try:
            parse_rule(rule, "deny", "command line", BUILT_IN.names())
        except Failure as failure:
            raise Failure("usage", f"no such call waits, and it is no rule: {failure.message}", failure.hint) from None
    return Denied(path, tuple(rule for rule in rules if add_rule(path, rule, DENIED)), (), tuple(refused.values()))


def _refused(engine: Engine, name: str) -> str:
    """Refuse the call that waits under this name and return its id, or nothing where there is none."""
    if not name.isalnum() or name in BUILT_IN.names() or not os.path.exists(os.path.join(engine.home, STORE_NAME)):
        return ""
    from codetools.state.approvals import ApprovalStore

    store = ApprovalStore(engine.store())
    found = approval_named(store, name)
    return found.id if found and store.mark_denied(found.id, "permissions deny") else ""
