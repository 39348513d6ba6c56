from pathlib import Path

from codetools.system import kernel
from codetools.system.landlock import Allowed, landlock_version, restrict_files
from tests.shell.jailed import error_of, in_child


def restricted(allowed: Allowed):
    def restrict() -> None:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        restrict_files(allowed)

    return restrict


def test_this_kernel_has_landlock():
    assert landlock_version() >= 1


def test_only_what_is_named_stays_open(tmp_path: Path):
    for name in ("read", "write", "shut"):
        (tmp_path / name).write_text(name)
    allowed = Allowed(read=(str(tmp_path / "read"), "/no/such/path"), write=(str(tmp_path / "write"),))

    def act() -> list[str]:
        return [
            error_of((tmp_path / "read").read_bytes),
            error_of(lambda: (tmp_path / "read").write_text("x")),
            error_of(lambda: (tmp_path / "write").write_text("x")),
            error_of((tmp_path / "shut").read_bytes),
            error_of(lambda: list(tmp_path.iterdir())),
            error_of(lambda: (tmp_path / "new").write_text("x")),
        ]

    denied = "PermissionError"
    assert in_child(restricted(allowed), act) == ["done", denied, "done", denied, denied, denied]
