"""Messages on a stream, one a line: put together as bytes come, never more kept than the cap."""


class TooLong(Exception):
    """A line is longer than the cap; what follows on this stream cannot be told apart any more."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(f"a line longer than {most_bytes >> 20} MiB")
        self.most_bytes = most_bytes


class Lines:
    """The lines of one stream; each at most `most_bytes` long."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the lines that `chunk` ends, without their ends and without empty ones; raise TooLong."""
        *ended, rest = chunk.split(b"\n")
        found: list[bytes] = []
        for piece in ended:
            self._keep(piece)
            found.append(b"".join(self._parts).rstrip(b"\r"))
            self._parts, self._size = [], 0
        self._keep(rest)
        return [line for line in found if line.strip()]

    @property
    def rest(self) -> bytes:
        """The line that has not ended yet."""
        return b"".join(self._parts)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._most_bytes:
            self._parts = []
            raise TooLong(self._most_bytes)
        if piece:
            self._parts.append(piece)
