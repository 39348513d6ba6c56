"""Exit 0 means that the reader has every byte."""

import os
import subprocess
import sys
import threading

WRITER = """
import sys
from codetools.core.errors import Failure
from codetools.render.write import write_out, write_error
try:
    there = write_out({pieces})
except Failure as failure:
    write_error(failure.kind + ": " + failure.line())
    sys.exit(failure.exit_code)
write_error("there" if there else "gone")
"""


def run(pieces: str, redirect: str = "", **options) -> subprocess.CompletedProcess[bytes]:
    command = ["sh", "-c", f'"$0" -c "$1" {redirect}', sys.executable, WRITER.format(pieces=pieces)]
    return subprocess.run(command, capture_output=True, timeout=30, **options)


def test_pieces_arrive_whole_and_in_order():
    ran = run("['a\\n', 'b' * 300_000, '\\n']")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"a\n" + b"b" * 300_000 + b"\n", b"there")


def test_what_was_printed_before_comes_before():
    ran = run("(print('first'), 'second')[1]")
    assert ran.stdout == b"first\nsecond"


def test_names_that_are_not_utf8_leave_as_the_bytes_they_are():
    assert run("'caf\\udce9 \\ud800'").stdout == b"caf\xef\xbf\xbd \xef\xbf\xbd"
    assert run("'caf\\udce9'").stdout == b"caf\xe9"


def test_a_closed_pipe_ends_quietly():
    ran = run("('line\\n' * 1000 for _ in range(10_000))", "| head -n 1")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"line\n", b"gone")


def test_a_full_disk_is_an_io_failure_without_a_traceback_at_exit():
    ran = run("'x'", "> /dev/full")
    assert (ran.returncode, ran.stderr) == (74, b"io: standard output: No space left on device.")


def test_a_closed_standard_output_is_an_io_failure():
    ran = run("'x'", ">&-")
    assert (ran.returncode, ran.stderr) == (74, b"io: standard output: it is closed.")


def test_a_closed_standard_error_harms_nobody():
    ran = run("'x'", "2>&-")
    assert (ran.returncode, ran.stdout) == (0, b"x")


def test_a_pipe_that_does_not_block_is_waited_for():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    taken: list[bytes] = []

    def take() -> None:
        while chunk := os.read(reading, 65536):
            taken.append(chunk)

    program = [sys.executable, "-c", WRITER.format(pieces="'y' * 1_000_000")]
    process = subprocess.Popen(program, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    reader = threading.Thread(target=take)
    reader.start()
    assert process.communicate(timeout=30)[1] == b"there"
    reader.join(timeout=30)
    os.close(reading)
    assert b"".join(taken) == b"y" * 1_000_000
