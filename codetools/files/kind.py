"""What a file holds, told by its first bytes and never by its name."""

from typing import Literal

from codetools.core.record import Record
from codetools.files.text import unmarked_utf_16

SNIFF_BYTES = 8192
BOMS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")

KindName = Literal[
    "text", "notebook", "image", "pdf", "archive", "executable", "database", "audio", "video", "font", "binary"
]


class Kind(Record):
    """`name` is the family, `format` the exact format in words where it is known."""

    name: KindName
    format: str = ""

    @property
    def words(self) -> str:
        """What to call it: `PNG image`, `PDF`, `binary`."""
        if self.name in ("binary", "pdf", "notebook", "text"):
            return self.format or self.name
        return f"{self.format} {self.name}"


TEXT = Kind("text")
NOTEBOOK = Kind("notebook", "Jupyter notebook")
BINARY = Kind("binary")

_MAGIC: tuple[tuple[int, bytes, KindName, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image", "PNG"),
    (0, b"\xff\xd8\xff", "image", "JPEG"),
    (0, b"GIF87a", "image", "GIF"),
    (0, b"GIF89a", "image", "GIF"),
    (8, b"WEBP", "image", "WebP"),
    (0, b"II*\0", "image", "TIFF"),
    (0, b"MM\0*", "image", "TIFF"),
    (0, b"II+\0", "image", "TIFF"),
    (0, b"MM\0+", "image", "TIFF"),
    (0, b"\0\0\1\0", "image", "ICO"),
    (0, b"8BPS\0", "image", "Photoshop"),
    (0, b"%PDF-", "pdf", "PDF"),
    (0, b"PK\x03\x04", "archive", "zip"),
    (0, b"PK\x05\x06", "archive", "zip"),
    (0, b"\x1f\x8b", "archive", "gzip"),
    (0, b"BZh", "archive", "bzip2"),
    (0, b"\xfd7zXZ\0", "archive", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "archive", "zstd"),
    (0, b"\x04\x22\x4d\x18", "archive", "lz4"),
    (0, b"7z\xbc\xaf\x27\x1c", "archive", "7z"),
    (0, b"Rar!\x1a\x07", "archive", "RAR"),
    (0, b"\x1f\x9d", "archive", "compress"),
    (257, b"ustar", "archive", "tar"),
    (0, b"!<arch>\n", "archive", "ar"),
    (0, b"\xed\xab\xee\xdb", "archive", "RPM"),
    (0, b"\x7fELF", "executable", "ELF"),
    (0, b"\xcf\xfa\xed\xfe", "executable", "Mach-O"),
    (0, b"\xce\xfa\xed\xfe", "executable", "Mach-O"),
    (0, b"\xca\xfe\xba\xbe", "executable", "Mach-O or Java class"),
    (0, b"MZ", "executable", "PE"),
    (0, b"\0asm", "executable", "WebAssembly"),
    (0, b"SQLite format 3\0", "database", "SQLite"),
    (0, b"ID3", "audio", "MP3"),
    (0, b"OggS", "audio", "Ogg"),
    (0, b"fLaC", "audio", "FLAC"),
    (8, b"WAVE", "audio", "WAV"),
    (8, b"AVI ", "video", "AVI"),
    (0, b"\x1a\x45\xdf\xa3", "video", "Matroska"),
    (0, b"wOFF", "font", "WOFF"),
    (0, b"wOF2", "font", "WOFF2"),
    (0, b"\0\1\0\0\0", "font", "TrueType"),
    (0, b"OTTO\0", "font", "OpenType"),
)
_BRANDS: dict[bytes, tuple[KindName, str]] = {
    b"avif": ("image", "AVIF"),
    b"avis": ("image", "AVIF"),
    b"heic": ("image", "HEIC"),
    b"heix": ("image", "HEIC"),
    b"heim": ("image", "HEIC"),
    b"heis": ("image", "HEIC"),
    b"hevc": ("image", "HEIC"),
    b"hevx": ("image", "HEIC"),
    b"mif1": ("image", "HEIC"),
    b"msf1": ("image", "HEIC"),
    b"M4A ": ("audio", "MPEG-4"),
    b"M4B ": ("audio", "MPEG-4"),
}


def kind_of(head: bytes) -> Kind:
    """Return what a file that begins with `head` holds; `head` is at least SNIFF_BYTES of it, or all."""
    head = head[:SNIFF_BYTES]
    has_nul = b"\0" in head
    if head.startswith(BOMS):
        return TEXT
    for offset, magic, name, format in _MAGIC:
        if head.startswith(magic, offset) and (has_nul or format in ("PDF", "GIF") or not _is_utf8(head)):
            return Kind(name, format)
    if head[4:8] == b"ftyp" and has_nul:
        return _branded(head)
    if has_nul and head.startswith(b"BM"):
        return Kind("image", "BMP")
    if has_nul and unmarked_utf_16(head) is None:
        return BINARY
    return TEXT


def is_notebook(content: bytes) -> bool:
    """Whether text that begins so looks like a Jupyter notebook; only its parser knows."""
    return content[:64].lstrip()[:1] == b"{" and b'"cells"' in content and b'"nbformat' in content


def _branded(head: bytes) -> Kind:
    """Return what an ISO media file holds: its main brand, or for a general one those that it is compatible with."""
    size = min(int.from_bytes(head[:4], "big"), 256)
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, size, 4))]
    if brands[0] in (b"mif1", b"msf1") and {b"avif", b"avis"} & set(brands):
        return Kind("image", "AVIF")
    return Kind(*_BRANDS.get(brands[0], ("video", "MPEG-4")))


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.end == len(head) and error.reason == "unexpected end of data"
    return True
