import pytest

from codetools.core.errors import Failure
from codetools.engine.argv import split
from codetools.engine.options import StagingOptions


@pytest.mark.parametrize(
    ("argv", "field", "value"),
    [
        (["--session", "s"], "session", "s"),
        (["--session=s"], "session", "s"),
        (["--session", "--yolo"], "session", "--yolo"),
        (["-C", "d"], "directory", "d"),
        (["-Cd"], "directory", "d"),
        (["-n"], "dry_run", True),
        (["--allow", "read", "--allow=edit"], "allow", ("read", "edit")),
        (["--max-chars", "500"], "max_chars", 500),
    ],
)
def test_options_are_read_from_their_declaration(argv: list[str], field: str, value: object):
    options, words = split(["read", *argv, "{}"], StagingOptions, "call")
    assert (getattr(options, field), words) == (value, ["read", "{}"])


def test_after_two_dashes_everything_is_a_word():
    assert split(["a", "--", "--yolo", "-n"], StagingOptions, "call")[1] == ["a", "--yolo", "-n"]


@pytest.mark.parametrize("argv", [["--yoloo"], ["-z"], ["--session"], ["--yolo=1"], ["--max-chars", "x"]])
def test_other_options_are_usage_errors(argv: list[str]):
    with pytest.raises(Failure) as caught:
        split(argv, StagingOptions, "call")
    assert caught.value.kind == "usage"
