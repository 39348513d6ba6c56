"""What a tool may do, and nothing else: handed to every tool."""

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from codetools.config.settings import Settings
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Image, Notice
from codetools.files.files import Files

if TYPE_CHECKING:
    from codetools.core.access import Gate
    from codetools.core.known import KnownTool
    from codetools.files.stale import Seen
    from codetools.shell.jobs.jobs import Jobs
    from codetools.state.journal import Journal
    from codetools.state.marks import Marks
    from codetools.state.store import Store

Progress = Callable[[int, int | None, str], None]
Emit = Callable[[str, str], None]  # a piece of output and its stream, stdout or stderr


class Surroundings:
    """What a door offers a call: a deadline, listeners, and a way to be cancelled."""

    def __init__(
        self,
        seconds: float | None = None,
        emit: Emit | None = None,
        progress: Progress | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.seconds = seconds
        self.emit = emit
        self.progress = progress
        self.is_cancelled = is_cancelled


class Context:
    """The surroundings of one call.

    `files` reads and stages; `gate` is the policy; `session` is the id that groups calls, or None. `notices` and
    `images` become part of the outcome. `hold_descendants(process)` lets no codetools below a process of ours be looser
    than this call: whoever starts a command calls it first. `known_tools()` are all that policy permits.
    """

    def __init__(
        self,
        files: Files,
        gate: "Gate",
        settings: Settings,
        home: str,
        open_store: "Callable[[], Store]",
        hold_descendants: Callable[[int], None],
        session: str | None = None,
        surroundings: Surroundings | None = None,
        known_tools: "Callable[[], tuple[KnownTool, ...]]" = tuple,
    ) -> None:
        around = surroundings or Surroundings()
        self.files = files
        self.gate = gate
        self.settings = settings
        self.hold_descendants = hold_descendants
        self.session = session
        self.notices: list[Notice] = []
        self.images: list[Image] = []
        self.undoes: str | tuple[str, ...] | None = None  # the groups of changes that this call takes back
        self._home = home
        self._open_store = open_store
        self.known_tools = known_tools
        self._deadline = None if around.seconds is None else monotonic() + around.seconds
        self._emit = around.emit
        self._progress = around.progress
        self._is_cancelled = around.is_cancelled
        self._journal: Journal | None = None

    @property
    def limits(self) -> Limits:
        """The caps in force."""
        return self.settings.limits

    def notice(self, kind: str, message: str) -> None:
        """Tell the reader of the outcome something; a message that `text()` lacks is added to the text."""
        self.notices.append(Notice(kind, message))

    def image(self, image: Image) -> None:
        """Add an image to the outcome."""
        self.images.append(image)

    def remaining_seconds(self) -> float | None:
        """Return the seconds until the caller's deadline, at least 0, or None without one."""
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    def check_cancelled(self) -> None:
        """Raise `interrupted` once the caller has cancelled, `timeout` once the deadline has passed."""
        if self._is_cancelled is not None and self._is_cancelled():
            raise Failure("interrupted", "the call was cancelled.")
        if self.remaining_seconds() == 0.0:
            raise Failure("timeout", "the call reached its deadline.")

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Say how far a long call has come; `total` is None where it is not known."""
        if self._progress is not None:
            self._progress(done, total, message)

    @property
    def emit(self) -> Emit | None:
        """Where live output goes, or None where nobody listens."""
        return self._emit

    @property
    def home(self) -> str:
        """The state directory."""
        return self._home

    def journal(self) -> "Journal":
        """Return the journal of changes, opening the store on its first use."""
        if self._journal is None:
            from codetools.state.journal import Journal

            self._journal = Journal(self._open_store(), self.limits)
        return self._journal

    def activate_tools(self, names: tuple[str, ...]) -> None:
        """Have this session, which must be one, shown these tools from now on."""
        from codetools.state.active_tools import ActiveTools

        assert self.session is not None
        ActiveTools(self._open_store()).activate(self.session, names)

    def marks(self) -> "Marks | None":
        """Return what this session has read, or None without a session."""
        if self.session is None:
            return None
        from codetools.state.marks import Marks

        return Marks(self._open_store())

    def seen(self) -> "Seen":
        """Return what this session has seen of the files, to refuse what is stale."""
        from codetools.files.stale import Seen

        must_be_read = self.settings.edit.require_read
        return Seen(self.files, self.session, self.marks(), must_be_read=must_be_read)

    def spool_directory(self) -> str:
        """Return the directory for output that is too long to show; `read` may open what lies there."""
        import os

        directory = os.path.join(self._home, "spool")
        os.makedirs(directory, mode=0o700, exist_ok=True)
        return directory

    def jobs(self) -> "Jobs":
        """Return the background jobs."""
        from codetools.shell.jobs.jobs import Jobs

        return Jobs(self)

    def run(self, command: str | tuple[str, ...], **how: Any) -> Any:
        """Judge a script, or a program with its arguments, ask the policy, run it; see `shell.run.run_command`."""
        from codetools.shell.run import run_command

        return run_command(command, self, **how)
