"""Server-sent events."""

import pytest

from codetools.mcp.protocol.events import Event, Events
from codetools.mcp.protocol.lines import TooLong

STREAM = b": keep-alive\r\n\r\nid: 1\nretry: 500\ndata:\n\nevent: message\nid: 2\ndata: {\ndata:  1}\n\ndata: x\n\n"


def test_events_come_out_whole_however_they_come_in():
    wanted = [Event("message", "{\n 1}", "2", 500), Event("message", "x", None, 500)]
    for size in (1, 7, len(STREAM)):
        events = Events(1000)
        found = [event for at in range(0, len(STREAM), size) for event in events.feed(STREAM[at : at + size])]
        assert found == wanted
        assert (events.last_id, events.retry_ms) == ("2", 500)


def test_an_event_longer_than_the_cap_is_refused_while_it_comes_i6():
    events = Events(1000)
    for _ in range(76):
        events.feed(b"data: xxxxxx\n")
    with pytest.raises(TooLong):
        events.feed(b"data: xxxxxx\n")


def test_many_short_events_do_not_count_together():
    events = Events(100)
    assert sum(len(events.feed(b"data: x\n\n")) for _ in range(1000)) == 1000
