"""The git commands that only read, each with every option it may be given; what is not in this table is asked about.

Left out: what runs a program of the repository's or the user's choosing (textconv, external diffs, signatures, hooks,
editors), writes, reaches a network, reads a file outside the work tree, or searches for guessed contents (`-S`, `-G`).
"""

from typing import Literal

from codetools.core.record import Record

_HISTORY = (
    "all branches? tags? remotes? glob= exclude= author= committer= grep= since= after= until= before= max-count= skip="
    " reverse no-merges merges first-parent topo-order date-order author-date-order simplify-by-decoration left-right"
    " cherry-pick cherry-mark left-only right-only all-match invert-grep regexp-ignore-case extended-regexp"
    " fixed-strings perl-regexp boundary ancestry-path full-history min-parents= max-parents= no-walk"
)
_SAID = (
    "oneline format= pretty? graph decorate? no-decorate decorate-refs= abbrev-commit no-abbrev-commit abbrev? date="
    " relative-date color? no-color source children parents no-notes log-size"
)
_NAMES = (
    "stat? shortstat numstat dirstat? compact-summary name-only name-status summary raw no-patch quiet diff-filter="
    " find-renames? find-copies? no-renames"
)
_LINES = (
    "patch unified= word-diff? color-words? minimal patience histogram diff-algorithm= ignore-all-space"
    " ignore-space-change ignore-blank-lines ignore-space-at-eol ignore-cr-at-eol function-context inter-hunk-context="
    " full-index text no-prefix src-prefix= dst-prefix= no-ext-diff no-textconv color? no-color exit-code check"
    " patch-with-stat"
)
_REFS = "sort= format= contains no-contains merged no-merged points-at= color? ignore-case column? no-column omit-empty"


class GitReader(Record):
    """One git command's allowance; the first fields are as in `readers.Reader`.

    `operands`: `paths` of the work tree; `history`, revisions and paths, of which only names are shown; `content`,
    the same with what stands in the files; `blame` and `grep`, in their own ways; `text`, words that are no paths;
    `listing`, patterns that only a listing takes (else they would be made); `none`.
    `reads_files`: it compares files of the work tree, so their filters matter. `runs_nothing`, whatever the settings
    say. `needs` are options of which one must be given. `pins` are options of ours.
    """

    kind: Literal["search", "read", "list"]
    operands: Literal["paths", "history", "content", "blame", "grep", "text", "listing", "none"]
    flags: str = ""
    valued: str = ""
    attached: str = ""
    long: str = ""
    counts: bool = False
    clusters: bool = True
    reads_files: bool = False
    runs_nothing: bool = False
    needs: str = ""
    pins: tuple[str, ...] = ()


_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv")
_LOG = GitReader(
    "read", "history", "iEFPsz", "n", "M", f"{_HISTORY} {_SAID} {_NAMES} follow", counts=True, pins=_PLAIN_DIFF
)

GIT_READERS: dict[str, GitReader] = {
    "status": GitReader(
        "list", "paths", "sbz", "", "u",
        "short branch porcelain? long show-stash ahead-behind no-ahead-behind untracked-files? ignored? column?"
        " no-column renames no-renames find-renames?",
        reads_files=True, pins=("--ignore-submodules=dirty",),
    ),
    "log": _LOG,
    "rev-list": GitReader(
        "read", "history", "iEFP", "n", "", f"{_HISTORY} {_SAID} count timestamp header", counts=True
    ),
    "reflog": _LOG.but(operands="none"),
    "shortlog": GitReader("read", "text", "snec", long=f"{_HISTORY} summary numbered email committer group= format="),
    "diff": GitReader(
        "read", "content", "pubwazsRW", "U", "MC", f"{_NAMES} {_LINES} cached staged merge-base abbrev? relative?",
        counts=False, reads_files=True, pins=(*_PLAIN_DIFF, "--ignore-submodules=dirty"),
    ),
    "show": GitReader(
        "read", "content", "pubwazsRW", "U", "MC", f"{_NAMES} {_LINES} {_SAID} first-parent", pins=_PLAIN_DIFF
    ),
    "blame": GitReader(
        "read", "blame", "ltsewnfpc", "L", "MC",
        "line-porcelain porcelain show-email show-name show-number date= abbrev= root no-textconv color-lines",
        reads_files=True, pins=("--no-textconv",),
    ),
    "grep": GitReader(
        "search", "grep", "inwvIclLhHoEFGPqzpWa", "eABCm", "",
        "ignore-case invert-match word-regexp line-number column count files-with-matches name-only"
        " files-without-match only-matching extended-regexp basic-regexp perl-regexp fixed-strings max-count= and or"
        " not all-match quiet heading break show-function function-context after-context= before-context= context="
        " color? no-color cached full-name max-depth= threads= text no-textconv null",
        pins=("--no-textconv", "--no-recurse-submodules"),
    ),
    "branch": GitReader(
        "list", "listing", "arvil", "", "",
        f"{_REFS} list all remotes verbose show-current abbrev? no-abbrev",
    ),
    "tag": GitReader("list", "listing", "il", "", "n", f"{_REFS} list", runs_nothing=True),
    "for-each-ref": GitReader("list", "text", "", "", "", f"{_REFS} count="),
    "show-ref": GitReader(
        "list", "text", "ds", long="head heads branches tags dereference hash? abbrev? quiet verify"
    ),
    "rev-parse": GitReader(
        "list", "text", "q", "", "",
        "abbrev-ref? short? verify quiet show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir"
        " is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository symbolic symbolic-full-name"
        " show-object-format all branches? tags? remotes? not",
        runs_nothing=True,
    ),
    "merge-base": GitReader("list", "text", "a", "", "", "all octopus is-ancestor independent"),
    "name-rev": GitReader("list", "text", "", "", "", "name-only tags always no-undefined refs= exclude="),
    "describe": GitReader(
        "list", "text", "", "", "",
        "tags all long always abbrev= match= exclude= contains candidates= exact-match first-parent",
    ),
    "ls-files": GitReader(
        "list", "paths", "cstvzo", "x", "",
        "cached stage others exclude-standard exclude= full-name error-unmatch deduplicate directory"
        " no-empty-directory abbrev? format=",
    ),
    "ls-tree": GitReader(
        "list", "text", "rdtlz", "", "", "name-only name-status full-name full-tree long abbrev? format=",
    ),
    "cat-file": GitReader("list", "text", "tse", needs="tse"),
    "remote": GitReader("list", "none", "v", "", "", "verbose"),
    "stash": GitReader("list", "none"),
}  # fmt: skip

# of a `content` command: with one of these, and none of the others, no line of a file is shown
NAMES_ONLY = frozenset(
    "s stat shortstat numstat dirstat compact-summary name-only name-status summary raw no-patch quiet".split()
)
LINES_TOO = frozenset(
    "p u U W patch unified word-diff color-words function-context patch-with-stat check text a b".split()
)
