"""What an engine is asked: which files, which pattern, in which form."""

from typing import Literal

from codetools.core.record import Record


class Scope(Record):
    """The files a search sees.

    `fd` is a descriptor of the directory or file, checked and pinned: no engine looks anything up by name above it.
    Paths that come back are relative to it. `only` keeps paths that match one of these globs, `without` drops; a glob
    without `/` is a name at any depth. `rules` are lines of an ignore file at the weakest rank: an ignore file of the
    tree overrides them. `in_repository`: a `.git` lies there or above, and `.gitignore` files hold up to the nearest
    one; without, they hold everywhere. `names` keeps file names that match one of these globs, in any case.

    Entries whose name matches one of `withheld`, in any case, are passed over and said, but for those that an ignore
    file passes over anyway. `paths` are the only ones that are searched: files, and directories with all below them,
    that a search without them would see. Content of files above `most_file_bytes` is not searched. `below` stands
    before each path where globs are asked about it. Files at `skipped` are not searched.
    """

    fd: int
    is_file: bool = False
    include_ignored: bool = False
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    type: str | None = None
    rules: tuple[str, ...] = ()
    in_repository: bool = False
    names: tuple[str, ...] = ()
    depth: int | None = None
    withheld: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    most_file_bytes: int | None = None
    below: str = ""
    skipped: tuple[str, ...] = ()


class Query(Record):
    """What is looked for in each file."""

    pattern: str
    case: Literal["sensitive", "insensitive", "smart"] = "sensitive"
    is_literal: bool = False
    is_word: bool = False
    is_multiline: bool = False
    is_inverted: bool = False  # lines without a match; never with `is_multiline`
    before: int = 0
    after: int = 0


class Job(Record):
    """One run of an engine.

    `output`: `events` are ripgrep's JSON lines; `paths` (of files, with `query` None of all files) and `counts` are
    separated by NUL. `most_per_file` bounds the matching lines of one file. `is_sorted`: files in path order, else in
    any. `has_binary`: files with NUL bytes are searched too. `explains`: each entry passed over is said on standard
    error. `is_bounded`: files that are too large are passed over, else an engine may be stopped at the first.
    """

    scope: Scope
    query: Query | None = None
    output: Literal["events", "paths", "counts"] = "paths"
    most_per_file: int | None = None
    is_sorted: bool = False
    has_binary: bool = True
    explains: bool = False
    is_bounded: bool = False


class Program(Record):
    """A process that does a job: its arguments, its working directory, what it may inherit or read."""

    argv: tuple[str, ...]
    directory_fd: int | None
    inherited_fds: tuple[int, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()  # each read from a descriptor, whose path stands in argv for its first
    watched_bytes: int | None = None  # a file above that it has open ends it
    watches_lines: bool = False  # and a file with a line too long to show
    is_walled: bool = False  # held to its directory, since it opens by name what it found there
    may_choke: bool = False  # on an ignore file below its directory: looked for where it is silent


# no argument can hold NUL: the runner puts the path of a descriptor in their place
RULES_PATH = "\0rules"
WITHHELD_PATH = "\0withheld"
