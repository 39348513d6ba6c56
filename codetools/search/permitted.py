"""Which of the files that a search comes upon may be shown, and which were withheld: told by names, never by matches.

A count of files that match but may not be shown would tell whether a guess at a secret is right.
"""

from contextlib import AbstractContextManager

from codetools.config.settings import Settings
from codetools.core.record import Record
from codetools.files.files import Files
from codetools.files.workspace import Location
from codetools.search.engine import Engine
from codetools.search.find import Keeps, Pace, StartedListing, path_order, scope_keeper
from codetools.search.job import Scope
from codetools.search.secrets import Secrets

MOST_ENTRIES = 500  # that travel as arguments of one process


class Withheld(Record):
    """Files that were not searched because they may not be shown unasked, and the rules that deny some for good."""

    paths: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Permitted:
    """What may be shown below one directory. `tool` is whose denials count, besides those of `read`."""

    def __init__(self, files: Files, settings: Settings, location: Location, tool: str) -> None:
        self._files = files
        self._base = location.written.rstrip("/")
        self._secrets = Secrets(settings.secrets, location)
        self._denials = tuple(rule for rule in settings.denied_tools if rule.strip().startswith(("read(", f"{tool}(")))
        self._name_denials = tuple(rule for rule in self._denials if rule.strip().startswith(f"{tool}("))

    def content_keeper(self, scope: Scope) -> Keeps | None:
        """Return the test that a path must pass before a match in it counts."""
        if scope.is_file:
            return None
        globs = scope_keeper(scope)
        is_secret, denials, may_show = self._secrets.holds, self._denials, self._may_show

        def keeps(path: str) -> bool:
            if globs is not None and not globs(path):
                return False
            return not (denials or is_secret(path)) or may_show(path)

        return keeps

    def name_keeper(self) -> Keeps | None:
        """Return the test that a path must pass before its name is listed; None where all do."""
        if not self._name_denials:
            return None
        return lambda path: self._files.may_list(f"{self._base}/{path}")

    def secret_names(self) -> tuple[str, ...]:
        """Return globs of one name each: every secret file, or a directory above it, has such a name; others may."""
        return self._secrets.last_names

    def is_suspect(self, path: str) -> bool:
        """Whether a path is a secret's, shown or not."""
        return self._secrets.holds(path)

    def start_withheld(self, engine: Engine, scope: Scope) -> "StartedWithheld":
        """Start looking for files that are withheld, beside the search itself."""
        return StartedWithheld(self, StartedListing(engine, scope) if self._secrets.last_names else None)

    def sort_out(
        self, engine: Engine, scope: Scope, entries: tuple[str, ...], pace: Pace
    ) -> tuple[Withheld, tuple[str, ...]]:
        """Return what is withheld of the entries that a search passed over for their names, and the files that are not.

        A directory stands for all below it.
        """
        if not entries:
            return self.withheld(()), ()
        if len(entries) > MOST_ENTRIES or any("\ufffd" in path for path in entries):  # perhaps not its exact name
            with self.start_withheld(engine, scope) as looking:
                return looking.finish(pace)
        listing = StartedListing(engine, scope.but(paths=entries))
        try:
            return self.parted(listing.finish(pace).paths)
        finally:
            listing.stop()

    def parted(self, paths: tuple[str, ...]) -> tuple[Withheld, tuple[str, ...]]:
        """Return which of these paths are withheld, and which have only a name like those."""
        named = tuple(filter(self._secrets.may_hold, paths))
        withheld = self.withheld(named)
        hidden = frozenset(withheld.paths)
        return withheld, tuple(path for path in named if path not in hidden)

    def withheld(self, paths: tuple[str, ...]) -> Withheld:
        """Return which of these paths are withheld."""
        hidden = (path for path in paths if self._secrets.holds(path) and not self._may_show(path))
        return Withheld(tuple(sorted(hidden, key=path_order)), self._denials)

    def _may_show(self, path: str) -> bool:
        return self._files.may_show(f"{self._base}/{path}")


class StartedWithheld(AbstractContextManager["StartedWithheld"]):
    """A look for withheld files that is under way."""

    def __init__(self, permitted: Permitted, listing: StartedListing | None) -> None:
        self._permitted = permitted
        self._listing = listing

    def finish(self, pace: Pace) -> tuple[Withheld, tuple[str, ...]]:
        """Wait for what was found: what is withheld, and what has such a name only."""
        return self._permitted.parted(self._listing.finish(pace).paths if self._listing is not None else ())

    def __exit__(self, *ending: object) -> None:
        if self._listing is not None:
            self._listing.stop()
