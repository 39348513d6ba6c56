"""Links are followed when asked: never out of the workspace, each directory once, and every one is told."""

from pathlib import Path

import pytest

from codetools.search import area
from codetools.search.engine import Engine
from tests.calls import call
from tests.search.engines import make


@pytest.fixture
def tangled(engine: Engine, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace whose links lead everywhere, searched by either engine."""
    monkeypatch.setattr(area, "choose_engine", lambda inside: engine)
    files = ("src/a.c", "src/sub/b.c", "lib/x.c", "lib/deep/y.c", "other/o.c", "src/node_modules/n.c", "lib/.env")
    make(workspace, dict.fromkeys(files, "needle\n"))
    make(tmp_path, {"out/z.c": "needle\n"})
    for name, target in {
        "src/l1": "../lib",
        "src/l2": "../lib/deep",
        "src/up": "..",
        "src/again": "sub",
        "src/esc": str(tmp_path / "out"),
        "src/dangling": "nothing",
        "src/self": "self",
        "src/kept": "node_modules",
        "src/one.c": "../single.c",
        "lib/back": "../src",
        "lib/far": "../other",
        "src/secret": "../.env",
    }.items():
        (workspace / name).symlink_to(target)
    make(workspace, {"single.c": "needle\n", ".env": "needle\n"})
    return workspace


FOUND = [
    *("src/a.c", "src/kept/n.c", "src/l1/deep/y.c", "src/l1/far/o.c", "src/l1/x.c", "src/one.c", "src/sub/b.c"),
]
REASONS = {
    "src/again": "searched",
    "src/dangling": "missing",
    "src/esc": "outside",
    "src/kept": None,
    "src/l1": None,
    "src/l1/back": "searched",
    "src/l1/far": None,
    "src/l2": "searched",
    "src/one.c": None,
    "src/secret": "withheld",
    "src/self": "missing",
    "src/up": "above",
}


@pytest.mark.usefixtures("tangled")
def test_grep_follows_links_inside_once_and_tells_the_others():
    answer = call("grep", {"pattern": "needle", "path": "src", "follow": True})
    assert sorted(match["path"] for match in answer["data"]["matches"]) == FOUND
    assert {link["path"]: link.get("reason") for link in answer["data"]["links"]} == REASONS
    assert all(link["followed"] is (link.get("reason") is None) for link in answer["data"]["links"])
    assert answer["data"]["total_matches"] == len(FOUND)
    assert "as they lead out of the workspace: 1 link (src/esc)" in answer["text"]
    assert call("grep", {"pattern": "needle", "path": "src"})["data"]["total_matches"] == 2


@pytest.mark.usefixtures("tangled")
def test_globs_are_of_the_path_by_the_names_of_links():
    def found(*globs: str) -> list[str]:
        arguments = {"pattern": "needle", "path": "src", "follow": True, "glob": globs, "output_mode": "count"}
        return sorted(row["path"] for row in call("grep", arguments)["data"]["counts"])

    assert found("l1/**") == ["src/l1/deep/y.c", "src/l1/far/o.c", "src/l1/x.c"]
    assert found("!l1/far/**", "!sub/**", "!kept/") == ["src/a.c", "src/l1/deep/y.c", "src/l1/x.c", "src/one.c"]
    assert found("one.*") == ["src/one.c"]


@pytest.mark.usefixtures("tangled")
def test_glob_and_find_list_the_same_files_behind_links():
    listed = call("glob", {"pattern": "**/?.c", "path": "src", "follow": True})["data"]["paths"]
    expected = sorted({*FOUND} - {"src/one.c"})
    assert sorted(row["path"] for row in listed) == expected
    found = call("find", {"name": "?.c", "path": "src", "follow": True})["data"]
    assert sorted(row["path"] for row in found["paths"]) == expected
    shallow = call("find", {"name": "?.c", "path": "src", "follow": True, "max_depth": 2})["data"]["paths"]
    assert sorted(row["path"] for row in shallow) == ["src/a.c", "src/kept/n.c", "src/l1/x.c", "src/sub/b.c"]


@pytest.mark.usefixtures("tangled")
def test_tree_draws_what_links_lead_to_below_them():
    answer = call("tree", {"path": "src", "follow": True})
    assert (
        "|-- l1 -> ../lib\n|   |-- .env (7B)\n|   |-- back -> ../src\n|   |-- deep/\n|   |   `-- y.c (7B)"
        in answer["text"]
    )
    assert "far -> ../other\n|   |   `-- o.c (7B)" in answer["text"]
    assert (
        call("tree", {"path": "src", "follow": True, "depth": 1})["data"]["total_files"]
        == (answer["data"]["total_files"])
    )


@pytest.mark.usefixtures("tangled")
def test_every_path_behind_a_link_passes_back():
    for match in call("grep", {"pattern": "needle", "path": "src", "follow": True})["data"]["matches"]:
        assert call("read", {"file_path": match["path"]})["ok"]
