"""Sample outcomes for the tests of this room."""

from typing import Any

from codetools.core.errors import Failure
from codetools.core.outcome import Change, Outcome, Result
from codetools.core.path import Path

DIFF = """\
--- a/app.py
+++ b/app.py
@@ -1,3 +1,3 @@
 def main():
-    return 1
+    return 2
 # end
"""


class Lines(Result):
    path: Path
    content: str
    encoding: str | None = None

    def text(self) -> str:
        return self.content


def outcome(data: Result | None = None, **changes: Any) -> Outcome:
    base = Outcome(
        tool="read",
        text="" if data is None else data.text(),
        data=data,
        failure=None,
        changes=(),
        changed=False,
        dry_run=False,
        undo=None,
        notices=(),
        images=(),
        duration_ms=12,
        cwd=Path("/p"),
    )
    return base.but(**changes)


def failed(kind: str, message: str, hint: str = "", **extra: Any) -> Outcome:
    failure = Failure(kind, message, hint, **extra)
    return outcome(tool="edit", text=failure.model_text(), failure=failure)


def edited(**changes: Any) -> Outcome:
    change = Change(Path("app.py"), "modify", DIFF, 1, 1, "ab" * 32)
    return outcome(tool="edit", text="app.py was edited.", changes=(change,), changed=True, undo="17").but(**changes)
