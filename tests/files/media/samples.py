"""Images and PDF made by the libraries that decode them, or by hand."""

from io import BytesIO
from typing import Any

import pillow_heif
from PIL import Image, ImageDraw

pillow_heif.register_heif_opener()
RED, BLUE = (250, 10, 10), (10, 10, 250)


def picture(format: str = "PNG", size: tuple[int, int] = (60, 40), orientation: int = 1, **how: Any) -> bytes:
    """Return a red image with a blue left upper corner."""
    image = Image.new(how.pop("mode", "RGB"), size, how.pop("colour", RED))
    if image.mode == "RGB":
        ImageDraw.Draw(image).rectangle((0, 0, size[0] // 4, size[1] // 4), fill=BLUE)
    if orientation != 1:
        exif = Image.Exif()
        exif[0x0112] = orientation
        how["exif"] = exif.tobytes()
    file = BytesIO()
    image.save(file, {"HEIC": "HEIF", "WebP": "WEBP"}.get(format, format), **how)
    return file.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def pdf(texts: list[str]) -> bytes:
    """Return a PDF with one line of text on each page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(texts)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(texts):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    body = "%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\n"
    return f"{body}startxref\n{body.index('xref')}\n%%EOF\n".encode()
