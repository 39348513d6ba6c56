"""The server over standard input and output: one line a message, and nothing else ever reaches the client."""

import os
import sys
import threading
from typing import Any

from codetools.engine.resident import Resident
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.lines import Lines, TooLong
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, NotAMessage, read_message, written
from codetools.mcp.protocol.revisions import INVALID_REQUEST
from codetools.serve.conversation import Conversation

READ_BYTES = 1 << 16
LAST_SECONDS = 3.0  # for calls to end by themselves once there is no more input
END_SECONDS = 10.0  # and once they were cancelled


def serve(resident: Resident) -> int:
    """Answer one client until it closes our standard input; return the exit code."""
    read, write = _private_streams()
    out = _Out(write)
    conversation = Conversation(resident, out.send)
    try:
        _take_all(read, conversation, out)
    except KeyboardInterrupt:
        conversation.cancel()
        conversation.finish(END_SECONDS)
        return 130
    conversation.finish(LAST_SECONDS)
    conversation.cancel()
    conversation.finish(END_SECONDS)
    return 0


def _take_all(read: int, conversation: Conversation, out: "_Out") -> None:
    lines = Lines(MAX_MESSAGE_BYTES)
    while not out.is_closed and (chunk := os.read(read, READ_BYTES)):
        try:
            found = lines.feed(chunk)
        except TooLong as too_long:
            out.send(messages.error(None, INVALID_REQUEST, f"{too_long}; the connection ends here"))
            return
        for line in found:
            try:
                message = read_message(line)
            except NotAMessage as fault:
                out.send(messages.error(fault.id, fault.code, fault.why))
            else:
                conversation.take(message)


def _private_streams() -> tuple[int, int]:
    """Keep the two streams to ourselves: what anything else prints goes to standard error, what it reads is nothing."""
    read, write = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return read, write


class _Out:
    """The way out; a client that has gone, or takes nothing, ends the conversation."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._turn = threading.Lock()
        self.is_closed = False

    def send(self, message: dict[str, Any]) -> None:
        try:
            line = written(message)
        except ValueError as error:  # never without a bug of ours; the request must not stay open for it
            line = written(messages.error(message.get("id"), INVALID_REQUEST, f"the answer is no JSON: {error}"))
        with self._turn:
            view = memoryview(line)
            while view and not self.is_closed:
                try:
                    view = view[os.write(self._descriptor, view) :]
                except OSError:
                    self.is_closed = True
