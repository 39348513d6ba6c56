import sys
import zlib
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, StreamObject

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.media.pdf import Pages, asked, pages_of
from tests.files.media.samples import pdf

THREE = pdf(["one", "two", "three"])


def pages(content: bytes, wanted: str | None = None, **limits: int) -> Pages:
    return pages_of(content, "a.pdf", wanted, Limits(**limits), lambda: None)


def test_pages_come_as_text_with_their_numbers():
    found = pages(THREE)
    assert found.text == "--- page 1 of 3 ---\none\n--- page 2 of 3 ---\ntwo\n--- page 3 of 3 ---\nthree\n"
    assert (found.first, found.last, found.total, found.notices) == (1, 3, 3, ())


def test_a_range_of_pages_can_be_asked_for():
    assert pages(THREE, "2").text == "--- page 2 of 3 ---\ntwo\n"
    assert pages(THREE, "2-3").last == 3
    found = pages(THREE, "7-9")
    assert (found.text, found.notices[0].message) == ("", "a.pdf has 3 pages; there is none at 7.")


def test_as_many_pages_as_fit_are_shown_i6():
    assert pages(THREE, pdf_pages=2).last == 2
    long = pdf(["x" * 700, "y" * 700, "z"])
    assert pages(long, read_chars=1000).last == 1


def test_a_page_without_text_is_said():
    assert [notice.kind for notice in pages(pdf(["one", ""])).notices] == ["no_text"]


def test_a_page_that_expands_beyond_all_measure_is_said_and_the_others_are_shown_i6():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(THREE)))
    stream = StreamObject()
    squeeze = zlib.compressobj(9)
    stream.set_data(b"".join(squeeze.compress(bytes(1 << 20)) for _ in range(200)) + squeeze.flush())
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    writer.pages[1][NameObject("/Contents")] = writer._add_object(stream)
    file = BytesIO()
    writer.write(file)
    found = pages(file.getvalue())
    assert [notice.message for notice in found.notices] == ["page 2 of a.pdf is damaged or too large to be decoded"]
    assert found.text.endswith("--- page 2 of 3 ---\n\n--- page 3 of 3 ---\nthree\n")


def test_an_encrypted_and_a_damaged_one_are_refused():
    writer = PdfWriter(clone_from=PdfReader(BytesIO(THREE)))
    writer.encrypt("secret", algorithm="RC4-128")
    file = BytesIO()
    writer.write(file)
    for content, words in ((file.getvalue(), "is encrypted"), (THREE[:200], "is damaged")):
        with pytest.raises(Failure, match=words) as caught:
            pages(content)
        assert caught.value.kind == "binary"


def test_without_the_extra_the_install_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(Failure) as caught:
        pages(THREE)
    assert (caught.value.kind, caught.value.hint) == ("unavailable", "Install it: pip install 'codetools-cli[media]'")


@pytest.mark.parametrize(("wanted", "found"), [("3", (3, 3)), ("1-5", (1, 5)), (" 2 - 4 ", (2, 4)), ("7-", (7, 10**6))])
def test_ranges_of_pages_are_understood(wanted: str, found: tuple[int, int]):
    assert asked(wanted) == found


@pytest.mark.parametrize("wanted", ["0", "5-1", "-3", "a", "1,2", "1 2"])
def test_what_is_no_range_of_pages_is_refused(wanted: str):
    with pytest.raises(Failure) as caught:
        asked(wanted)
    assert caught.value.kind == "usage"
