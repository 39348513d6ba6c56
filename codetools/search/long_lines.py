"""Which files have a line too long to be shown: an engine would hold all of it, and more than that for its matches."""

import os
import stat

LONG_LINE_BYTES = 4 << 20  # a line of twice that is always found
LARGE_BYTES = 8 << 20  # a smaller file costs little, whatever its lines
PIECE_BYTES = 64 << 10
ENDS = (b"\n", b"\0")  # a NUL byte ends a line of a binary file


def has_long_line(file: int) -> bool:
    """Whether an open file is large and has such a line; little of it is read where lines are short."""
    size = os.fstat(file).st_size
    return size > LARGE_BYTES and any(
        _is_one_line(file, start) for start in range(0, size - LONG_LINE_BYTES + 1, LONG_LINE_BYTES)
    )


def long_lined(directory: int, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return which files below an open directory have such a line."""
    from codetools.search.entries import read_times

    large = (path for path, size, _ in read_times(directory, paths) if size > LARGE_BYTES)
    return tuple(path for path in large if path_has_long_line(path, directory))


def path_has_long_line(path: str, directory: int | None = None) -> bool:
    """Whether a regular file has such a line; False where it cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return False
    try:
        return stat.S_ISREG(os.fstat(file).st_mode) and has_long_line(file)
    except OSError:
        return False
    finally:
        os.close(file)


def _is_one_line(file: int, start: int) -> bool:
    for place in range(start, start + LONG_LINE_BYTES, PIECE_BYTES):
        piece = os.pread(file, PIECE_BYTES, place)
        if not piece or any(end in piece for end in ENDS):
            return False
    return True
