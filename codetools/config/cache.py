"""What a settings file said when it was last parsed, by the hash of its bytes: an unchanged one costs no YAML.

An entry carries the hash of its own content and lies in the private state directory; one that is damaged, or that
anybody else could have written, is as good as none.
"""

import json
import os
import stat
from typing import Any

from codetools import __version__
from codetools.core.errors import Failure
from codetools.state.durable import remove_quietly, replace_file
from codetools.state.home import make_directory

MAX_ENTRIES = 64
_MOST_BYTES = 1 << 20
_FORMAT = "1"


def cached(home: str, layer: str, sha256: str) -> dict[str, Any] | None:
    """Return the values parsed from a file of this layer with these bytes, or None."""
    from hashlib import sha256 as hash_of

    try:
        descriptor = os.open(_path(home, layer, sha256), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        is_private = status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o022
        if not (stat.S_ISREG(status.st_mode) and is_private):
            return None
        content = os.read(descriptor, _MOST_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    digest, _, text = content.partition(b"\n")
    if hash_of(text).hexdigest().encode() != digest:
        return None
    values = json.loads(text)
    return values if isinstance(values, dict) else None


def remember(home: str, layer: str, sha256: str, values: dict[str, Any]) -> None:
    """Keep parsed values; without a directory that can be written, nothing is kept."""
    from hashlib import sha256 as hash_of

    text = json.dumps(values, separators=(",", ":")).encode("ascii")
    path = _path(home, layer, sha256)
    if len(text) >= _MOST_BYTES // 2:
        return
    try:
        make_directory(home)
        make_directory(os.path.dirname(path))
        replace_file(path, hash_of(text).hexdigest().encode() + b"\n" + text, durable=False)
        _forget_oldest(os.path.dirname(path))
    except (Failure, OSError):
        return


def _path(home: str, layer: str, sha256: str) -> str:
    return os.path.join(home, "cache", f"config-{__version__}-{_FORMAT}-{layer}-{sha256}.json")


def _forget_oldest(directory: str) -> None:
    paths = [os.path.join(directory, name) for name in os.listdir(directory)]
    if len(paths) > MAX_ENTRIES:
        for path in sorted(paths, key=lambda path: os.lstat(path).st_mtime)[: len(paths) - MAX_ENTRIES]:
            remove_quietly(path)
