from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.exact import Exact, read_exact
from codetools.files.reading import look_at
from tests.files.room import files_of


def exact(workspace: Path, content: bytes, offset: int = 0, limit: int | None = None, **limits: int) -> Exact:
    (workspace / "a").write_bytes(content)
    caps = Limits(**limits)
    with files_of(workspace).open("a") as file:
        return read_exact(look_at(file, "a", caps, None), offset, limit, caps, lambda: None)


@pytest.mark.parametrize("exact_read_bytes", [0, 1 << 20])
@pytest.mark.parametrize("content", [b"", b"a\r\nb", b"\xef\xbb\xbfa\n", b"\xff\xfea\0\n\0", bytes(range(256)) * 9])
def test_the_whole_file_comes_as_it_is(workspace: Path, content: bytes, exact_read_bytes: int):
    found = exact(workspace, content, exact_read_bytes=exact_read_bytes)
    assert (found.content, found.has_more, found.is_cut) == (content, False, False)


@pytest.mark.parametrize(
    ("content", "second"),
    [
        (b"1\r\n2\r\n3\r\n", b"2\r\n"),
        (b"1\n2", b"2"),
        (b"\xe9\n\xe8\n", b"\xe8\n"),
        ("\ufeff1\n2\n3".encode("utf-16-be"), "2\n".encode("utf-16-be")),
        ("\ufeffa\u0a00\u000a2\n".encode("utf-16-le"), "2\n".encode("utf-16-le")),
    ],
)
def test_a_range_of_lines_comes_as_it_is(workspace: Path, content: bytes, second: bytes):
    found = exact(workspace, content, 1, 1)
    assert (found.content, found.first_line, found.last_line) == (second, 2, 2)
    first = exact(workspace, content, 0, 1)
    assert content.startswith(first.content + second)


def test_lines_of_damaged_utf_16_are_refused_rather_than_altered(workspace: Path):
    with pytest.raises(Failure) as caught:
        exact(workspace, b"\xff\xfe" + b"\0\xd8a\0\n\0b\0\n\0", 0, 1)
    assert caught.value.kind == "encoding"


def test_a_file_over_the_cap_comes_in_parts_that_make_the_whole_i6(workspace: Path):
    content = b"".join(b"%d\n" % number for number in range(1000))
    first = exact(workspace, content, raw_bytes=1000)
    assert (first.has_more, len(first.content) <= 1000) == (True, True)
    rest = exact(workspace, content, first.last_line, raw_bytes=100_000)
    assert (first.content + rest.content, rest.has_more) == (content, False)


def test_a_line_over_the_cap_is_cut_and_it_is_said_i6(workspace: Path):
    found = exact(workspace, b"x" * 5000 + b"\ny\n", raw_bytes=1000)
    assert (found.content[:1000], found.is_cut) == (b"x" * 1000, True)
