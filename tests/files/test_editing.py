"""Several edits of one document: what lies between the replaced places stays, byte for byte."""

from hypothesis import given
from hypothesis import strategies as st

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.files.document import Document, hash_of
from codetools.files.editing import Edited, Replacement, apply_edits
from codetools.files.workspace import Location

PIECES = st.lists(st.sampled_from(["a", "b", "c", " ", "\t", "\n", "\r\n", "é", "    "]), max_size=14)
TEXT = PIECES.map("".join)
OLD = st.lists(st.sampled_from(["a", "b", "c", " ", "\n", "é"]), min_size=1, max_size=3).map("".join)
EDITS = st.lists(st.builds(Replacement, OLD, TEXT, st.booleans()), min_size=1, max_size=3)


def document(content: bytes) -> Document:
    place = Path("/w/a")
    location = Location(place, place, Path("/w"), inside=True, writable=True, exists=True)
    return Document(location, content, hash_of(content), len(content), 0)


def outcome(content: bytes, edits: list[Replacement], *, partial: bool = False) -> Edited | Failure:
    try:
        return apply_edits(document(content), "a", tuple(edits), partial=partial)
    except Failure as failure:
        return failure


@given(TEXT, EDITS, st.booleans())
def test_bytes_between_the_replaced_places_stay(text: str, edits: list[Replacement], partial: bool):
    content = text.encode()
    found = outcome(content, edits, partial=partial)
    if isinstance(found, Failure):
        assert found.exit_code == 65
        return
    spans = sorted((span for one in found.placed for span in one.spans), key=lambda span: span.start)
    rest = found.content
    position = 0
    for span in spans:
        kept = content[position : span.start]
        assert rest.startswith(kept + span.new)
        rest = rest[len(kept + span.new) :]
        position = span.end
    assert rest == content[position:]


@given(TEXT, EDITS)
def test_edits_that_all_fit_give_the_same_in_any_order(text: str, edits: list[Replacement]):
    there, back = outcome(text.encode(), edits), outcome(text.encode(), edits[::-1])
    if isinstance(there, Edited) and isinstance(back, Edited):
        assert there.content == back.content
    else:
        assert isinstance(there, Failure) == isinstance(back, Failure)


@given(TEXT, OLD, TEXT)
def test_one_edit_in_a_list_is_the_edit_alone(text: str, old: str, new: str):
    alone = outcome(text.encode(), [Replacement(old, new)])
    other = Replacement("#", "##")
    listed = outcome(text.encode() + b"\n#", [Replacement(old, new), other])
    if isinstance(alone, Edited) and isinstance(listed, Edited) and "\n" not in old and "\r" not in text:
        assert listed.content == alone.content + b"\n##"
