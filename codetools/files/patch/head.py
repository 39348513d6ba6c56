"""The lines above a diff's hunks: which file it changes, and into what; what we cannot do is refused."""

import re
from typing import Literal

from codetools.core.path import Path
from codetools.files.patch.model import FilePatch, Hunk, refuse

NO_FILE = "/dev/null"
REGULAR_MODES = ("100644", "100755", "100664")
ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
TIME = re.compile(r" +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?$")
PREFIXES = "abciow12"


class Head:
    """One file's section of a diff, while it is read."""

    def __init__(self, written_at: int) -> None:
        self.written_at = written_at
        self.hunks: list[Hunk] = []
        self.old: Path | None = None  # None: no file
        self.new: Path | None = None
        self.is_named = False  # by --- and +++ lines
        self._said: dict[str, str] = {}

    def name_both(self, names: str) -> None:
        """Take the names of a `diff --git` line, which stand unless --- and +++ lines follow."""
        first, second = _both(names)
        self.old, self.new = _stripped(first, second)

    def name(self, old: str, new: str) -> None:
        """Take the names of the --- and +++ lines."""
        self.is_named = True
        first, second = _unquoted(old), _unquoted(new)
        self.old, self.new = _stripped(None if first == NO_FILE else first, None if second == NO_FILE else second)

    def extend(self, line: str, number: int) -> None:
        """Take one of git's extended lines; raise `patch_failed` for a change that we do not make."""
        if line.startswith(("old mode", "new mode ")):
            raise refuse(number, "it changes a file's mode", "Leave the mode lines out, and use chmod.")
        for word in ("new file mode ", "deleted file mode "):
            if line.startswith(word) and (mode := line.removeprefix(word).strip()) not in REGULAR_MODES:
                what = {"120000": "a symbolic link", "160000": "a submodule"}.get(mode, f"mode {mode}")
                raise refuse(number, f"it makes or removes {what}", "Only regular files can be patched.")
        if line.startswith("index ") and line.rstrip().endswith((" 120000", " 160000")):
            raise refuse(number, "it changes a symbolic link or a submodule", "Only regular files can be patched.")
        for word in ("new file mode", "deleted file mode", "rename from", "rename to", "copy from", "copy to"):
            if line.startswith(word + " "):
                self._said[word] = line[len(word) + 1 :]

    def patch(self) -> FilePatch:
        """Return what the section says; raise `patch_failed` where its lines do not agree."""
        said = self._said
        hunks = tuple(self.hunks)
        verbs: tuple[Literal["rename", "copy"], ...] = ("rename", "copy")
        for verb in verbs:
            if (source := said.get(f"{verb} from")) and (destination := said.get(f"{verb} to")):
                names = (_unquoted(source), _unquoted(destination))
                if self.is_named and (self.old, self.new) != names:
                    raise refuse(self.written_at, f"its {verb} lines name other files than its --- and +++ lines")
                kind: Literal["copy", "update"] = "copy" if verb == "copy" else "update"
                return FilePatch(kind, names[0], hunks, self.written_at, destination=names[1])
        if self.old is None or "new file mode" in said:
            if self.new is None:
                raise refuse(self.written_at, "it names no file, or /dev/null twice")
            if any(line.mark != "+" for hunk in hunks for line in hunk.lines):
                raise refuse(self.written_at, f"{self.new} would be a new file, but old lines are given for it")
            mode = 0o755 if said.get("new file mode", "").strip() == "100755" else None
            return FilePatch("add", self.new, hunks, self.written_at, mode=mode)
        if self.new is None or "deleted file mode" in said:
            if any(line.mark != "-" for hunk in hunks for line in hunk.lines):
                raise refuse(self.written_at, f"{self.old} would be deleted, but lines of it would stay")
            return FilePatch("delete", self.old, hunks, self.written_at)
        if not hunks:
            raise refuse(self.written_at, f"the section for {self.new} holds no change")
        return FilePatch("update", self.new, hunks, self.written_at, old_name=self.old)


def _stripped(old: Path | None, new: Path | None) -> tuple[Path | None, Path | None]:
    """Return names without git's `a/` and `b/`, where both have one."""
    if old is None or new is None:
        only = old if new is None else new
        prefix = "a/" if new is None else "b/"
        bare = Path(only.removeprefix(prefix)) if only is not None else None
        return (bare, None) if new is None else (None, bare)
    are_prefixed = old[1:2] == "/" == new[1:2] and old[0] in PREFIXES and new[0] in PREFIXES and old[0] != new[0]
    if are_prefixed and (old[0] + new[0] == "ab" or old[2:] == new[2:]):
        return Path(old[2:]), Path(new[2:])
    return old, new


def _both(names: str) -> tuple[Path, Path]:
    """Return the two names of a `diff --git` line: quoted, or the same after their prefixes, or without blanks."""
    if names.startswith('"'):
        end = re.match(r'"(?:[^"\\]|\\.)*"', names)
        if end:
            return _unquoted(end[0]), _unquoted(names[end.end() :].strip())
    middle = len(names) // 2
    if names[middle : middle + 1] == " " and names[2:middle] == names[middle + 3 :]:
        return Path(names[:middle]), Path(names[middle + 1 :])
    first, _, second = names.partition(' "' if names.endswith('"') else " ")
    return Path(first), _unquoted('"' + second if names.endswith('"') else second)


def _unquoted(name: str) -> Path:
    """Return a name without the time after it, and out of the quotes that git puts around what is not plain."""
    name = TIME.sub("", name.split("\t")[0].rstrip("\r")) if not name.startswith('"') else name.rstrip()
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return Path(name)
    raw = ESCAPE.sub(lambda match: _byte(match[1]), name[1:-1].encode("utf-8", "surrogateescape"))
    return Path(raw.decode("utf-8", "surrogateescape"))


def _byte(escaped: bytes) -> bytes:
    return bytes([int(escaped, 8) & 0xFF]) if escaped.isdigit() else ESCAPED.get(escaped, escaped)
