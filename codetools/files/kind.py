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

_MAGIC: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", Kind("image", "PNG")),
    (0, b"\xff\xd8\xff", Kind("image", "JPEG")),
    (0, b"GIF87a", Kind("image", "GIF")),
    (0, b"GIF89a", Kind("image", "GIF")),
    (8, b"WEBP", Kind("image", "WebP")),
    (0, b"II*\0", Kind("image", "TIFF")),
    (0, b"MM\0*", Kind("image", "TIFF")),
    (0, b"II+\0", Kind("image", "TIFF")),
    (0, b"MM\0+", Kind("image", "TIFF")),
    (0, b"\0\0\1\0", Kind("image", "ICO")),
    (0, b"8BPS\0", Kind("image", "Photoshop")),
    (0, b"%PDF-", Kind("pdf", "PDF")),
    (0, b"PK\x03\x04", Kind("archive", "zip")),
    (0, b"PK\x05\x06", Kind("archive", "zip")),
    (0, b"\x1f\x8b", Kind("archive", "gzip")),
    (0, b"BZh", Kind("archive", "bzip2")),
    (0, b"\xfd7zXZ\0", Kind("archive", "xz")),
    (0, b"\x28\xb5\x2f\xfd", Kind("archive", "zstd")),
    (0, b"\x04\x22\x4d\x18", Kind("archive", "lz4")),
    (0, b"7z\xbc\xaf\x27\x1c", Kind("archive", "7z")),
    (0, b"Rar!\x1a\x07", Kind("archive", "RAR")),
    (0, b"\x1f\x9d", Kind("archive", "compress")),
    (257, b"ustar", Kind("archive", "tar")),
    (0, b"!<arch>\n", Kind("archive", "ar")),
    (0, b"\xed\xab\xee\xdb", Kind("archive", "RPM")),
    (0, b"\x7fELF", Kind("executable", "ELF")),
    (0, b"\xcf\xfa\xed\xfe", Kind("executable", "Mach-O")),
    (0, b"\xce\xfa\xed\xfe", Kind("executable", "Mach-O")),
    (0, b"\xca\xfe\xba\xbe", Kind("executable", "Mach-O or Java class")),
    (0, b"MZ", Kind("executable", "PE")),
    (0, b"\0asm", Kind("executable", "WebAssembly")),
    (0, b"SQLite format 3\0", Kind("database", "SQLite")),
    (0, b"ID3", Kind("audio", "MP3")),
    (0, b"OggS", Kind("audio", "Ogg")),
    (0, b"fLaC", Kind("audio", "FLAC")),
    (8, b"WAVE", Kind("audio", "WAV")),
    (8, b"AVI ", Kind("video", "AVI")),
    (0, b"\x1a\x45\xdf\xa3", Kind("video", "Matroska")),
    (0, b"wOFF", Kind("font", "WOFF")),
    (0, b"wOF2", Kind("font", "WOFF2")),
    (0, b"\0\1\0\0\0", Kind("font", "TrueType")),
    (0, b"OTTO\0", Kind("font", "OpenType")),
)
_BRANDS = {
    **dict.fromkeys((b"avif", b"avis"), Kind("image", "AVIF")),
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), Kind("image", "HEIC")),
    **dict.fromkeys((b"mif1", b"msf1"), Kind("image", "HEIC")),
    **dict.fromkeys((b"M4A ", b"M4B "), Kind("audio", "MPEG-4")),
}


def kind_of(head: bytes) -> Kind:
    """Return what a file that begins with `head` holds; `head` is at least SNIFF_BYTES of it, or all."""
    head = head[:SNIFF_BYTES]
    has_nul = b"\0" in head
    if head.startswith(BOMS):
        return TEXT
    for offset, magic, kind in _MAGIC:
        if head.startswith(magic, offset) and (has_nul or kind.format in ("PDF", "GIF") or not _is_utf8(head)):
            return kind
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
        return _BRANDS[b"avif"]
    return _BRANDS.get(brands[0], Kind("video", "MPEG-4"))


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.end == len(head) and error.reason == "unexpected end of data"
    return True
