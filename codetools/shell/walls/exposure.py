"""What a command in the workspace sandbox sees of the machine: the system, the workspace and toolchains, no home."""

import os
from collections.abc import Iterable

from codetools.core.record import Record

TEMPORARY = ("/tmp", "/var/tmp", "/run")  # private and empty; sockets of services lie there
_HOMES = ("/home", "/root")
_SYSTEM = ("/", "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/var", "/dev", "/proc", "/sys", "/nix")
_ROOTS_SECRETS = (  # of the system's own files; another user than root cannot read them anyway
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/krb5.keytab",
    "/etc/ssh", "/etc/ssl/private", "/etc/NetworkManager/system-connections", "/etc/wireguard",
)  # fmt: skip
TOOLCHAINS = (
    ".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup", ".nvm", ".volta", ".nodenv", ".npm-global", ".bun/bin",
    ".deno/bin", ".local/share/pnpm", ".yarn/bin", ".pyenv", ".local/share/uv", ".local/share/mise", ".local/pipx",
    ".local/share/pipx", ".asdf", ".rbenv", ".gem", ".rvm", ".sdkman", ".jenv", ".m2/repository", "go/bin", "go/pkg",
    ".goenv", ".ghcup", ".cabal/bin", ".stack/programs", ".opam", ".juliaup", ".nix-profile", ".linuxbrew",
    ".local/bin", ".local/lib", "miniconda3", "anaconda3", "miniforge3", "mambaforge", ".local/share/virtualenvs",
)  # fmt: skip


class Exposure(Record):
    """Absolute paths, links resolved. `hidden` directories and files are empty, but for what lies in them of the rest.

    `shown` may be read although it lies in something hidden; `roots` are workspaces, with whether they may be written.
    """

    hidden: tuple[str, ...]
    shown: tuple[str, ...]
    roots: tuple[tuple[str, bool], ...]

    def sees(self, path: str) -> bool:
        """Whether a path, free of links, is seen."""
        places = [(hidden, False) for hidden in self.hidden]
        places += [(shown, True) for shown in (*self.shown, *(root for root, _ in self.roots))]
        holding = [(place, is_seen) for place, is_seen in places if is_within(path, place)]
        return max(holding, key=lambda each: (len(each[0]), each[1]), default=("", True))[1]


def find_exposure(
    roots: tuple[tuple[str, bool], ...], private: tuple[str, ...], path: str, *, has_network: bool
) -> Exposure:
    """Return what a command sees; `private` is our own state and the user's settings, `path` the command's PATH."""
    homes = {os.path.realpath(home) for home in (*_HOMES, os.path.expanduser("~"), _account_home())}
    wanted = {*homes, *map(os.path.realpath, (*TEMPORARY, *private))}
    hidden = {place for place in wanted if place not in _SYSTEM and os.path.lexists(place)}
    if os.geteuid() == 0:
        hidden |= {place for place in _ROOTS_SECRETS if os.path.exists(place)}
    shown = [os.path.join(home, name) for home in homes for name in TOOLCHAINS]
    for element in path.split(os.pathsep):
        shown += _prefixes(os.path.realpath(element))
    if has_network:
        shown.append(os.path.realpath("/etc/resolv.conf"))
    found = {os.path.realpath(place) for place in shown if os.path.exists(place)}
    seen = {place for place in found if _is_below_one(place, hidden) and place not in hidden}
    kept = {place for place in seen if not _is_below_one(place, map(os.path.realpath, private))}
    outermost = [place for place in kept if not _is_below_one(os.path.dirname(place), kept)]
    return Exposure(tuple(sorted(hidden)), tuple(sorted(outermost)), tuple(sorted(roots)))


def is_within(path: str, place: str) -> bool:
    """Whether a path is a place or lies below it."""
    return path == place or path.startswith(place.rstrip("/") + "/")


def _is_below_one(path: str, places: Iterable[str]) -> bool:
    return any(is_within(path, place) for place in places)


def _account_home() -> str:
    """Return the home of this user's account, whatever $HOME says."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return "/root"


def _prefixes(element: str) -> list[str]:
    """Return what a directory on the PATH needs: itself; of an environment of Python all of it, and its interpreter."""
    prefix = os.path.dirname(element)
    if os.path.isdir(os.path.join(prefix, "conda-meta")):
        return [prefix]
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 14).splitlines()
    except OSError:
        return [element]
    home = next((line.partition("=")[2].strip() for line in lines if line.partition("=")[0].strip() == "home"), "")
    base = os.path.dirname(os.path.realpath(home))
    return [prefix, base] if os.path.basename(home) == "bin" and base not in _SYSTEM else [prefix]
