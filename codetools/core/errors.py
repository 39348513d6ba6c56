"""The one error family: a kind, its exit code, what was found and what to do next."""

from typing import Any

EXIT_CODES: dict[str, int] = {
    "usage": 2,
    "no_match": 65,
    "not_unique": 65,
    "no_change": 65,
    "stale": 65,
    "binary": 65,
    "encoding": 65,
    "patch_failed": 65,
    "exists": 65,
    "not_found": 66,
    "not_a_file": 66,
    "is_a_directory": 66,
    "unavailable": 69,
    "internal": 70,
    "io": 74,
    "approval_required": 75,
    "denied": 77,
    "outside_workspace": 77,
    "protected": 77,
    "banned": 77,
    "config": 78,
    "timeout": 124,
    "interrupted": 130,
}


class Failure(Exception):
    """A call that did not do what it was asked.

    `message` is one line: what was found. `hint` is one line: what to do next. `details` is data for programs (JSON
    types only). `data` is the result as far as it got, for a call that was cut short.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        hint: str = "",
        details: dict[str, Any] | None = None,
        data: Any = None,
        text: str = "",
    ) -> None:
        if kind not in EXIT_CODES:
            raise ValueError(f"unknown error kind {kind!r}")
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.details = details or {}
        self.data = data
        self.text = text

    @property
    def exit_code(self) -> int:
        """The process exit code of this kind."""
        return EXIT_CODES[self.kind]

    def line(self) -> str:
        """Return the message and the hint as one line."""
        return " ".join(part for part in (self.message, self.hint) if part)

    def model_text(self) -> str:
        """Return what the model reads: `text` where the failure has more to show than a line."""
        return self.text or self.line()


def from_os_error(error: OSError, path: str) -> Failure:
    """Return the failure that an operating system error on `path` means to the caller."""
    reason = error.strerror or str(error)
    name = type(error).__name__
    if name == "FileNotFoundError":
        return Failure("not_found", f"{path}: no such file or directory.")
    if name == "IsADirectoryError":
        return Failure("is_a_directory", f"{path} is a directory.")
    if name == "NotADirectoryError":
        return Failure("not_found", f"{path}: a part of this path is not a directory.")
    if name == "FileExistsError":
        return Failure("exists", f"{path} already exists.")
    return Failure("io", f"{path}: {reason}.")
