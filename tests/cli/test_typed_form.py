"""What a person is told to do next is what a person types."""

from pathlib import Path

import pytest

from codetools.cli.typed_form import as_typed
from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from tests.cli.typed import envelope, typed
from tests.render.outcomes import outcome


def told(tool: str, message: str) -> str:
    return as_typed(outcome(tool=tool, notices=(Notice("x", message),))).notices[0].message


def hinted(tool: str, hint: str) -> str:
    failure = as_typed(outcome(tool=tool, failure=Failure("usage", "wrong.", hint))).failure
    assert failure is not None
    return failure.hint


@pytest.mark.parametrize(
    ("tool", "said", "typed"),
    [
        ("read", 'the rest: read {"file_path": "a b", "offset": 3}', "the rest: codetools read 'a b' --offset 3"),
        ("read", 'read {"file_path": "-a", "limit": 3}', "codetools read --limit 3 -- -a"),
        ("ls", "include_ignored lists them", "--include-ignored lists them"),
        (
            "ls",
            "ignored: src/include_ignored.py, 'include_ignored'",
            "ignored: src/include_ignored.py, 'include_ignored'",
        ),
        (
            "bash",
            'jobs_output {"job_id": "1a"}; jobs_kill {"job_id": ["1a"]}',
            "codetools jobs output 1a; codetools jobs kill 1a",
        ),
        ("read", "a {broken", "a {broken"),
        ("read", 'see {"a": 1} there', 'see {"a": 1} there'),
    ],
)
def test_a_notice_names_commands_and_options(tool: str, said: str, typed: str):
    assert told(tool, said) == typed


@pytest.mark.parametrize(
    ("tool", "said", "typed"),
    [
        ("jobs_wait", "Call jobs_list to see them.", "Call codetools jobs list to see them."),
        ("grep", 'A valid call: grep {"pattern": "x y"}', "A valid call: codetools grep 'x y'"),
        ("read", "A valid call: read {}", "See: codetools read --help"),
        (
            "delete",
            'A valid call: delete {"paths": ["a"], "recursive": true}',
            "A valid call: codetools delete a --recursive",
        ),
        ("mcp__a__b", 'A valid call: mcp__a__b {"x": 1}', 'A valid call: mcp__a__b {"x": 1}'),
    ],
)
def test_a_hint_is_a_line_that_can_be_typed(tool: str, said: str, typed: str):
    assert hinted(tool, said) == typed


def test_the_next_page_is_one_paste_away_and_json_stays_as_models_read_it(workspace: Path):
    (workspace / "a").write_text("1\n2\n3\n")
    assert "the rest: codetools read a --offset 1 --limit 1\n" in typed("read", "a", "-l", "1").stderr
    assert typed("read", "a", "--offset", "1", "--limit", "1").stdout == "2\t2\n"
    assert 'read {"file_path": "a", "offset": 1, "limit": 1}' in envelope("read", "a", "-l", "1")["text"]
