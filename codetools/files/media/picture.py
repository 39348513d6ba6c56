"""One image as a model takes it: upright, no larger than asked, PNG or JPEG. Runs in the decoder's process."""

from io import BytesIO
from typing import Any

from codetools.files.media.worker import Problem

ORIENTATION_TAG = 0x0112
UPRIGHT = 1
TAKEN_AS_IT_IS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
PHOTOGRAPHS = ("JPEG", "MPO", "HEIF", "AVIF", "WEBP", "TIFF")
QUALITIES = (88, 75, 55)
LEAST_SIDE = 64


def picture(content: bytes, job: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Return facts of the image, and its bytes where they are not those of the file.

    The job gives `side` (pixels of the longer side), `bytes`, `pixels` (of the source) and `format`.
    """
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # refused below, before anything is decoded
    _register(job["format"])
    with Image.open(BytesIO(content)) as source:
        width, height = source.size
        if width * height > job["pixels"]:
            raise Problem("pixels", f"{width}x{height}")
        format = source.format or ""
        facts = {"width": width, "height": height, "format": format, "turned": _orientation(source) != UPRIGHT}
        is_large = max(width, height) > job["side"]
        image: Image.Image = source
        if is_large:
            image.draft("RGB", (job["side"], job["side"]))
        image.load()
        keeps = format in TAKEN_AS_IT_IS and not is_large and not facts["turned"] and len(content) <= job["bytes"]
        if keeps:
            return {**facts, "media_type": TAKEN_AS_IT_IS[format], "shown": [width, height], "same": True}, b""
        orientation = _orientation(image)  # decoders of TIFF and HEIC have turned it by now
        image = _plain(image)
        if is_large:
            image.thumbnail((job["side"], job["side"]), Image.Resampling.LANCZOS)
        if orientation != UPRIGHT:
            image.getexif()[ORIENTATION_TAG] = orientation
            image = ImageOps.exif_transpose(image)
        media_type, made, size = _fitting(image, format in PHOTOGRAPHS, job["bytes"])
    return {**facts, "media_type": media_type, "shown": list(size), "same": False}, made


def _orientation(image: Any) -> int:
    found = image.getexif().get(ORIENTATION_TAG, UPRIGHT)
    return found if found in range(2, 9) else UPRIGHT


def _register(format: str) -> None:
    if format in ("HEIC", "AVIF"):
        from PIL import features

        if format == "HEIC" or not features.check("avif"):
            import pillow_heif

            pillow_heif.register_heif_opener()


def _plain(image: Any) -> Any:
    """Return an image of 8 bits a channel, in grey or RGB, with transparency where it had some."""
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.convert("I").point(lambda value: value / 256).convert("L")
    if image.mode == "F":
        raise Problem("damaged", "floating-point pixels")
    if image.mode in ("L", "RGB", "RGBA", "LA"):
        return image
    has_alpha = image.mode in ("PA", "RGBa", "La") or "transparency" in image.info
    return image.convert("RGBA" if has_alpha else "L" if image.mode == "1" else "RGB")


def _fitting(image: Any, is_photograph: bool, most_bytes: int) -> tuple[str, bytes, tuple[int, int]]:
    """Return the image in the first form that is small enough: PNG for drawings, JPEG, then smaller."""
    has_alpha = image.mode in ("RGBA", "LA")
    if has_alpha or not is_photograph:
        made = _saved(image, "PNG", optimize=False)
        if len(made) <= most_bytes:
            return "image/png", made, image.size
    if has_alpha:
        image = _on_white(image)
    while True:
        for quality in QUALITIES:
            made = _saved(image, "JPEG", quality=quality)
            if len(made) <= most_bytes:
                return "image/jpeg", made, image.size
        if max(image.size) // 2 < LEAST_SIDE:
            raise Problem("damaged", "it cannot be made small enough")
        image = image.resize((max(1, image.width // 2), max(1, image.height // 2)))


def _on_white(image: Any) -> Any:
    from PIL import Image

    white = Image.new("RGB", image.size, "white")
    white.paste(image.convert("RGBA"), mask=image.getchannel("A"))
    return white


def _saved(image: Any, format: str, **how: Any) -> bytes:
    file = BytesIO()
    image.save(file, format, exif=b"", **how)
    return file.getvalue()
