"""A workspace to judge commands in, with the names that the verdict cases speak of."""

import os
import subprocess
from pathlib import Path

from codetools.config.defaults import BANNED_COMMANDS, SECRETS
from codetools.config.names import NameSet
from codetools.core.access import PathAccess
from codetools.core.path import Path as WrittenPath
from codetools.files.workspace import Root, Workspace
from codetools.shell.analysis.place import Place

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


def make_repository(root: Path) -> Path:
    """Make two commits of what is there, and a change after them."""
    run_git(root, "init", "-q", "-b", "main")
    for number in (1, 2):
        for name in ("f.txt", ".env", "src/app.py"):
            (root / name).write_text(f"line {number} of {name}\n")
        run_git(root, "add", "-A")
        run_git(root, "-c", "user.name=n", "-c", "user.email=n@x", "commit", "-q", "-m", f"commit {number}")
        run_git(root, "tag", f"v{number}")
    (root / "f.txt").write_text("changed\n")
    (root / ".env").write_text("SECRET=changed\n")
    return root


def run_git(root: Path, *words: str) -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=root, env=environment, check=True, capture_output=True)


def place_at(root: Path, directory: str = ".") -> Place:
    real = WrittenPath(root.resolve())
    secrets = NameSet(SECRETS)

    def may_show(access: PathAccess) -> bool:
        is_secret = secrets.find(access.reached, real) or secrets.find(access.written, real)
        return access.inside and (access.action == "list" or not is_secret)

    workspace = Workspace(real, WrittenPath((root / directory).resolve()), (Root(real),))
    return Place(workspace, str(workspace.cwd), may_show, BANNED_COMMANDS, SECRETS)
