"""Whether git may read a repository without running what the repository names: its settings are read, git is not run.

Every setting must be in a list of harmless ones (never a list of dangerous: git grows settings), and the file plain:
no includes, no continued lines, no escapes. What is not certain is a trouble, and the command is asked about (I7).
"""

import os
import re
import stat

from codetools.core.record import Record

MOST_SETTINGS_BYTES = 64 << 10
MOST_ATTRIBUTES_BYTES = 256 << 10

MOST_STATE_NAMES = 20_000

_NOT_STATE = frozenset("objects hooks lfs modules annex".split())  # objects are binary, or not shown
_ANY = "*"
_HARMLESS = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol"
    " safecrlf quotepath abbrev protecthfs protectntfs preloadindex trustctime checkstat longpaths untrackedcache"
    " commitgraph multipackindex compression bigfilethreshold whitespace",
    "extensions": "objectformat compatobjectformat refstorage worktreeconfig relativeworktrees",
    "remote": "url pushurl fetch push tagopt prune prunetags mirror skipdefaultupdate skipfetchall gh-resolved",
    "branch": "remote merge rebase pushremote description gh-merge-base vscode-merge-base github-pr-owner-number"
    " autosetupmerge autosetuprebase sort",
    "user": "name email signingkey useconfigonly",
    "author": "name email",
    "committer": "name email",
    "commit": "gpgsign verbose status",
    "tag": "gpgsign sort",
    "init": "defaultbranch",
    "push": "default autosetupremote followtags gpgsign",
    "pull": "rebase ff",
    "fetch": "prune prunetags parallel",
    "merge": "ff conflictstyle renames log",
    "rebase": "autostash autosquash updaterefs",
    "rerere": "enabled autoupdate",
    "color": _ANY,
    "column": _ANY,
    "advice": _ANY,
    "gc": _ANY,
    "maintenance": _ANY,
    "pack": _ANY,
    "lfs": "repositoryformatversion url access locksverify",
    "log": "date decorate abbrevcommit follow mailmap showroot",
    "status": "short branch showuntrackedfiles relativepaths renames aheadbehind displaycommentprefix",
    "diff": "renames renamelimit mnemonicprefix noprefix algorithm colormoved colormovedws context indentheuristic"
    " interhunkcontext statgraphwidth suppressblankempty",
    "submodule": "url active branch",
}
_SECTION = re.compile(r'[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"[^"\\\x00]*")?\][ \t]*')
_SETTING = re.compile(r"[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[^\\\x00]*)?")
_NOTHING = re.compile(r"[ \t]*(?:[#;][^\x00]*)?")


class Repository(Record):
    """A repository: the top of its work tree, and why git may not read it unasked, or its files (else empty).

    `misplaced` is the part of the trouble that is not in the settings: what git reads may lie elsewhere.
    """

    top: str
    misplaced: str
    trouble: str
    files_trouble: str


def find_repository(directory: str, roots: tuple[str, ...]) -> Repository | None:
    """Return the repository that git would find from a directory, below the deepest of `roots` that holds it."""
    within = max((root for root in roots if f"{directory}/".startswith(f"{root.rstrip('/')}/")), key=len, default=None)
    here = directory
    while within is not None:
        if os.path.lexists(f"{here}/.git"):
            misplaced = _misplaced(f"{here}/.git")
            trouble = misplaced or _trouble(f"{here}/.git")
            return Repository(here, misplaced, trouble, _files_trouble(here, directory))
        if here in (within, "/"):
            break
        here = os.path.dirname(here)
    return None


def _misplaced(place: str) -> str:
    if not _is_directory(place):
        return "its .git is no directory: the repository's settings are elsewhere"
    for name in ("objects", "refs"):
        if not _is_directory(f"{place}/{name}"):
            return f"its .git/{name} is no directory"
    if not os.path.lexists(f"{place}/HEAD"):
        return "its .git has no HEAD"
    for name in ("commondir", "objects/info/alternates", "objects/info/http-alternates"):
        if os.path.lexists(f"{place}/{name}"):
            return f"its .git/{name} leads elsewhere"
    if link := _link_within(place):
        return f"its {link} is a link or one name of too many, and git shows lines of what it cannot read"
    return ""


def _trouble(place: str) -> str:
    for name in ("config", "config.worktree"):
        if name == "config" or os.path.lexists(f"{place}/{name}"):
            found = _settings_trouble(f"{place}/{name}")
            if found:
                return f"its .git/{name} {found}"
    return ""


def _link_within(place: str) -> str | None:
    """Return a link among the files that git keeps its state in, or whichever name comes after too many to look at."""
    queue, left = [place], MOST_STATE_NAMES
    while queue:
        directory = queue.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0 or entry.is_symlink():
                        return f".git{entry.path[len(place) :]}"
                    if entry.is_dir(follow_symlinks=False) and not (directory == place and entry.name in _NOT_STATE):
                        queue.append(entry.path)
        except OSError:  # git cannot read it either
            continue
    return None


def _settings_trouble(path: str) -> str:
    text = _small_file(path, MOST_SETTINGS_BYTES)
    if text is None:
        return "is not a small regular file"
    known: str | None = None
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if _NOTHING.fullmatch(line):
            continue
        section = _SECTION.fullmatch(line)
        if section:
            known = _HARMLESS.get(section[1].lower())
            if known is None:
                return f"has a section that may name programs: {section[1]}"
            continue
        setting = _SETTING.fullmatch(line)
        if setting is None or known is None:
            return "is not of the plain form that we read"
        if known != _ANY and setting[1].lower() not in known.split():
            return f"has a setting that may name programs: {setting[1]}"
    return ""


def _files_trouble(top: str, directory: str) -> str:
    """Return why what git says about files of the work tree might not be told by git alone."""
    if os.path.lexists(f"{top}/.gitmodules"):
        return "it has submodules, with settings of their own"
    attributes = [f"{top}/.git/info/attributes"]
    here = directory
    while True:
        attributes.append(f"{here}/.gitattributes")
        if here == top:
            break
        here = os.path.dirname(here)
    for path in attributes:
        if not os.path.lexists(path):
            continue
        text = _small_file(path, MOST_ATTRIBUTES_BYTES)
        if text is None or re.search(r"\bfilter\b", text):
            return "its .gitattributes pass files through filters"
    return ""


def _is_directory(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _small_file(path: str, most_bytes: int) -> str | None:
    """Return a regular file's bytes as Latin-1; never follows a link and never waits."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        content = file.read(most_bytes + 1)
    return content.decode("latin-1") if len(content) <= most_bytes else None
