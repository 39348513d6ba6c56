"""Server-sent events: how an HTTP answer carries several messages. Put together as bytes come, each at most a cap."""

from codetools.core.record import Record
from codetools.mcp.protocol.lines import TooLong


class Event(Record):
    """One event: `name` is `message` unless said otherwise, `id` is None where the stream gave none."""

    name: str
    data: str
    id: str | None = None
    retry_ms: int | None = None


class Events:
    """The events of one stream. `last_id` and `retry_ms` are what a client comes back with after a break."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._data: list[str] = []
        self._name = ""
        self._id: str | None = None
        self.last_id: str | None = None
        self.retry_ms: int | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that `chunk` ends; raise TooLong."""
        self._size += len(chunk)
        self._parts.append(chunk)
        found: list[Event] = []
        if b"\n" in chunk:
            *ended, rest = b"".join(self._parts).replace(b"\r\n", b"\n").split(b"\n")
            self._parts = [rest]
            for line in ended:
                for part in line.split(b"\r"):
                    if event := self._take(part.decode("utf-8", "replace")):
                        found.append(event)
                        self._size = len(rest)
        self._refuse_long()
        return found

    def _refuse_long(self) -> None:
        if self._size > self._most_bytes:
            raise TooLong(self._most_bytes)

    def _take(self, line: str) -> Event | None:
        if not line:
            return self._ended()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        elif field == "id" and "\0" not in value:
            self._id = self.last_id = value
        elif field == "retry" and value.isascii() and value.isdigit() and len(value) < 10:
            self.retry_ms = int(value)
        return None

    def _ended(self) -> Event | None:
        event = Event(self._name or "message", "\n".join(self._data), self._id, self.retry_ms)
        had_data = bool(self._data)
        self._data, self._name, self._id = [], "", None
        return event if had_data and event.data else None
