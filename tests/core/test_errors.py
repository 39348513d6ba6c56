import pytest

from codetools.core.errors import EXIT_CODES, Failure, from_os_error


def test_every_kind_has_the_exit_code_of_the_contract():
    assert set(EXIT_CODES.values()) == {2, 65, 66, 69, 70, 74, 75, 77, 78, 124, 130}
    assert Failure("stale", "x").exit_code == 65


def test_an_unknown_kind_is_a_bug():
    with pytest.raises(ValueError, match="unknown error kind"):
        Failure("nonsense", "x")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileNotFoundError(2, "No such file"), "not_found"),
        (IsADirectoryError(21, "Is a directory"), "is_a_directory"),
        (NotADirectoryError(20, "Not a directory"), "not_found"),
        (PermissionError(13, "Permission denied"), "io"),
        (OSError(28, "No space left on device"), "io"),
    ],
)
def test_an_operating_system_error_names_the_path(error: OSError, kind: str):
    failure = from_os_error(error, "a.py")
    assert (failure.kind, "a.py" in failure.message) == (kind, True)
