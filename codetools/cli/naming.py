"""Which waiting approval a person means: by its id, or by a beginning that no other one shares."""

from codetools.core.errors import Failure
from codetools.state.approvals import Approval, ApprovalStore

LEAST_CHARS = 4


def approval_named(store: ApprovalStore, name: str) -> Approval | None:
    """Return the approval of this id, or the one waiting whose id begins so; raise `usage` where several do."""
    found = store.find(name)
    if found is not None or len(name) < LEAST_CHARS:
        return found
    near = [waiting for waiting in store.waiting() if waiting.id.startswith(name)]
    if len(near) > 1:
        raise Failure(
            "usage", f"{len(near)} waiting calls begin with {name!r}.", f"One is {near[0].id}; type more of it."
        )
    return near[0] if near else None
