"""The resident door: calls as JSON lines in, one envelope line out for each; an open pipe is a server."""

import os
import threading
from typing import Any

from codetools.cli.answers import Answers
from codetools.cli.lines import TOO_LONG, lines_of
from codetools.cli.request import Cancel, Request, parse_request
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.engine.argv import split
from codetools.engine.call import call, failed
from codetools.engine.engine import Engine
from codetools.engine.lock import refuse_if_looser
from codetools.engine.options import BatchOptions
from codetools.engine.resident import Resident
from codetools.engine.turns import Turns
from codetools.render.write import write_error

MOST_UNANSWERED = 100  # then no further line is read until one of them is answered
END_SECONDS = 10.0  # for calls that were cancelled to come to their end


def main(argv: list[str]) -> int:
    """Answer the lines of standard input until its end; return the exit code."""
    try:
        options, words = split(argv, BatchOptions, "batch")
        if words:
            raise Failure("usage", f"batch takes its calls from standard input, not {words[0]!r}.", _EXAMPLE)
        batch = Batch(options)
    except Failure as failure:
        write_error(f"codetools batch: {failure.line().removeprefix('batch: ')}\n")
        return failure.exit_code
    return batch.run()


class Batch:
    """The calls that have been read and not been answered, and the answers that wait for those before them."""

    def __init__(self, options: BatchOptions) -> None:
        session = options.session or f"batch-{os.urandom(4).hex()}"
        self._resident = Resident(options.but(session=session, approve=None))
        self._options = options.but(session=session)
        if options.approve is not None:
            self._approve(options.approve)
        self._turns = Turns(self._resident.engine().limits.batch_calls)
        self._answers = Answers(session, is_ordered=not options.unordered)
        self._cancelled: dict[Any, threading.Event] = {}  # by the id of a call that has not been answered

    def run(self) -> int:
        """Take lines until there are no more, or nobody is there to read the answers."""
        code = 0
        try:
            for number, line in enumerate(lines_of(0), 1):
                if line.strip():
                    self._take(number, line)
                self._turns.wait(MOST_UNANSWERED)
                if self._answers.is_over:
                    break
            self._turns.wait()
        except KeyboardInterrupt:
            code = 130
            self._cancel_all()
        self._resident.close()
        if self._answers.failure is not None:
            write_error(f"codetools batch: {self._answers.failure.line()}\n")
            return self._answers.failure.exit_code
        return code

    def _approve(self, approval_id: str) -> None:
        """Take the harness's word: the call that it names runs once, whichever of the batch it is."""
        from codetools.state.approvals import ApprovalStore

        if not ApprovalStore(self._resident.engine().store()).mark_approved(approval_id, "--approve"):
            raise Failure("denied", f"approval {approval_id} does not wait: it is unknown, decided or expired.")

    def _take(self, number: int, line: bytes) -> None:
        place = self._answers.place()
        try:
            self._begin(place, line)
        except Failure as failure:
            said = Failure(failure.kind, f"line {number}: {failure.message}", failure.hint, failure.details)
            self._answers.give(place, failure.details.get("id"), failed("batch", said))

    def _begin(self, place: int, line: bytes) -> None:
        if line is TOO_LONG:
            raise Failure("usage", "the line is too long for a request.", _EXAMPLE)
        request = parse_request(line)
        if isinstance(request, Cancel):
            self._cancel(request.id)
            self._answers.skip(place)
            return
        if request.id is not None and request.id in self._cancelled:
            raise Failure("usage", f"the id {request.id!r} is that of a call that is not answered yet.")
        is_safe = self._resident.engine().may_share(request.tool)
        cancelled = threading.Event()
        if request.id is not None:
            self._cancelled[request.id] = cancelled
        self._turns.put(lambda: self._answer(place, request, cancelled), is_safe=is_safe)

    def _answer(self, place: int, request: Request, cancelled: threading.Event) -> None:
        outcome = self._outcome(request, cancelled)
        self._cancelled.pop(request.id, None)
        self._answers.give(place, request.id, outcome)

    def _outcome(self, request: Request, cancelled: threading.Event) -> Outcome:
        try:
            if cancelled.is_set():
                raise Failure("interrupted", "the call was cancelled before it began.")
            return call(
                self._engine_for(request),
                request.tool,
                request.input,
                dry_run=request.dry_run,
                emit=self._emit_for(request.id),
                is_cancelled=cancelled.is_set,
            )
        except Failure as failure:
            return failed(request.tool, failure)

    def _engine_for(self, request: Request) -> Engine:
        engine = self._resident.engine()
        if request.approve is None:
            return engine
        options = self._options.but(approve=request.approve)
        refuse_if_looser(options)
        return engine.but(options=options)

    def _emit_for(self, request_id: Any) -> Any:
        if not self._options.stream:
            return None
        return lambda chunk, stream: self._answers.event(request_id, stream, chunk)

    def _cancel(self, request_id: Any) -> None:
        if (event := self._cancelled.get(request_id)) is not None:
            event.set()

    def _cancel_all(self) -> None:
        for event in list(self._cancelled.values()):
            event.set()
        self._turns.wait(seconds=END_SECONDS)


_EXAMPLE = """Example: echo '{"id": 1, "tool": "read", "input": {"file_path": "README.md"}}' | codetools batch"""
