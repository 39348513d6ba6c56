"""Which files a patch names: all of them inside, and none of them twice in a way that does not add up."""

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.files.files import Files
from codetools.files.patch.model import FilePatch, refuse
from codetools.system.confined import below


def refuse_outside(files: Files, patches: tuple[FilePatch, ...]) -> None:
    """Raise `outside_workspace` for a name that leaves the workspace, whether anything is there or not."""
    for patch in patches:
        for name in _names(patch):
            absolute = files.workspace.absolute(name)
            if "\0" in name or name.endswith("/"):
                raise refuse(patch.written_at, f"{name[:60]!r} is no file name")
            if not files.workspace.holds(absolute) and not below(absolute, files.workspace.cwd):
                raise _outside(patch, name)
            try:
                files.locate(name)
            except Failure as failure:
                if failure.kind == "outside_workspace":
                    raise _outside(patch, name) from None
                raise


def joined(files: Files, patches: tuple[FilePatch, ...]) -> tuple[tuple[FilePatch, ...], ...]:
    """Return the patches, several updates of one file together; raise `patch_failed` for a file with two fates."""
    groups: dict[str, list[FilePatch]] = {}
    fates: dict[str, str] = {}
    for patch in patches:
        for name in _names(patch):
            reached = str(files.locate(name).reached)
            is_copied = patch.kind == "copy" and name == patch.path
            fate = "copy" if is_copied else "update" if _is_plain(patch) else "" if name != patch.path else patch.kind
            earlier = fates.get(reached)
            if earlier is not None and (earlier, fate) not in (
                ("update", "update"),
                ("delete", "add"),
                ("copy", "copy"),
            ):
                raise refuse(patch.written_at, f"{name} is changed twice in ways that do not add up")
            fates[reached] = fate
        key = str(files.locate(patch.path).reached) if _is_plain(patch) else f"\0{patch.written_at}"
        groups.setdefault(key, []).append(patch)
    return tuple(map(tuple, groups.values()))


def _outside(patch: FilePatch, name: Path) -> Failure:
    message = f"patch line {patch.written_at}: {name.printable()} is outside the workspace; nothing was changed."
    return Failure("outside_workspace", message, "A patch changes files of the workspace only.")


def _names(patch: FilePatch) -> tuple[Path, ...]:
    return (patch.path,) if patch.destination is None else (patch.path, patch.destination)


def _is_plain(patch: FilePatch) -> bool:
    return patch.kind == "update" and patch.destination is None
