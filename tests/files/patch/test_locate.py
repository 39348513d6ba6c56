"""A hunk's only exact place is found without a list of the file's lines, and is the same one."""

from hypothesis import given
from hypothesis import strategies as st

from codetools.files.patch.lines import FileLines
from codetools.files.patch.locate import Target, locate, part_around
from codetools.files.patch.model import Hunk, Line

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"ab\n", b"\n", b"b\r\n", b" a\n"]), max_size=12)


@given(
    lines=LINES,
    last=st.sampled_from([b"", b"a", b"ab"]),
    bom=st.booleans(),
    sought=st.lists(st.sampled_from(["a", "b", "ab", "", "b\r"]), min_size=1, max_size=3),
)
def test_a_part_of_a_file_says_the_same_of_a_hunk_as_the_whole(
    lines: list[bytes], last: bytes, bom: bool, sought: list[str]
):
    content = (b"\xef\xbb\xbf" if bom else b"") + b"".join(lines) + last
    hunk = Hunk(tuple(Line("-", text) for text in sought), 1)
    target = Target(hunk, tuple(text.encode() + b"\n" for text in sought), ())
    part = part_around(content, target, with_bom=False)
    whole = FileLines(content)
    (expected,) = locate(whole, (target,))
    if part is None:
        assert expected.place is None or expected.place.tier != "exact"
        return
    (found,) = locate(part, (target,))
    assert found.place is not None
    assert found.place.below(part.first) == expected.place
    assert part.offset(found.place.start) == whole.offset(found.place.below(part.first).start)
    assert (found.place.end == len(part)) == (found.place.below(part.first).end == len(whole))
    assert part.ending == whole.ending
