"""The bytes of a settings file: a regular file of sane size, or a `config` failure at once; never "no rules"."""

import os
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.system.bounded import open_file, read_all
from codetools.system.confined import pin

MAX_CONFIG_BYTES = 256 << 10

Layer = Literal["user", "allowed", "project"]


class Source(Record):
    """One settings file that was looked for. `sha256` is None where there is none. Only a project's needs trust."""

    layer: Layer
    path: Path
    sha256: str | None = None
    is_trusted: bool = True


def read_source(path: str, within: str | None = None) -> bytes | None:
    """Return a settings file's bytes, or None where there is none; raise `config` for one that cannot be read.

    `within` is the workspace of a project's file, which is no link: what does not parse is quoted, and a link could
    lead to a file of secrets. The user's own may be a link to anywhere.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Failure("config", f"{path}: {getattr(error, 'strerror', None) or error}.") from None
    if within is not None and any(map(os.path.islink, (path, os.path.dirname(path)))):
        raise Failure("config", f"{path} is a link, or lies behind one.", "Put the settings themselves there.")
    try:
        return _content(path, [within] if within is not None else [])
    except Failure as failure:
        message = f"{path} is a link to nothing." if failure.kind == "not_found" else failure.message
        raise Failure("config", message, "Repair the settings file, or remove it.") from None


def _content(path: str, roots: list[str]) -> bytes:
    with pin(path, roots) as pinned:
        descriptor = open_file(pinned, path)
        try:
            content = read_all(descriptor, MAX_CONFIG_BYTES, path)
        finally:
            os.close(descriptor)
    if content is None:
        raise Failure("config", f"{path} is larger than {MAX_CONFIG_BYTES >> 10} KiB.")
    return content
