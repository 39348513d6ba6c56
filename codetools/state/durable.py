"""Small files of ours replaced whole and durably: a reader or a crash sees the old file or the new one."""

import os

from codetools.core.errors import Failure
from codetools.state.home import FILE_MODE
from codetools.system.replace import sync_directory, write_all

_CHUNK_BYTES = 1 << 20


def replace_file(path: str, content: bytes, *, durable: bool = True) -> None:
    """Replace a file, 0600, through a temporary one beside it; raise `io`. Writers of one path take turns by a Lock."""
    temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        write_new(temporary, content, durable=durable)
        os.replace(temporary, path)
        if durable:
            sync_directory(os.path.dirname(path))
    except OSError as error:
        remove_quietly(temporary)
        raise Failure("io", f"{path} cannot be written: {error.strerror}.") from None


def write_new(path: str, content: bytes, *, durable: bool = True) -> None:
    """Write a file that does not exist yet, 0600, all of it or an OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        write_all(descriptor, content)
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_quietly(path: str) -> None:
    """Remove a file that may be gone already."""
    try:
        os.unlink(path)
    except OSError:
        return


def read_if_there(path: str, most_bytes: int) -> bytes | None:
    """Return a regular file's bytes, or None where there is none; an OSError for anything else, or a longer one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb", buffering=0) as file:
        content = bytearray()
        while chunk := file.read(min(_CHUNK_BYTES, most_bytes + 1 - len(content))):
            content += chunk
    if len(content) > most_bytes:
        raise OSError(0, f"larger than {most_bytes} bytes")
    return bytes(content)
