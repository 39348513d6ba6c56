"""Tools are found by what they do, and shown to the session from then on."""

from pathlib import Path

import pytest

from codetools.core.known import KnownTool
from codetools.search.tools import rank
from tests.calls import call


def names(query: str, **options: object) -> list[str]:
    return [found["name"] for found in call("tools_search", {"query": query}, **options)["data"]["tools"]]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("undo", "undo"),
        ("take back a change", "undo"),
        ("what a background job wrote", "jobs_output"),
        ("BashOutput", "jobs_output"),
        ("rename a file", "move"),
        ("directory tree", "tree"),
        ("ignore a file in git", "gitignore_add"),
        ("apply diff", "patch"),
        ("find_files_by_size", "find"),
    ],
)
def test_the_best_tool_for_some_words_comes_first(workspace: Path, query: str, best: str):
    assert names(query)[0] == best


def test_a_name_wins_over_words_about_it():
    tools = tuple(
        KnownTool(name, summary, (), "", "", is_shown=False)
        for name, summary in [("a", "clone clone"), ("git_clone", "x"), ("clone", "y")]
    )
    assert [tool.name for tool in rank("clone", tools)] == ["clone", "git_clone", "a"]


def test_nothing_that_fits_is_the_answer_no(workspace: Path):
    answer = call("tools_search", {"query": "kubernetes"})
    assert (answer["exit"], answer["data"]["tools"]) == (1, [])


def test_what_is_found_is_active_in_the_session_and_in_no_other(workspace: Path):
    answer = call("tools_search", {"query": "undo", "limit": 1}, session="s")
    assert answer["data"]["tools"][0]["activated"]
    assert "activated: undo" in answer["text"]
    again = call("tools_search", {"query": "undo", "limit": 1}, session="s")
    assert not again["data"]["tools"][0]["activated"]
    assert call("tools_search", {"query": "undo", "limit": 1}, session="t")["data"]["tools"][0]["activated"]


def test_without_a_session_nothing_is_activated_and_that_is_said(workspace: Path):
    answer = call("tools_search", {"query": "undo"})
    assert not any(found["activated"] for found in answer["data"]["tools"])
    assert "without a session" in answer["text"]


def test_more_than_the_limit_is_said(workspace: Path):
    answer = call("tools_search", {"query": "file", "limit": 1})
    assert answer["data"]["total_tools"] > 1
    assert "more fit" in answer["text"]


def test_i2_a_denied_tool_is_not_found(workspace: Path):
    assert "undo" not in names("undo", deny=("undo",))
