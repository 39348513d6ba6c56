from pathlib import Path

from tests.files.room import files_of


def test_i6_a_stream_ends_where_the_file_ended_when_it_was_opened(workspace: Path):
    path = workspace / "log"
    path.write_bytes(b"1\n" * 300_000)
    with files_of(workspace).open("log") as file:
        chunks = file.chunks()
        seen = len(next(chunks))
        with path.open("ab") as log:
            log.write(b"2\n" * 300_000)
        seen += sum(map(len, chunks))
    assert seen == 600_000
