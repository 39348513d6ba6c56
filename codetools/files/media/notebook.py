"""A Jupyter notebook as text: its cells in order, each with what it printed; its images beside the text."""

import json
import re
from base64 import b64decode
from typing import Any

from codetools.core.record import Record

OUTPUT_CHARS = 10_000  # of one output, of which head and tail are shown
IMAGE_TYPES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP"}
TEXT_TYPES = ("text/plain", "text/markdown", "text/latex", "text/html", "image/svg+xml", "application/json")

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Embedded(Record):
    """An image in an output: which kind, and its bytes."""

    format: str
    content: bytes


class Notebook(Record):
    """A notebook's text, with the images it names in their order."""

    text: str
    images: tuple[Embedded, ...]


def notebook_of(content: bytes) -> Notebook | None:
    """Return what a notebook shows, or None for content that is none."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list) or "nbformat" not in document:
        return None
    images: list[Embedded] = []
    blocks = [_cell(number, cell, images) for number, cell in enumerate(cells, 1) if isinstance(cell, dict)]
    return Notebook("\n\n".join(blocks) + "\n" if blocks else "--- no cells ---\n", tuple(images))


def _cell(number: int, cell: dict[str, Any], images: list[Embedded]) -> str:
    kind = str(cell.get("cell_type", "cell"))
    run = cell.get("execution_count")
    title = f"--- cell {number}: {kind}{f', run {run}' if isinstance(run, int) else ''} ---"
    parts = [title, _joined(cell.get("source"))]
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, dict) and (shown := _output(output, images)):
            parts += [f"--- output of cell {number} ---", shown]
    return "\n".join(part.rstrip("\n") for part in parts if part)


def _output(output: dict[str, Any], images: list[Embedded]) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return _shortened(_joined(output.get("text")))
    if kind == "error":
        trace = _joined_lines(output.get("traceback"))
        return _shortened(trace or f"{output.get('ename', '')}: {output.get('evalue', '')}")
    data = output.get("data")
    if not isinstance(data, dict):
        return ""
    shown = [_image(name, value, images) for name, value in data.items() if name in IMAGE_TYPES]
    text = next((_joined(data[name]) for name in TEXT_TYPES if name in data), "")
    others = [f"[{name} not shown]" for name in data if name not in IMAGE_TYPES and name not in TEXT_TYPES]
    return "\n".join([*filter(None, [_shortened(text)]), *shown, *(others if not text and not shown else [])])


def _image(name: str, value: Any, images: list[Embedded]) -> str:
    try:
        content = b64decode(_joined(value))
    except ValueError:
        return f"[{name}, damaged]"
    images.append(Embedded(IMAGE_TYPES[name], content))
    return f"[image {len(images)}: {name}]"


def _joined(value: Any) -> str:
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return "" if value is None else json.dumps(value)
    return re.sub(_ESCAPE, "", value).encode("utf-8", "replace").decode()


def _joined_lines(value: Any) -> str:
    return _joined("\n".join(part for part in value if isinstance(part, str))) if isinstance(value, list) else ""


def _shortened(text: str) -> str:
    if len(text) <= OUTPUT_CHARS:
        return text
    half = OUTPUT_CHARS // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters left out]\n{text[-half:]}"
