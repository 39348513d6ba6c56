import pytest

from codetools.files.kind import is_notebook, kind_of


@pytest.mark.parametrize(
    ("head", "name", "format"),
    [
        (b"", "text", ""),
        (b"BMW and MZ and PK and ID3 and OggS", "text", ""),
        (b"\xff\xfeh\0i\0", "text", ""),
        (b"h\0e\0l\0l\0o\0\r\0\n\0", "text", ""),
        (b"\0h\0e\0l\0l\0o", "text", ""),
        (b"\xff\xfe\0\0h\0\0\0", "text", ""),
        (b"\0\0\xfe\xff\0\0\0h", "text", ""),
        (b"a\0b", "binary", ""),
        (b"\1\0\2\0\3\0\4\0", "binary", ""),
        (b"h\0e\0l\0\0\0l\0o\0", "binary", ""),
        (bytes(100), "binary", ""),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image", "PNG"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image", "JPEG"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image", "WebP"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "audio", "WAV"),
        (b"GIF89a", "image", "GIF"),
        (b"BM\x36\0\0\0", "image", "BMP"),
        (b"II*\0\x08\0\0\0", "image", "TIFF"),
        (b"MM\0*\0\0\0\x08", "image", "TIFF"),
        (b"\0\0\0\x1cftypheic\0\0\0\0mif1heic", "image", "HEIC"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", "image", "AVIF"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avif", "image", "AVIF"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heic", "image", "HEIC"),
        (b"\0\0\0\x1cftypisom\0\0\0\0isommp42", "video", "MPEG-4"),
        (b"%PDF-1.7\n", "pdf", "PDF"),
        (b"PK\x03\x04\x14\0\0\0", "archive", "zip"),
        (b"\x1f\x8b\x08\0", "archive", "gzip"),
        (b"\x7fELF\x02\x01\x01\0", "executable", "ELF"),
        (b"SQLite format 3\0", "database", "SQLite"),
    ],
)
def test_the_first_bytes_decide_the_kind(head: bytes, name: str, format: str):
    kind = kind_of(head)
    assert (kind.name, kind.format) == (name, format)


def test_a_kind_has_words():
    assert kind_of(b"PK\x03\x04\0").words == "zip archive"
    assert kind_of(b"%PDF-1.7").words == "PDF"
    assert kind_of(b"a\0b").words == "binary"


def test_a_notebook_is_told_from_other_json():
    assert is_notebook(b'\n{"cells": [], "metadata": {}, "nbformat": 4}')
    assert not is_notebook(b'{"cells": []}')
    assert not is_notebook(b'text about "cells" and "nbformat"')
