"""Which names of a workspace a command in the sandbox only reads: those that run code later, there or not yet."""

import os
from collections.abc import Iterator

from codetools.config.names import NameSet
from codetools.core.record import Record

MOST_GUARDED = 300
MOST_ENTRIES = 20_000
DEPTH = 3  # directories below a root in which protected names are looked for
_AT_HOME = frozenset(  # means something in a home directory only
    (
        ".gitconfig .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile "
        ".zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .bashrc.d .ghci .psqlrc .sqliterc .xinitrc .xprofile "
        ".pam_environment .ssh .gnupg .gvimrc .tmux.conf .screenrc .lldbinit .curlrc .wgetrc .gemrc .ipython .irbrc "
        ".pryrc .vscode-server .pdbrc"
    ).split()
)
ALWAYS = (".git", ".codetools")


class Guarded(Record):
    """`existing` paths are read only; `missing` ones are not to come into being; `gaps` cannot be guarded."""

    existing: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


def find_guarded(
    roots: tuple[tuple[str, bool], ...],
    protected: tuple[str, ...],
    passed_over: tuple[str, ...],
    homes: tuple[str, ...],
) -> Guarded:
    """Return what to guard in the roots that may be written. `passed_over` are names of directories not looked into."""
    names = NameSet(protected)
    literal = {name for name in (*ALWAYS, *protected) if not any(mark in name for mark in "*?[!/\\")}
    existing: list[str] = []
    missing: list[str] = []
    gaps: list[str] = []
    for root, is_writable in roots:
        if not is_writable:
            continue
        wanted = literal if root in homes else literal - _AT_HOME
        for name in sorted(wanted):
            path = os.path.join(root, name)
            if not os.path.lexists(path) and names.find(path, root):
                missing.append(path)
        for path, is_link in _protected_below(root, names, frozenset(passed_over)):
            (gaps if is_link or len(existing) >= MOST_GUARDED else existing).append(path)
    return Guarded(tuple(existing), tuple(missing), tuple(gaps))


def _protected_below(root: str, names: NameSet, passed_over: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Yield what is protected, and whether it is a link; what lies below a protected directory is covered by it."""
    queue, seen = [(root, 0)], 0
    while queue:
        directory, depth = queue.pop(0)
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_ENTRIES:
                        return
                    if names.find(entry.path, root):
                        yield entry.path, entry.is_symlink()
                    elif depth < DEPTH and entry.name not in passed_over and entry.is_dir(follow_symlinks=False):
                        queue.append((entry.path, depth + 1))
        except OSError:
            continue
