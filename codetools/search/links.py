"""Which links a search follows: into the workspace alone, each directory once, and every other is told with its reason.

No engine follows links: ripgrep would leave the workspace. What a link leads to is searched as a place of its own, by
the name of the link, so that its paths pass back and no loop can be.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.workspace import Location
from codetools.search.said import counted, named

if TYPE_CHECKING:
    from codetools.search.area import Area, Hidden
    from codetools.search.find import Pace

MOST_FOLLOWED = 200  # each is a search of its own

Reason = Literal["outside", "missing", "searched", "above", "git", "withheld", "special", "unwanted", "limit"]
WORDS: dict[str, str] = {
    "outside": "lead out of the workspace",
    "missing": "lead nowhere",
    "searched": "lead to what is searched already",
    "above": "lead to a directory that holds one searched already",
    "git": "lead into .git",
    "withheld": "lead to what may not be shown unasked",
    "special": "lead to what is no file",
    "unwanted": "lead to files that the globs or the type leave out",
    "limit": f"are more than {MOST_FOLLOWED}",
}


class FollowedLink(Record):
    """A link that a search came upon: where it leads, and why it was not followed, if it was not."""

    path: Path
    target: Path | None  # none where it leads nowhere or out of the workspace
    followed: bool
    reason: Reason | None = None


class Followed(Record):
    """The places that links lead to, and all links that were met."""

    areas: tuple["Area", ...]
    links: tuple[FollowedLink, ...]
    is_whole: bool = True


class _Link(Record):
    """One link: its path below the start, where it lies, and where it leads."""

    path: str
    written: str
    shown: Path
    location: Location | None
    reason: Reason | None
    is_of_file: bool


Open = Callable[[str, str], "Area"]  # of a path as written, and of what stands before its own paths


def follow(start: "Area", open_area: Open, pace: "Pace", stack: ExitStack) -> Followed:
    """Return what the links below a place lead to, links below that included; `stack` closes what is opened."""
    return _Following(start, open_area, pace, stack).run()


def say_links(links: tuple[FollowedLink, ...]) -> str:
    """Return which links were followed and which were not, or nothing where there are none."""
    followed = [link.path for link in links if link.followed]
    said = [f"Followed: {counted(len(followed), 'link')} {named(followed)}"] if followed else []
    for reason, words in WORDS.items():
        others = [link.path for link in links if link.reason == reason]
        if others:
            said.append(f"not followed, as they {words}: {counted(len(others), 'link')} {named(others)}")
    return "; ".join(said)[:1].upper() + "; ".join(said)[1:]


class _Following:
    """Links on the way: what was entered is known by where it lies, free of links."""

    def __init__(self, start: "Area", open_area: Open, pace: "Pace", stack: ExitStack) -> None:
        self._start = start
        self._open = open_area
        self._pace = pace
        self._stack = stack
        self._entered: list[tuple[Area, Hidden]] = []
        self._files: set[str] = set()
        self._links: list[FollowedLink] = []
        self._areas: list[Area] = []
        self._is_whole = True

    def run(self) -> Followed:
        if self._start.is_file:
            return Followed((), ())
        waiting = self._look(self._start)
        files: list[_Link] = []
        while waiting:
            # what holds another comes first, so that nothing is searched twice
            waiting.sort(key=lambda link: (link.location.reached.count("/") if link.location else 0, link.path))
            files += [link for link in waiting if link.is_of_file]
            entered = [self._enter(link) for link in waiting if not link.is_of_file]
            waiting = [link for area in entered if area is not None for link in self._look(area)]
        for link in files:  # the last, so that all directories are known
            self._enter(link)
        links = tuple(sorted(self._links, key=lambda link: link.path))
        return Followed(tuple(self._areas), links, self._is_whole)

    def _look(self, area: "Area") -> list[_Link]:
        """Return the links in a place that ignore rules do not hide."""
        paths, is_whole = area.links(self._hidden(area), self._pace)
        self._is_whole &= is_whole
        return [self._link(area, path) for path in paths]

    def _hidden(self, area: "Area") -> "Hidden":
        for entered, hidden in self._entered:
            if entered is area:
                return hidden
        hidden = area.hidden(self._pace)
        self._entered.append((area, hidden))
        return hidden

    def _link(self, area: "Area", path: str) -> _Link:
        written = f"{area.base.rstrip('/')}/{path}"
        reason: Reason | None = None
        location, is_of_file = None, False
        try:
            location = area.locate(written)
            is_of_file = location.inside and location.exists and not area.leads_to_directory(path)
            if not location.inside:
                reason = "outside"
            elif not location.exists:
                reason = "missing"
        except Failure as failure:
            reason = "outside" if failure.kind == "outside_workspace" else "missing"
        return _Link(area.below + path, written, area.show(path), location, reason, is_of_file)

    def _enter(self, link: _Link) -> "Area | None":
        reason, area = link.reason, None
        if reason is None and link.location is not None:
            reason = self._refusal(link, link.location)
        if reason is None:
            try:
                area = self._open(link.written, link.path + "/")
            except Failure as failure:
                reason = "special" if failure.kind in ("not_a_file", "io") else "withheld"
        if area is not None:
            self._stack.enter_context(area)
            if area.is_file:
                reason = "unwanted" if not area.wants(link.path) else None
                area = None if reason else area
        if area is not None and link.location is not None:
            self._areas.append(area)
            if area.is_file:
                self._files.add(link.location.reached)
            else:
                self._hidden(area)
        is_inside = link.location is not None and link.reason is None
        target = self._start.show_absolute(link.location.reached) if is_inside and link.location else None
        self._links.append(FollowedLink(link.shown, target, area is not None, reason))
        return area

    def _refusal(self, link: _Link, location: Location) -> Reason | None:
        reached = str(location.reached)
        if ".git" in reached[len(location.root) :].split("/"):
            return "git"
        if not self._start.may_follow(link.written):
            return "withheld"
        if reached in self._files or any(_sees(area, hidden, reached) for area, hidden in self._entered):
            return "searched"
        if any(str(area.reached).startswith(reached.rstrip("/") + "/") for area, _ in self._entered):
            return "above"
        return "limit" if len(self._areas) >= MOST_FOLLOWED else None


def _sees(area: "Area", hidden: "Hidden", reached: str) -> bool:
    """Whether a search of a place comes by a file or directory."""
    top = str(area.reached)
    if reached == top:
        return True
    if not reached.startswith(top.rstrip("/") + "/"):
        return False
    names = reached[len(top) :].strip("/").split("/")
    return not any(hidden.holds("/".join(names[:count])) for count in range(1, len(names) + 1))
