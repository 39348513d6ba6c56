"""One HTTP exchange in a thread of its own, so that nothing that a server or the network does holds its caller."""

import socket
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection

from codetools.core.record import Record
from codetools.mcp.origin import Origin

MAX_REDIRECTS = 3
ERROR_BODY_BYTES = 64 << 10
READ_BYTES = 1 << 16
SLACK_SECONDS = 1.0  # by which the caller's own deadline comes first, and says what was waited for
_KEEPING_METHOD = (307, 308)


class Call(Record):
    """What is sent. `seconds` is how long any one step may take."""

    method: str
    origin: Origin
    headers: dict[str, str]
    body: bytes | None
    seconds: float


class Reply(Record):
    """How an answer begins: header names in lower case."""

    status: int
    reason: str
    headers: dict[str, str]
    origin: Origin

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Broken(Exception):
    """The exchange failed; the message follows the server's name."""


class Exchange:
    """One request and its answer: `run` is handed the beginning of the answer, and a function that reads on."""

    def __init__(
        self, call: Call, run: Callable[[Reply, Callable[[], bytes]], None], failed: Callable[[str], None]
    ) -> None:
        self._call = call
        self._run = run
        self._failed = failed
        self._connection: HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self.is_abandoned = False
        self._deadline = time.monotonic() + call.seconds + SLACK_SECONDS
        self.thread = threading.Thread(target=self._work, name="mcp-http", daemon=True)
        self.thread.start()

    def abandon(self) -> None:
        """Break it off, whatever it waits for; nobody hears of it any more."""
        self.is_abandoned = True
        found = self._socket
        if found is not None:
            try:
                found.shutdown(socket.SHUT_RDWR)
            except OSError:  # it is closed already
                return

    def _work(self) -> None:
        try:
            response, reply = self._begun()
            self._run(reply, lambda: self._read(response))
        except Broken as error:
            self._fail(str(error))
        except (OSError, HTTPException, ValueError) as error:
            self._fail(f"cannot be reached: {_said(error)}")
        finally:
            if self._connection is not None:
                self._connection.close()

    def _fail(self, what: str) -> None:
        if not self.is_abandoned:
            self._failed(what)

    def _begun(self) -> tuple[HTTPResponse, Reply]:
        call, origin = self._call, self._call.origin
        for _ in range(MAX_REDIRECTS + 1):
            kind = HTTPSConnection if origin.scheme == "https" else HTTPConnection
            connection = self._connection = kind(origin.host, origin.port, timeout=self._left())
            connection.connect()
            self._socket = connection.sock
            if self.is_abandoned:
                raise Broken("was not waited for")
            connection.request(call.method, origin.path, body=call.body, headers=call.headers)
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            if not 300 <= response.status < 400:
                return response, Reply(response.status, response.reason, headers, origin)
            joined = origin.joined(headers.get("location", ""))
            if joined is None or response.status not in _KEEPING_METHOD:
                raise Broken(
                    f"answers with a redirect (HTTP {response.status}), which is followed within its origin only"
                )
            origin = joined
            connection.close()
        raise Broken(f"redirects more than {MAX_REDIRECTS} times")

    def _read(self, response: HTTPResponse) -> bytes:
        if self._socket is not None:
            self._socket.settimeout(self._left())
        return response.read1(READ_BYTES)

    def _left(self) -> float:
        return max(0.01, self._deadline - time.monotonic())


def _said(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:200].rstrip(".")
