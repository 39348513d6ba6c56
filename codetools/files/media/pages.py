"""The text of a PDF's pages. Runs in the decoder's process."""

from io import BytesIO
from typing import Any

from codetools.files.media.worker import Problem


def pages(content: bytes, job: dict[str, Any]) -> dict[str, Any]:
    """Return the number of pages, and the text of those from `first` to `last`, up to about `chars` characters.

    The text of a page that cannot be read is null.
    """
    import logging

    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    logging.disable()
    reader = PdfReader(BytesIO(content), strict=False)
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            raise Problem("encrypted")
    except DependencyError as error:
        raise Problem("encrypted", str(error)) from None
    total = len(reader.pages)
    texts: list[str | None] = []
    size = 0
    for number in range(job["first"], min(job["last"], total) + 1):
        try:
            text = reader.pages[number - 1].extract_text()
        except Exception:  # noqa: BLE001  one page that cannot be read does not lose the others
            texts.append(None)
            continue
        size += len(text)
        if texts and size > job["chars"]:
            break
        texts.append(text.encode("utf-8", "replace").decode()[: job["chars"]])
    return {"total": total, "texts": texts}
