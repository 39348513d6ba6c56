"""The server over standard input and output: one line a message, and nothing else ever reaches the client."""

import os
import select
import sys

from codetools.engine.resident import Resident
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.lines import Lines, TooLong
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, NotAMessage, read_message
from codetools.mcp.protocol.revisions import INVALID_REQUEST
from codetools.serve.conversation import Conversation
from codetools.serve.out import Out

READ_BYTES = 1 << 16
LAST_SECONDS = 3.0  # for calls to end by themselves once there is no more input
END_SECONDS = 10.0  # and once they were cancelled


def serve(resident: Resident) -> int:
    """Answer one client until it closes our standard input; return the exit code."""
    read, write = _private_streams()
    out = Out(write)
    conversation = Conversation(resident, out.send)
    try:
        _take_all(read, conversation, out)
    except KeyboardInterrupt:
        conversation.cancel()
        conversation.finish(END_SECONDS)
        return 130
    conversation.finish(LAST_SECONDS)
    conversation.cancel()
    out.give_up_within(END_SECONDS)
    conversation.finish(END_SECONDS)
    return 0


def _take_all(read: int, conversation: Conversation, out: Out) -> None:
    lines = Lines(MAX_MESSAGE_BYTES)
    while chunk := _chunk(read, out):
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
                conversation.take(message, len(line))


def _chunk(read: int, out: Out) -> bytes:
    """Return what the client says next; nothing once it is gone, or takes no answers."""
    found, _, _ = select.select([read, out.closed], [], [])
    return b"" if out.closed in found else os.read(read, READ_BYTES)


def _private_streams() -> tuple[int, int]:
    """Keep the two streams to ourselves: what anything else prints goes to standard error, what it reads is nothing."""
    read, write = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return read, write
