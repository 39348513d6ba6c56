"""A planned patch as staged changes."""

import stat

from codetools.files.files import Files
from codetools.files.patch.plan import Planned
from codetools.files.staging import Form


def stage(files: Files, planned: tuple[Planned, ...]) -> None:
    """Stage every file's new state; removals first, so that a name that becomes free can be taken again."""
    for one in planned:
        if one.kind == "delete":
            files.delete(one.path)
    for one in planned:
        if one.kind != "delete":
            _stage(files, one)


def _stage(files: Files, one: Planned) -> None:
    content = one.content or b""
    if one.kind == "create":
        files.create(one.path, content, None if one.mode is None else Form(one.mode))
    elif one.document is not None and one.kind == "copy":
        files.create(one.path, content, Form(stat.S_IMODE(one.document.mode)))
    elif one.document is not None:
        if content != one.document.content:
            files.modify(one.document, content)
        if one.kind == "move" and one.source is not None:
            files.move(one.source, one.path)
