"""Whether a git command only reads a repository whose settings name no program, and how it is run so that it cannot.

The words that run are ours: programs of the repository are switched off one by one, revisions and paths are told apart
before git can guess, and names that hold secrets are left out of every content that git shows.
"""

import os
import re
from collections.abc import Callable

from codetools.shell.analysis.git_readers import GIT_READERS, LINES_TOO, NAMES_ONLY, GitReader
from codetools.shell.analysis.options import NotReading, Split, split_words
from codetools.shell.analysis.reading import Reading, Shown
from codetools.shell.analysis.repository import Repository
from codetools.system.confined import below

PINS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "safe.bareRepository=explicit"),
)
_HARMLESS_BEFORE = ("--no-pager", "-P", "--no-optional-locks")
_RUNS_GPG = r"%[-+ ]?G|(%\(|^-?|^--sort=-?)\*?signature"
_REVISION = r"\^?(?:@|[A-Za-z0-9_])[A-Za-z0-9_./@~^{}+-]*"
_LISTS = frozenset("l list contains no-contains merged no-merged points-at".split())


def read_git(
    words: tuple[str, ...],
    hidden: tuple[str, ...],
    directory: str,
    roots: tuple[str, ...],
    find: Callable[[], Repository | None],
) -> Reading:
    """Return how a git command reads in a directory of the workspace (`roots`), whose repository `find` finds.

    Raises NotReading.
    """
    rest = list(words[1:])
    while rest and rest[0] in _HARMLESS_BEFORE:
        rest.pop(0)
    if rest == ["--version"]:
        return Reading(("git", "--version"), "neutral", (), is_builtin=False)
    name = rest.pop(0) if rest else ""
    table = GIT_READERS.get(name)
    if table is None:
        raise NotReading(f"git {name} is not known to only read")
    if any(re.search(_RUNS_GPG, word) for word in rest):
        raise NotReading("a format that checks signatures runs gpg")
    program = f"git {name}"
    leading = _leading(name, rest)
    split = split_words(program, tuple(rest), table)
    if table.needs and not split.given & set(table.needs):
        raise NotReading(f"{program} is known to only read with one of -{', -'.join(table.needs)}")
    top = _checked(program, table, find())
    trusting = ("-c", f"safe.directory={top}") if top else ()
    ours = ("git", *PINS, *trusting, name, *leading, *table.pins)
    if table.operands in ("text", "listing", "none"):
        _refuse_made_names(program, table, split)
        return Reading((*ours, *rest), table.kind, (), is_builtin=False)
    operands = _Operands(program, table, split, directory, top)
    if operands.shows_trees() and top not in roots and any("/" in pattern.rstrip("/") for pattern in hidden):
        raise NotReading(f"{program} shows a repository inside the workspace, and denied paths are named from its root")
    return Reading((*ours, *split.options, *operands.words(hidden)), table.kind, operands.shown(), is_builtin=False)


def _refuse_made_names(program: str, table: GitReader, split: Split) -> None:
    is_listing = table.operands == "listing" and bool(split.given & _LISTS)
    if split.operands and table.operands != "text" and not is_listing:
        raise NotReading(f"{program} {split.operands[0]} is not known to only read")


def _leading(name: str, rest: list[str]) -> tuple[str, ...]:
    """Take the word that makes a command of `stash` and `reflog` one that lists."""
    if name == "stash" and rest != ["list"]:
        raise NotReading("git stash is known to only read as git stash list")
    if name == "stash" or (name == "reflog" and rest[:1] == ["show"]):
        return (rest.pop(0),)
    return ()


def _checked(program: str, table: GitReader, repository: Repository | None) -> str:
    """Return the top of the repository; raise NotReading where its settings might run something."""
    if table.runs_nothing:
        if repository is not None and repository.misplaced:
            raise NotReading(f"{program} may show what lies elsewhere: {repository.misplaced}")
        return repository.top if repository is not None and not repository.trouble else ""
    if repository is None:
        raise NotReading(f"{program} finds no repository in the workspace")
    trouble = repository.trouble or (repository.files_trouble if table.reads_files else "")
    if trouble:
        raise NotReading(f"the repository may run programs of its own in {program}: {trouble}")
    return repository.top


class _Operands:
    """A git command's operands, told apart into revisions and paths as git would, but without its guesses."""

    def __init__(self, program: str, table: GitReader, split: Split, directory: str, top: str) -> None:
        self._program = program
        self._table = table
        self._given = split.given
        self._directory = directory
        first = len(split.operands) - split.after
        before, after = list(split.operands[:first]), split.operands[first:]
        self._pattern: tuple[str, ...] = ()
        if table.operands == "grep" and "e" not in split.given:
            if not before:
                raise NotReading("git grep has no pattern")
            self._pattern = ("-e", before.pop(0))
        revisions: list[str] = []
        while before and table.operands != "paths" and not self._is_path(before[0]):
            revisions.append(self._revision(before.pop(0)))
        self._revisions = tuple(revisions)
        self._paths = (*before, *after)
        for path in self._paths:
            if not path or path.startswith(":") or not below(os.path.normpath(os.path.join(directory, path)), top):
                raise NotReading(f"{program} {path} is not a plain path of the repository")
        self._refuse_content()

    def words(self, hidden: tuple[str, ...]) -> tuple[str, ...]:
        """Return the operands to run, with what is left out of content."""
        left_out: list[str] = []
        for pattern in hidden if self.shows_trees() else ():
            if pattern.startswith(("!", "/")):  # an exception hides less, and what lies elsewhere is not in the tree
                continue
            name = pattern.rstrip("/")
            left_out += [f":(top,exclude,icase,glob)**/{name}", f":(top,exclude,icase,glob)**/{name}/**"]
        paths = (*self._paths, *left_out)
        return (*self._pattern, *self._revisions, *(("--", *paths) if paths or self._revisions else ()))

    def shown(self) -> tuple[Shown, ...]:
        """Return the paths whose content or names are shown."""
        is_content = self._table.operands == "blame" or self.shows_trees()
        return tuple(Shown(path, "read" if is_content and path != "." else "list") for path in self._paths or (".",))

    def shows_trees(self) -> bool:
        """Whether the content of files is shown that no word names."""
        if self._table.operands == "grep":
            return True
        return self._table.operands == "content" and not (self._given & NAMES_ONLY and not self._given & LINES_TOO)

    def _is_path(self, word: str) -> bool:
        return os.path.lexists(os.path.join(self._directory, word))

    def _revision(self, word: str) -> str:
        """Return a revision, bound to a commit where contents are shown: an object's number can name any file."""
        ends = re.split(r"\.\.\.?", word)
        if len(ends) > 2 or any(end and not re.fullmatch(_REVISION, end) for end in ends):
            raise NotReading(f"{self._program} {word} is not known to only read")
        if self._table.operands not in ("content", "grep"):
            return word
        joint = word[len(ends[0]) : len(word) - len(ends[1])] if len(ends) == 2 else ""
        return joint.join(f"{end}^{{commit}}" if end else "" for end in ends)

    def _refuse_content(self) -> None:
        """Ask about what git itself would pass through the repository's own programs, unless it is told not to."""
        is_shown = self._table.operands == "blame" or (self._program == "git show" and self.shows_trees())
        if is_shown and "no-textconv" not in self._given:
            raise NotReading(f"{self._program} may pass files through programs; with --no-textconv it only reads")
        if self._table.operands == "blame" and (len(self._paths) != 1 or len(self._revisions) > 1):
            raise NotReading("git blame is understood with one file")
