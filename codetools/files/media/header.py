"""Width, height and orientation out of the first bytes of the image kinds that models take as they are."""

from collections.abc import Iterator

from codetools.core.record import Record

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WebP": "image/webp"}
UPRIGHT = 1
ORIENTATION_TAG = 0x0112
MOST_TAGS = 200

_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = frozenset((0x01, *range(0xD0, 0xD9)))


class Header(Record):
    """What an image says of itself. `orientation` is that of EXIF: 1 is upright."""

    media_type: str
    width: int
    height: int
    orientation: int = UPRIGHT


def header_of(content: bytes, format: str) -> Header | None:
    """Return the header of a PNG, JPEG, GIF or WebP, or None where it is damaged or of another format."""
    read = {"PNG": _png, "JPEG": _jpeg, "GIF": _gif, "WebP": _webp}.get(format)
    found = read(content) if read is not None else None
    if found is None or not found[0] or not found[1]:
        return None
    return Header(MEDIA_TYPES[format], *found)


def _png(content: bytes) -> tuple[int, int, int] | None:
    if content[12:16] != b"IHDR" or len(content) < 33:
        return None
    orientation = UPRIGHT
    for name, start, size in _png_chunks(content):
        if name == b"eXIf":
            orientation = _orientation(content[start : start + size])
        if name == b"IDAT":
            break
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big"), orientation


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    at = 8
    while at + 8 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        yield content[at + 4 : at + 8], at + 8, size
        at += size + 12


def _jpeg(content: bytes) -> tuple[int, int, int] | None:
    orientation = UPRIGHT
    at = 2
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _BARE_MARKERS:
            at += 2
            continue
        size = int.from_bytes(content[at + 2 : at + 4], "big")
        if marker in _SIZE_MARKERS:
            if at + 9 > len(content):
                return None
            height, width = (int.from_bytes(content[start : start + 2], "big") for start in (at + 5, at + 7))
            return width, height, orientation
        if marker == 0xDA or size < 2:
            return None
        if marker == 0xE1 and content[at + 4 : at + 10] == b"Exif\0\0":
            orientation = _orientation(content[at + 10 : at + 2 + size])
        at += 2 + size
    return None


def _gif(content: bytes) -> tuple[int, int, int] | None:
    if len(content) < 13:
        return None
    return int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little"), UPRIGHT


def _webp(content: bytes) -> tuple[int, int, int] | None:
    form = content[12:16]
    if len(content) < 30:
        return None
    if form == b"VP8X":
        width, height = (int.from_bytes(content[start : start + 3], "little") + 1 for start in (24, 27))
        return width, height, _webp_orientation(content)
    if form == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, UPRIGHT
    if form == b"VP8 " and content[23:26] == b"\x9d\x01\x2a":
        width, height = (int.from_bytes(content[start : start + 2], "little") & 0x3FFF for start in (26, 28))
        return width, height, UPRIGHT
    return None


def _webp_orientation(content: bytes) -> int:
    at = 12
    while at + 8 <= len(content):
        size = int.from_bytes(content[at + 4 : at + 8], "little")
        if content[at : at + 4] == b"EXIF":
            return _orientation(content[at + 8 : at + 8 + size].removeprefix(b"Exif\0\0"))
        at += 8 + size + size % 2
    return UPRIGHT


def _orientation(exif: bytes) -> int:
    """Return the orientation that EXIF data names; upright where it names none that exists."""
    if exif[:4] == b"II*\0":
        order = "little"
    elif exif[:4] == b"MM\0*":
        order = "big"
    else:
        return UPRIGHT

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], "little" if order == "little" else "big")

    start = number(4, 4)
    for entry in range(min(number(start, 2), MOST_TAGS)):
        at = start + 2 + 12 * entry
        if number(at, 2) == ORIENTATION_TAG:
            value = number(at + 8, 2)
            return value if 1 <= value <= 8 else UPRIGHT
    return UPRIGHT
