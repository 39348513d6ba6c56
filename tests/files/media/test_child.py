import sys
import time

import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.media.child import decode
from tests.files.media.samples import pdf, picture

JOB = {"do": "pdf", "first": 1, "last": 9, "chars": 1000}


def test_a_decoder_that_takes_too_long_is_ended_i6():
    began = time.monotonic()
    with pytest.raises(Failure) as caught:
        decode(JOB, pdf(["text"] * 3000), "a.pdf", Limits(media_seconds=0.1), None)
    assert caught.value.kind == "timeout"
    assert time.monotonic() - began < 3


def test_a_cancelled_call_ends_the_decoder():
    def check() -> None:
        raise Failure("interrupted", "the call was cancelled.")

    with pytest.raises(Failure) as caught:
        decode(JOB, pdf(["text"]), "a.pdf", Limits(), check)
    assert caught.value.kind == "interrupted"


def test_i1_the_decoder_imports_nothing_from_the_working_directory(workspace, monkeypatch: pytest.MonkeyPatch):
    for name in ("pypdf", "json", "codetools", "sitecustomize"):
        (workspace / f"{name}.py").write_text("open('owned', 'w')\n")
    monkeypatch.setattr(sys, "path", ["", ".", *sys.path])
    assert decode(JOB, pdf(["text"]), "a.pdf", Limits(), None).facts == {"total": 1, "texts": ["text"]}
    assert not (workspace / "owned").exists()


def test_what_the_decoder_does_to_itself_is_a_damaged_file():
    job = {"do": "image", "format": "PNG", "side": 10, "bytes": 1000, "pixels": 1000}
    with pytest.raises(Failure, match="damaged") as caught:
        decode(job, b"no image", "a.png", Limits(), None)
    assert caught.value.kind == "binary"
    with pytest.raises(Failure, match="pixels"):
        decode(job, picture("PNG", (100, 100)), "a.png", Limits(), None)
