"""One failure for several edits that belong together: which of them fit and which do not, each by its number."""

from collections.abc import Sequence
from typing import Any

from codetools.core.errors import Failure


def failure_of(edits: Sequence[tuple[Failure | None, tuple[int, ...]]], hint: str) -> Failure:
    """Return the failure of a call whose edits are each a failure, or None and its lines; the first one's kind."""
    failures = [failure for failure, _ in edits if failure is not None]
    first = failures[0]
    if len(edits) == 1:
        return first
    more = f" {len(failures) - 1} more of {len(edits)} edits failed." if len(failures) > 1 else ""
    message = f"{first.message}{more} Nothing was changed."
    hint = hint or first.hint
    shown = [_shown(failure) for failure in failures]
    statuses = [_status(number, failure, lines) for number, (failure, lines) in enumerate(edits, 1)]
    fitting = [str(status["edit"]) for status in statuses if status["status"] == "fits"]
    if fitting:
        shown.append(f"Edit{'s' * (len(fitting) > 1)} {', '.join(fitting)} would fit.")
    details = {**first.details, "edits": statuses}
    return Failure(first.kind, message, hint, details, text="\n".join([*shown, "Nothing was changed.", hint]))


def _shown(failure: Failure) -> str:
    text = failure.text or failure.message
    return text.removesuffix(failure.hint).rstrip("\n")


def _status(number: int, failure: Failure | None, lines: tuple[int, ...]) -> dict[str, Any]:
    if failure is None:
        return {"edit": number, "status": "fits", "lines": list(lines)}
    return {"edit": number, "status": "failed", "kind": failure.kind, "message": failure.message, **failure.details}
