"""A workspace to judge commands in, with the names that the verdict cases speak of."""

from pathlib import Path

from codetools.config.defaults import BANNED_COMMANDS, SECRETS
from codetools.config.names import NameSet
from codetools.core.access import PathAccess
from codetools.core.path import Path as WrittenPath
from codetools.files.workspace import Root, Workspace
from codetools.shell.verdict import Place

FILES = ("README.md", "f.txt", "file.txt", "src/app.py", "src/deep/more.py", ".env", "script.py", "sub/h.txt", "x")


def make_workspace(base: Path) -> Path:
    root = base / "project"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"TODO: foo in {name}\nsecond\nthird\n")
    (base / "project-evil").mkdir()
    (base / "project-evil/f").write_text("outside\n")
    (base / "id_rsa").write_text("secret\n")
    (root / "link_to_ssh_key").symlink_to(base / "id_rsa")
    (root / "link_to_env").symlink_to(".env")
    (root / "link_to_src").symlink_to("src/deep")
    return root


def place_at(root: Path, directory: str = ".") -> Place:
    real = WrittenPath(root.resolve())
    secrets = NameSet(SECRETS)

    def may_show(access: PathAccess) -> bool:
        is_secret = secrets.find(access.reached, real) or secrets.find(access.written, real)
        return access.inside and (access.action == "list" or not is_secret)

    workspace = Workspace(real, WrittenPath((root / directory).resolve()), (Root(real),))
    return Place(workspace, str(workspace.cwd), may_show, BANNED_COMMANDS, SECRETS)
