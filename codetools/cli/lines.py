"""Lines as they arrive on a descriptor, each at once, and none so long that it takes all memory."""

import os
from collections.abc import Iterator

MOST_LINE_BYTES = 64 << 20
READ_BYTES = 1 << 16
TOO_LONG = b"too long"  # what stands for a line that was passed over; told by identity


def lines_of(descriptor: int) -> Iterator[bytes]:
    """Yield each line without its line feed, the last one even if it lacks it; `TOO_LONG` instead of a longer one."""
    kept: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, READ_BYTES):
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            kept.append(piece)
            yield TOO_LONG if size + len(piece) > MOST_LINE_BYTES else b"".join(kept)
            kept, size = [], 0
        size += len(rest)
        if size <= MOST_LINE_BYTES:
            kept.append(rest)
        else:
            kept = []
    if size:
        yield TOO_LONG if size > MOST_LINE_BYTES else b"".join(kept)
