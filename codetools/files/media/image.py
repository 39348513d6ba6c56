"""An image as it goes into an outcome: as it is where models take it so, else turned, converted, scaled down."""

from base64 import b64encode
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Image, Notice
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.media.child import decode, is_installed, missing
from codetools.files.media.header import UPRIGHT, Header, header_of


class Picture(Record):
    """An image for the model. `width` and `height` are those in the file; `notices` say what was done to it."""

    image: Image
    width: int
    height: int
    notices: tuple[Notice, ...] = ()


def image_of(
    content: bytes, format: str, shown: Path, limits: Limits, check: Callable[[], None], *, name: str = ""
) -> Picture:
    """Return an image; raise `binary` for a damaged one, `unavailable` where the extra is missing for its kind."""
    name = name or shown
    header = header_of(content, format)
    if header is not None:
        _refuse_bomb(header, name, limits)
    if is_installed("PIL"):
        return _decoded(content, format, shown, name, limits, check)
    if header is None:
        if format in ("PNG", "JPEG", "GIF", "WebP"):
            raise Failure("binary", f"{name} is a damaged {format} image.", "`raw` and `base64` give its bytes.")
        raise missing(f"{name}, a {format} image,")
    notices = []
    if header.orientation != UPRIGHT:
        notices.append(Notice("image", f"{name} is not upright: its EXIF orientation is {header.orientation}"))
    if max(header.width, header.height) > limits.image_side or len(content) > limits.image_bytes:
        size = f"{header.width}x{header.height}, {len(content):,} bytes"
        notices.append(Notice("image", f"{name} ({size}) could not be scaled down without the extra `media`"))
    image = Image(shown, header.media_type, header.width, header.height, b64encode(content).decode("ascii"))
    return Picture(image, header.width, header.height, tuple(notices))


def _refuse_bomb(header: Header, name: str, limits: Limits) -> None:
    if header.width * header.height > limits.media_pixels:
        size = f"{header.width}x{header.height}"
        message = f"{name} has more pixels ({size}) than the {limits.media_pixels:,} that are decoded."
        raise Failure("binary", message, "The setting limits.media_pixels may be raised.")


def _decoded(content: bytes, format: str, shown: Path, name: str, limits: Limits, check: Callable[[], None]) -> Picture:
    job = {
        "do": "image",
        "format": format,
        "side": limits.image_side,
        "bytes": limits.image_bytes,
        "pixels": limits.media_pixels,
    }
    decoded = decode(job, content, name, limits, check)
    facts = decoded.facts
    width, height = facts["shown"]
    made = content if facts["same"] else decoded.content
    image = Image(shown, facts["media_type"], width, height, b64encode(made).decode("ascii"))
    return Picture(image, facts["width"], facts["height"], tuple(_notices(facts, image, format, name)))


def _notices(facts: dict[str, object], image: Image, format: str, name: str) -> list[Notice]:
    told = []
    sides = (facts["width"], facts["height"])
    before, after = max(side for side in sides if isinstance(side, int)), max(image.width, image.height)
    if facts["turned"]:
        told.append("turned upright")
    if before > after:
        told.append(f"scaled down from {sides[0]}x{sides[1]}, factor {after / before:.4g}")
    shown_as = image.media_type.partition("/")[2].upper()
    if not facts["same"] and shown_as != format.upper():
        told.append(f"{format} converted to {shown_as}")
    return [Notice("image", f"{name}: {'; '.join(told)}")] if told else []
