"""The door of `codetools mcp serve`: it reads its own command line, for Typer would cost more than the first answer."""

import os
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.engine.argv import split
from codetools.engine.options import ServeOptions
from codetools.engine.resident import Resident
from codetools.render.write import write_error


def main(argv: list[str]) -> int:
    """Serve until the client leaves; return the exit code."""
    try:
        options, words = split(argv, ServeOptions, "mcp serve")
        if words:
            raise Failure("usage", f"mcp serve takes no {words[0]!r}.", "See: codetools mcp serve --help")
        if options.http is None:
            from codetools.serve.stdio import serve

            return serve(_opened(options))
        return _over_http(lambda: _opened(options), options.http)
    except Failure as failure:
        write_error(f"codetools mcp serve: {failure.line().removeprefix('mcp serve: ')}\n")
        return failure.exit_code


def _opened(options: ServeOptions) -> Resident:
    """Return an engine with a session of its own, unless one is named; the environment may name it too."""
    if options.session or os.environ.get("CODETOOLS_SESSION"):
        return Resident(options)
    return Resident(options, new_session=f"mcp-{os.urandom(4).hex()}")


def _over_http(open_resident: Callable[[], Resident], address: str) -> int:
    try:
        from codetools.serve.http import serve_http
    except ImportError as error:
        message = f"serving over HTTP needs the extra mcp ({error.name} is missing)."
        raise Failure("unavailable", message, "Install it: pip install 'codetools-cli[mcp]'") from None
    return serve_http(open_resident, address)
