"""Where a server on the network is: its address taken apart once, and checked, and what lies at the same origin."""

from urllib.parse import urljoin, urlsplit

from codetools.core.errors import Failure
from codetools.core.record import Record


class Origin(Record):
    """One address: `scheme` is http or https, `path` begins with a slash and holds the query."""

    scheme: str
    host: str
    port: int
    path: str

    def joined(self, location: str) -> "Origin | None":
        """Return where a location given by the server leads, or None where that is another origin."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        try:
            found = parse_origin(urljoin(f"{self.scheme}://{host}:{self.port}{self.path}", location), "")
        except Failure:
            return None
        is_same = (found.scheme, found.host, found.port) == (self.scheme, self.host, self.port)
        return found if is_same else None


def parse_origin(url: str, server: str) -> Origin:
    """Take an address apart; raise `config` for one that is none of http or https."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Failure("config", f"the address of the MCP server {server} cannot be read: {error}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        message = f"the address of the MCP server {server} is not of the form https://HOST/PATH."
        raise Failure("config", message, "Credentials belong into headers.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii() or any(character <= " " or character == "\x7f" for character in path):
        raise Failure("config", f"the address of the MCP server {server} holds characters that have to be escaped.")
    return Origin(parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path)
