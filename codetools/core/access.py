"""What a call is about to do, and who is asked: files and shell put it, the engine answers."""

from typing import TYPE_CHECKING, Literal

from codetools.core.path import Path
from codetools.core.record import Record


class PathAccess(Record):
    """One path about to be listed, shown or changed.

    `written` is the absolute path as named (normalised, links not resolved), `reached` the absolute path of the object
    itself. `inside` is whether it lies in a workspace root; `root` is that root, or "/" outside. For `write`, a root
    that is read only has `writable` False.
    """

    action: Literal["list", "read", "edit"]
    written: Path
    reached: Path
    inside: bool
    root: Path
    writable: bool = True


class CommandPart(Record):
    """One simple command of a script, and what it was judged to be.

    `words` are as bash would pass them on; of those that it makes when it runs, after the first `known`, as they are
    written. `text` is what was written. `kind` is its class: search, read, list, write, silent, general, neutral.
    `assigned` are variables set for it that may change what it does. `writes` are the files that its output goes to,
    `touches` those that its operands name to be changed. A `banned` one falls under `entry` of the list, or is
    `is_critical`: no rule lifts that. `is_harmless`: it needs no rule. `is_opaque`: no rule can speak of it.
    `is_guess`: it may be no command at all; only denials look at it. `within` is the part that runs it.
    """

    words: tuple[str, ...]
    verdict: Literal["read_only", "ask", "banned"]
    reason: str
    kind: str = "general"
    text: str = ""
    known: int | None = None
    assigned: tuple[str, ...] = ()
    writes: tuple[PathAccess, ...] = ()
    touches: tuple[PathAccess, ...] = ()
    entry: str = ""
    is_critical: bool = False
    is_harmless: bool = False
    is_opaque: bool = False
    is_guess: bool = False
    within: int | None = None


class CommandAccess(Record):
    """One command about to run. `words` are the words of a command that is one simple command of literal words.

    `shows` are the paths that it is known to list or read, `kind` the class of all parts together.
    """

    command: str
    words: tuple[str, ...] | None
    verdict: Literal["read_only", "ask", "banned"]
    reason: str
    parts: tuple[CommandPart, ...]
    is_enforced: bool  # the kernel will hold a read_only verdict to its word
    working_dir: Path
    shows: tuple[PathAccess, ...] = ()
    kind: str = "general"
    leaves_sandbox: bool = False  # it asks to run without the sandbox that the settings want


if TYPE_CHECKING:  # making a Protocol costs a tenth of a call
    from typing import Protocol

    class Gate(Protocol):
        """The policy as a tool's surroundings see it."""

        def path(self, access: PathAccess) -> None:
            """Let the access pass (an edit may be gathered, to be asked about later), or raise a Failure."""

        def may_show(self, access: PathAccess) -> bool:
            """Return whether a file's content may be shown without asking; for rows found by a search."""

        def hidden(self) -> tuple[str, ...]:
            """Return the name patterns that a command which searches whole trees passes over besides secrets."""

        def command(self, access: CommandAccess) -> None:
            """Let the command run, or raise a Failure."""

        def job(self, job_id: str, *, is_own: bool) -> None:
            """Let the call at a background job, or raise a Failure; `is_own` says whether its session started it."""
