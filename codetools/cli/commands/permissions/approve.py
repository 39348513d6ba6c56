"""A person's yes to one call that was asked about."""

from codetools.cli.handmade import handmade
from codetools.cli.naming import approval_named
from codetools.cli.person import confirms, is_at_terminal, refuse_below_a_call
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options
from codetools.render.escape import escape_line
from codetools.render.operation import operation_lines
from codetools.state.approvals import Approval, ApprovalStore
from codetools.state.home import state_home
from codetools.state.store import open_store


class Params(Record):
    """Which call."""

    id: Annotated[str, Arg("Id of the approval, or its beginning.", positional=True)]


class Approved(Result):
    """The call that may run once."""

    id: str
    tool: str
    operation: str

    def text(self) -> str:
        """Return one line."""
        return f"approved {self.id}: the same call, made again, runs once."


@handmade(examples=("codetools permissions approve 3f9ac1", "codetools permissions list"))
def approve(params: Params, options: Options) -> Approved:
    """Approve a call that was asked about: the same call, made again within the hour, runs once.

    This is a person's word, so it is given on a terminal, where what the call would do is shown first.
    """
    refuse_below_a_call("permissions approve")
    store = ApprovalStore(open_store(state_home(), Limits().lock_seconds))
    found = _waiting(approval_named(store, params.id), params.id)
    if not is_at_terminal():
        raise Failure("denied", "permissions approve needs a person at a terminal.", "A harness gives --approve ID.")
    heading = operation_lines(f"{found.tool}: {found.operation}")
    shown = "\n".join([*heading, f"in {escape_line(found.root)}", *([found.preview] if found.preview else [])])
    if not confirms(shown, "Let this call run once?"):
        store.mark_denied(found.id, "permissions approve")
        raise Failure("denied", f"{found.id}: you said no.")
    if not store.mark_approved(found.id, "permissions approve"):
        raise Failure("stale", f"{found.id} was decided or expired meanwhile.")
    return Approved(found.id, found.tool, found.operation)


def _waiting(found: Approval | None, name: str) -> Approval:
    if found is None:
        raise Failure("not_found", f"there is no approval {name!r}.", "See: codetools permissions list")
    if found.is_expired or found.state != "waiting":
        reason = "has expired" if found.is_expired else f"is {found.state}"
        raise Failure("stale", f"{name} {reason}.", "Make the call again to ask again.")
    return found
