"""Waits until a person has decided about a call."""

import time
from typing import Literal

from codetools.cli.handmade import handmade
from codetools.cli.naming import approval_named
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options
from codetools.state.approvals import VALID_SECONDS, ApprovalStore
from codetools.state.home import state_home
from codetools.state.store import open_store


class Params(Record):
    """Which call, and how long."""

    id: Annotated[str, Arg("Id of the approval, or its beginning.", positional=True)]
    timeout_seconds: Annotated[
        float, Arg("Seconds to wait.", short="t", minimum=0, maximum=VALID_SECONDS, metavar="SECONDS")
    ] = VALID_SECONDS


class Decided(Result):
    """What a person decided; `spent` is an approval that has been used."""

    id: str
    state: Literal["approved", "spent", "denied", "expired"]

    def text(self) -> str:
        """Return one line."""
        return f"{self.id}: {self.state}"

    def answers_no(self) -> bool:
        """Whether the call may not run."""
        return self.state in ("denied", "expired")


@handmade(examples=("codetools permissions wait 3f9ac1", "codetools permissions wait 3f9ac1 --timeout-seconds 60"))
def wait(params: Params, options: Options) -> Decided:
    """Wait until a person approves or denies a call that was asked about.

    The status is 0 for an approval, 1 for a denial or an hour that is over, and 124 where the time to wait was up.
    """
    store = ApprovalStore(open_store(state_home(), Limits().lock_seconds))
    deadline = time.monotonic() + params.timeout_seconds
    named = approval_named(store, params.id)
    found = store.wait(named.id, deadline) if named else None
    if found is None:
        raise Failure("not_found", f"there is no approval {params.id!r}.", "See: codetools permissions list")
    if found.state != "waiting":
        return Decided(found.id, found.state)
    if found.is_expired:
        return Decided(found.id, "expired")
    raise Failure("timeout", f"{params.id}: nobody has decided in {params.timeout_seconds:g} seconds.")
