"""The harness's door: one call as JSON in, one envelope out; never a prompt, never a hang."""

import os
from time import monotonic
from typing import Any

from codetools.cli.json_text import parse_json
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Outcome
from codetools.engine.argv import split
from codetools.engine.call import call, failed
from codetools.engine.engine import start
from codetools.engine.options import StagingOptions
from codetools.engine.record import internal
from codetools.render.envelope import envelope_line
from codetools.render.write import tell_lost, write_last
from codetools.state.home import state_home

MAX_STDIN_BYTES = 256 << 20
USAGE = """Usage: codetools call TOOL '{"argument": "value"}' [options], or the JSON on standard input."""


def main(argv: list[str]) -> int:
    """Make one call and print its envelope; return the exit code."""
    outcome = run(argv)
    try:
        write_last(envelope_line(outcome))
    except Failure as failure:
        return tell_lost("call", failure, outcome)
    except KeyboardInterrupt:
        return tell_lost("call", Failure("interrupted", "interrupted while the answer was printed."), outcome)
    return outcome.exit_code


def run(argv: list[str]) -> Outcome:
    """Make the call that `argv` and standard input describe."""
    started = monotonic()
    tool = argv[0] if argv and not argv[0].startswith("-") else "call"
    try:
        return _made(argv, started)
    except Failure as failure:
        return failed(tool, failure, started)
    except KeyboardInterrupt:
        return failed(tool, Failure("interrupted", "the call was interrupted before it began."), started)
    except Exception as error:  # noqa: BLE001  the one broad catch of this door
        return failed(tool, internal(state_home(), error), started)


def _made(argv: list[str], started: float) -> Outcome:
    options, words = split(argv, StagingOptions, "call")
    if not words or len(words) > 2:
        raise Failure("usage", "call takes a tool and one JSON object.", USAGE)
    tool = words[0]
    text = words[1] if len(words) == 2 else _standard_input(tool)
    arguments = _parsed(text, tool)
    engine = start(options)
    try:
        return call(engine, tool, arguments, dry_run=options.dry_run, started=started)
    finally:
        engine.close(waits=False)


def _standard_input(tool: str) -> str:
    import select

    if os.isatty(0):
        raise Failure("usage", "call: no arguments, and standard input is a terminal.", _example(tool))
    seconds = Limits().stdin_seconds
    chunks: list[bytes] = []
    size = 0
    while select.select([0], [], [], seconds)[0]:
        try:
            chunk = os.read(0, 1 << 20)
        except OSError as error:
            raise Failure("usage", f"call: standard input cannot be read ({error.strerror}).", _example(tool)) from None
        if not chunk:
            return _decoded(b"".join(chunks), tool)
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_STDIN_BYTES:
            raise Failure("usage", f"call: the arguments are larger than {MAX_STDIN_BYTES} bytes.")
    raise Failure("usage", f"call: standard input stayed silent for {seconds:g} seconds.", _example(tool))


def _decoded(content: bytes, tool: str) -> str:
    if not content.strip():
        raise Failure("usage", "call: no arguments: standard input is empty.", _example(tool))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure("usage", f"call: the arguments are not UTF-8 at byte {error.start}.", _example(tool)) from None


def _parsed(text: str, tool: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise Failure("usage", f"call: the arguments are not a JSON object: {error}.", _example(tool)) from None


def _example(tool: str) -> str:
    import json

    from codetools.engine.built_in import BUILT_IN

    try:
        return f"Example: codetools call {tool} '{json.dumps(BUILT_IN.find(tool).example())}'"
    except Failure as failure:
        return failure.line()
