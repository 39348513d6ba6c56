"""What an image, a PDF or a notebook shows: images, and text that is paged like a file's."""

from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Image, Next, Notice, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.kind import TEXT
from codetools.files.media.header import header_of
from codetools.files.media.image import image_of
from codetools.files.media.notebook import Notebook, notebook_of
from codetools.files.media.pdf import asked, pages_of
from codetools.files.reading import Source, not_text
from codetools.files.text import UTF_8, Encoding


class View(Record):
    """What is shown of a file. `lines` is its text as a source of lines; an image has a `summary` instead.

    `next_pages` are the pages of a PDF that did not fit.
    """

    images: tuple[Image, ...] = ()
    notices: tuple[Notice, ...] = ()
    lines: Source | None = None
    summary: str | None = None
    width: int | None = None
    height: int | None = None
    shown_pages: int = 0
    total_pages: int | None = None
    next_pages: str | None = None

    def truncated(self, call: Next) -> Truncated:
        """Return what says that pages were left out."""
        return Truncated("pages", self.shown_pages, self.total_pages, self.shown_pages, next=call)


def view(
    source: Source, pages: str | None, limits: Limits, check: Callable[[], None], *, with_images: bool
) -> View | None:
    """Return what a file shows, or None where it turns out to be mere text."""
    content = source.content if source.content is not None else source.file.content(limits.media_bytes)
    if content is None or len(content) > limits.media_bytes:
        if source.kind.name == "notebook":
            return None
        failure = not_text(source)
        message = f"{failure.message[:-1]}: more than the {limits.media_bytes:,} that read takes of one."
        raise Failure("binary", message, failure.hint, failure.details)
    if source.kind.name == "image":
        return _image(source, content, limits, check, with_images=with_images)
    if source.kind.name == "pdf":
        return _pdf(source, content, pages, limits, check)
    found = notebook_of(content)
    return None if found is None else _notebook(source, found, limits, check, with_images=with_images)


def _image(source: Source, content: bytes, limits: Limits, check: Callable[[], None], *, with_images: bool) -> View:
    format = source.kind.format
    if not with_images:
        header = header_of(content, format)
        size = f"{header.width}x{header.height}, " if header is not None else ""
        message = (
            f"{source.shown} is a {source.kind.words} ({size}{source.size:,} bytes), and images are not wanted here."
        )
        hint = "The setting `images` or CODETOOLS_IMAGES=1 says that the model can see images."
        raise Failure("binary", message, hint, not_text(source).details)
    try:
        found = image_of(content, format, Path(source.shown), limits, check)
    except Failure as failure:
        raise _described(failure, source) from None
    summary = f"{source.shown}: {source.kind.words}, {found.width}x{found.height}, {source.size:,} bytes"
    return View((found.image,), found.notices, summary=summary, width=found.width, height=found.height)


def _pdf(source: Source, content: bytes, wanted: str | None, limits: Limits, check: Callable[[], None]) -> View:
    try:
        found = pages_of(content, source.shown, wanted, limits, check)
    except Failure as failure:
        raise _described(failure, source) from None
    last = min(asked(wanted)[1], found.total)
    return View(
        notices=found.notices,
        lines=_text(source, found.text),
        shown_pages=found.last - found.first + 1,
        total_pages=found.total,
        next_pages=f"{found.last + 1}-{last}" if found.last < last and found.text else None,
    )


def _notebook(source: Source, found: Notebook, limits: Limits, check: Callable[[], None], *, with_images: bool) -> View:
    notices = [Notice("notebook", f"{source.shown} is shown as its cells; with raw=true read gives its JSON")]
    images: list[Image] = []
    for number, embedded in enumerate(found.images, 1):
        if not with_images or len(images) >= limits.images:
            reason = f"the limit is {limits.images}" if with_images else "images are not wanted here"
            count = len(found.images) - number + 1
            notices.append(Notice("image", f"images left out: {count} of {len(found.images)}; {reason}"))
            break
        try:
            name = f"image {number}"
            picture = image_of(embedded.content, embedded.format, Path(source.shown), limits, check, name=name)
        except Failure as failure:
            if failure.kind not in ("binary", "timeout"):
                raise
            notices.append(Notice("image", f"left out: {failure.message}"))
            continue
        images.append(picture.image)
        notices += picture.notices
    return View(tuple(images), tuple(notices), _text(source, found.text))


def _described(failure: Failure, source: Source) -> Failure:
    """Return a failure with what is known of the file, for programs."""
    failure.details = {**not_text(source).details, **failure.details}
    return failure


def _text(source: Source, text: str) -> Source:
    return source.but(kind=TEXT, content=text.encode(), encoding=Encoding(UTF_8))
