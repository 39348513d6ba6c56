"""What a server answers: text for the model, images that are images, and a word on all that is left out."""

import base64
import binascii
import json
from typing import Any

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Image, Notice
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.media.header import header_of
from codetools.mcp.clean import clean

MAX_BLOCKS = 1000
_STARTS = (("PNG", b"\x89PNG\r\n\x1a\n"), ("JPEG", b"\xff\xd8\xff"), ("GIF", b"GIF8"), ("WebP", b"RIFF"))


class Content(Record):
    """Blocks of content, read: what a model reads, the images it sees, and notices of what it does not."""

    text: str
    images: tuple[Image, ...] = ()
    notices: tuple[Notice, ...] = ()


def read_content(blocks: Any, server: str, limits: Limits, *, with_images: bool) -> Content:
    """Read the content of a tool's answer, a prompt's message or a resource; what cannot be shown is said."""
    reader = _Reader(server, limits, with_images=with_images)
    found = blocks if isinstance(blocks, list) else []
    for block in found[:MAX_BLOCKS]:
        reader.take(block)
    if len(found) > MAX_BLOCKS:
        reader.say(f"{len(found) - MAX_BLOCKS:,} of {len(found):,} pieces of content are left out")
    return Content("\n".join(reader.texts), tuple(reader.images), tuple(reader.notices))


class _Reader:
    def __init__(self, server: str, limits: Limits, *, with_images: bool) -> None:
        self._server = server
        self._limits = limits
        self._with_images = with_images
        self.texts: list[str] = []
        self.images: list[Image] = []
        self.notices: list[Notice] = []

    def say(self, what: str) -> None:
        self.notices.append(Notice("mcp", what))

    def take(self, block: Any) -> None:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text" and isinstance(block.get("text"), str):
            self.texts.append(block["text"])
        elif kind == "image":
            self._image(block.get("data"), block.get("mimeType"))
        elif kind == "audio":
            self.say(f"audio ({_name(block.get('mimeType'))}) is left out")
        elif kind == "resource_link":
            self.texts.append(f"[resource {_name(block.get('uri'))}: {_name(block.get('title') or block.get('name'))}]")
        elif kind == "resource" and isinstance(block.get("resource"), dict):
            self.resource(block["resource"])
        else:
            self.say(f"content of the kind {_name(kind)} is left out")

    def resource(self, resource: dict[str, Any]) -> None:
        """Take the content of a resource: its text, or an image; anything else is only named."""
        text, blob, media_type = resource.get("text"), resource.get("blob"), resource.get("mimeType")
        if isinstance(text, str):
            self.texts.append(text)
        elif isinstance(media_type, str) and media_type.startswith("image/"):
            self._image(blob, media_type)
        else:
            size = len(blob) * 3 // 4 if isinstance(blob, str) else 0
            self.say(f"the resource {_name(resource.get('uri'))} ({_name(media_type)}, {size:,} bytes) is left out")

    def _image(self, data: Any, media_type: Any) -> None:
        if not self._with_images:
            self.say(f"an image ({_name(media_type)}) is left out: images are switched off")
        elif len(self.images) >= self._limits.images:
            self.say(f"an image is left out: {self._limits.images} are shown at most")
        elif not isinstance(data, str) or len(data) * 3 // 4 > self._limits.image_bytes:
            self.say(f"an image is left out: it is larger than {self._limits.image_bytes:,} bytes")
        elif image := self._read(data):
            self.images.append(image)
        else:
            self.say(f"an image ({_name(media_type)}) is left out: its content is no image")

    def _read(self, data: str) -> Image | None:
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            return None
        formats = (format for format, start in _STARTS if content.startswith(start))
        found = next((header for format in formats if (header := header_of(content, format))), None)
        if found is None:
            return None
        name = Path(f"mcp:{self._server}:{len(self.images) + 1}")
        return Image(name, found.media_type, found.width, found.height, base64.b64encode(content).decode("ascii"))


def as_text(value: Any) -> str:
    """Return a structured answer as text, for one that came without."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def read_resources(contents: Any, server: str, limits: Limits, *, with_images: bool) -> Content:
    """Read the contents of a resource."""
    if not isinstance(contents, list):
        raise Failure("unavailable", f"the MCP server {server} answered without contents.")
    blocks = [{"type": "resource", "resource": each} for each in contents]
    return read_content(blocks, server, limits, with_images=with_images)


def _name(value: Any) -> str:
    return " ".join(clean(value).split())[:200] if isinstance(value, str) and value else "unnamed"
