"""What a file holds, told by its first bytes and never by its name."""

from typing import Literal

from codetools.core.record import Record

SNIFF_BYTES = 8192
BOMS_16 = (b"\xff\xfe", b"\xfe\xff")


class Kind(Record):
    """`name` is the family, `format` the exact format in words where it is known."""

    name: Literal["text", "image", "pdf", "archive", "executable", "database", "binary"]
    format: str = ""


TEXT = Kind("text")
BINARY = Kind("binary")

_MAGIC: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", Kind("image", "PNG")),
    (0, b"\xff\xd8\xff", Kind("image", "JPEG")),
    (0, b"GIF87a", Kind("image", "GIF")),
    (0, b"GIF89a", Kind("image", "GIF")),
    (8, b"WEBP", Kind("image", "WebP")),
    (0, b"II*\0", Kind("image", "TIFF")),
    (0, b"MM\0*", Kind("image", "TIFF")),
    (4, b"ftypavif", Kind("image", "AVIF")),
    (4, b"ftypheic", Kind("image", "HEIC")),
    (4, b"ftypheix", Kind("image", "HEIC")),
    (4, b"ftypmif1", Kind("image", "HEIC")),
    (0, b"%PDF-", Kind("pdf", "PDF")),
    (0, b"PK\x03\x04", Kind("archive", "zip")),
    (0, b"PK\x05\x06", Kind("archive", "zip")),
    (0, b"\x1f\x8b", Kind("archive", "gzip")),
    (0, b"BZh", Kind("archive", "bzip2")),
    (0, b"\xfd7zXZ\0", Kind("archive", "xz")),
    (0, b"\x28\xb5\x2f\xfd", Kind("archive", "zstd")),
    (0, b"7z\xbc\xaf\x27\x1c", Kind("archive", "7z")),
    (257, b"ustar", Kind("archive", "tar")),
    (0, b"\x7fELF", Kind("executable", "ELF")),
    (0, b"\xcf\xfa\xed\xfe", Kind("executable", "Mach-O")),
    (0, b"\xca\xfe\xba\xbe", Kind("executable", "Mach-O or Java class")),
    (0, b"MZ", Kind("executable", "PE")),
    (0, b"\0asm", Kind("executable", "WebAssembly")),
    (0, b"SQLite format 3\0", Kind("database", "SQLite")),
)


def kind_of(head: bytes) -> Kind:
    """Return what a file that begins with `head` holds; `head` is at least SNIFF_BYTES of it, or all."""
    head = head[:SNIFF_BYTES]
    has_nul = b"\0" in head
    if head.startswith(BOMS_16):
        return TEXT
    for offset, magic, kind in _MAGIC:
        if head.startswith(magic, offset) and (has_nul or kind.format in ("PDF", "GIF") or not _is_utf8(head)):
            return kind
    if has_nul and head.startswith(b"BM"):
        return Kind("image", "BMP")
    return BINARY if has_nul else TEXT


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.end == len(head) and error.reason == "unexpected end of data"
    return True
