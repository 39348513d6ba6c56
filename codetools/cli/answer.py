"""The whole loop in one pipe: a provider's response in, its tool calls made, the messages to append out."""

import os
import threading
from types import ModuleType

from codetools.cli.json_text import parse_json
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.engine.argv import split
from codetools.engine.call import call, failed
from codetools.engine.engine import Engine, start
from codetools.engine.options import AnswerOptions
from codetools.engine.record import internal
from codetools.engine.turns import Turns
from codetools.render.envelope import json_line
from codetools.render.providers.asked import Answered, Asked
from codetools.render.write import write_error, write_out
from codetools.state.home import state_home

MODULES = {"anthropic": "anthropic", "openai": "openai", "openai-responses": "openai_responses", "gemini": "gemini"}
MOST_BYTES = 256 << 20
NOTHING_ASKED, APPROVALS_WAIT = 1, 75


def main(argv: list[str]) -> int:
    """Answer the response on standard input; return the exit code."""
    try:
        return _answered(argv)
    except Failure as failure:
        found = failure
    except KeyboardInterrupt:
        found = Failure("interrupted", "interrupted.")
    except Exception as bug:  # noqa: BLE001  the one broad catch of this door
        found = internal(state_home(), bug)
    write_error(f"codetools answer: {found.line().removeprefix('answer: ')}\n")
    return found.exit_code


def _answered(argv: list[str]) -> int:
    options, words = split(argv, AnswerOptions, "answer")
    if words:
        raise Failure("usage", f"answer takes the response from standard input, not {words[0]!r}.", _EXAMPLE)
    if options.format is None:
        raise Failure("usage", f"whose response is it? --format {'|'.join(MODULES)}", _EXAMPLE)
    provider = __import__(f"codetools.render.providers.{MODULES[options.format]}", fromlist=["*"])
    asked = _asked(provider, _standard_input())
    if not asked:
        write_out("[]\n")
        return NOTHING_ASKED
    engine = start(options)
    try:
        answers, was_interrupted = _made(engine, asked)
    finally:
        engine.close(waits=False)
    write_out(json_line(provider.messages(answers)))
    return 130 if was_interrupted else _told(answers)


def _asked(provider: ModuleType, content: bytes) -> list[Asked]:
    """Return the calls in a response; raise `unavailable` for one that says that the provider failed."""
    try:
        response = parse_json(content)
    except ValueError as error:
        raise Failure("usage", f"the response is not JSON: {error}.", _EXAMPLE) from None
    if not isinstance(response, dict):
        raise Failure("usage", "the response is not a JSON object.", _EXAMPLE)
    if trouble := response.get("error"):
        said = trouble.get("message") if isinstance(trouble, dict) else trouble
        raise Failure("unavailable", f"the provider answered with an error: {said}.")
    found: list[Asked] = provider.asked(response)
    return found


def _made(engine: Engine, asked: list[Asked]) -> tuple[list[Answered], bool]:
    """Make the calls, those together that may run together; return the answers, and whether there was an interrupt."""
    turns, cancelled = Turns(engine.limits.batch_calls), threading.Event()
    outcomes: dict[int, Outcome] = {}

    def make(place: int) -> None:
        outcomes[place] = _outcome(engine, asked[place], cancelled)

    was_interrupted = False
    try:
        for place, one in enumerate(asked):
            turns.put(lambda place=place: make(place), is_safe=engine.may_share(one.name))  # type: ignore[misc]
        turns.wait()
    except KeyboardInterrupt:
        was_interrupted = True
        cancelled.set()
        turns.wait()
    stopped = Failure("interrupted", "the call was interrupted before it began.")
    answers = [Answered(one, outcomes.get(place) or failed(one.name, stopped)) for place, one in enumerate(asked)]
    return answers, was_interrupted


def _outcome(engine: Engine, asked: Asked, cancelled: threading.Event) -> Outcome:
    if cancelled.is_set():
        return failed(asked.name, Failure("interrupted", "the call was interrupted before it began."))
    if asked.wrong:
        return failed(asked.name, Failure("usage", f"{asked.wrong}.", "Send them again as one JSON object."))
    return call(engine, asked.name, asked.arguments, is_cancelled=cancelled.is_set)


def _told(answers: list[Answered]) -> int:
    """Say on standard error which approvals wait; return the exit code."""
    failures = [answer.outcome.failure for answer in answers if answer.outcome.failure is not None]
    waiting = [failure.details["approval"] for failure in failures if failure.kind == "approval_required"]
    for approval in waiting:
        yes = f"a person's yes: codetools permissions approve {approval['id']}"
        write_error(f"codetools answer: approval {approval['id']} waits: {approval['operation']}; {yes}\n")
    return APPROVALS_WAIT if waiting else 0


def _standard_input() -> bytes:
    if os.isatty(0):
        raise Failure("usage", "answer takes the response from standard input, which is a terminal.", _EXAMPLE)
    chunks, size = [], 0
    while chunk := os.read(0, 1 << 20):
        chunks.append(chunk)
        size += len(chunk)
        if size > MOST_BYTES:
            raise Failure("usage", f"the response is larger than {MOST_BYTES >> 20} MiB.")
    return b"".join(chunks)


_EXAMPLE = "Example: codetools answer --format anthropic < response.json"
