"""`--stream` prints output as it comes and the envelope last."""

import json
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SCRIPT = """
from codetools.render.stream import Stream
from tests.render.outcomes import failed, outcome, Lines
from codetools.core.path import Path
stream = Stream()
stream.emit("one\\n", "stdout")
stream.emit("", "stdout")
stream.emit("two\\udce9\\n", "stderr")
print(stream.finish(outcome(Lines(Path("a"), "done"))), file=__import__("sys").stderr)
"""


def test_output_events_come_first_and_the_outcome_last():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=30, cwd=REPOSITORY)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert lines[:2] == [
        {"event": "output", "stream": "stdout", "text": "one\n"},
        {"event": "output", "stream": "stderr", "text": "two\ufffd\n"},
    ]
    assert list(lines[2])[:3] == ["event", "v", "ok"]
    assert (lines[2]["event"], lines[2]["text"]) == ("outcome", "done")
    assert ran.stderr == "True\n"


def test_a_full_disk_does_not_stop_the_call_but_fails_it_at_the_end():
    command = ["sh", "-c", '"$0" -c "$1" > /dev/full', sys.executable, SCRIPT]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=REPOSITORY)
    assert ran.returncode == 1
    assert "standard output: No space left on device." in ran.stderr
    assert "in finish" in ran.stderr
