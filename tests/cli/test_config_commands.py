"""`config show`, `path`, `check` and `trust`."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.typed import OnTerminal, envelope, process, typed


@pytest.fixture
def user(home: Path) -> Path:
    path = home / ".config" / "codetools" / "config.yaml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def project(workspace: Path) -> Path:
    path = workspace / ".codetools" / "config.yaml"
    path.parent.mkdir()
    return path


def rows(*names: str) -> dict[str, list[str]]:
    return {row["name"]: row["origins"] for row in envelope("config", "show", *names)["data"]["origins"]}


def test_show_gives_every_value_its_origin(user: Path, project: Path):
    user.write_text("limits: {read_lines: 500}\ndenied_tools: [bash]\n")
    project.write_text("denied_tools: [write]\nlimits: {read_lines: 100}\n")
    shown = rows()
    assert shown["limits.read_lines"] == [str(project)]
    assert shown["denied_tools"] == [str(user), str(project)]
    assert shown["limits.line_chars"] == ["default"]
    assert envelope("config", "show")["data"]["settings"]["limits"]["read_lines"] == 100


def test_show_says_what_a_project_may_not_set(project: Path):
    project.write_text("yolo: true\nlimits: {read_lines: 9999}\nallowed_tools: [write]\n")
    ignored = {row["name"] for row in envelope("config", "show")["data"]["ignored"]}
    assert ignored == {"yolo", "limits.read_lines", "allowed_tools"}
    assert "# not followed: yolo" in typed("config", "show").stdout


def test_show_is_narrowed_by_names(workspace: Path):
    assert set(rows("limits.read_lines")) == {"limits.read_lines"}
    assert set(rows("search")) == {"search.exclude"}
    assert typed("config", "show", "--changed").stdout.strip() == ""
    done = typed("config", "show", "limits.raed_lines")
    assert done.exit_code == 2
    assert "Did you mean limits.read_lines?" in done.stderr


def test_path_of_one_place_is_bare(user: Path, workspace: Path, home: Path):
    assert typed("config", "path", "user").stdout == f"{user}\n"
    assert typed("config", "path", "state").stdout == f"{home}/.local/state/codetools\n"
    assert len(typed("config", "path").stdout.splitlines()) == 4


def test_path_works_where_the_settings_are_broken(user: Path, workspace: Path):
    user.write_text("a: [\n")
    assert typed("config", "path", "user").exit_code == 0


def test_check_names_the_file_line_and_nearest_setting(user: Path, workspace: Path):
    user.write_text("yolo: false\nalowed_tools: [read]\n")
    done = typed("config", "check")
    assert (done.exit_code, done.stderr.count("\n")) == (78, 1)
    assert f"{user}:2:" in done.stderr
    assert "allowed_tools" in done.stderr


def test_check_lists_the_files(user: Path, project: Path):
    user.write_text("yolo: false\n")
    project.write_text("denied_tools: [write]\n")
    files = {row["layer"]: row["state"] for row in envelope("config", "check")["data"]["files"]}
    assert files == {"user": "ok", "allowed": "none", "project": "untrusted"}


def test_a_broken_settings_file_stops_every_command(user: Path, workspace: Path):
    (workspace / "a.txt").write_text("x\n")
    user.write_text("denied_tools: {}\n")
    assert typed("read", "a.txt").exit_code == 78


def test_trust_is_for_one_content_of_one_file(project: Path, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    project.write_text('allowed_tools: ["write(a.txt)"]\n')
    assert typed("write", "a.txt", "two\n").exit_code == 75
    assert envelope("config", "trust", "--yes")["data"]["state"] == "trusted"
    assert typed("write", "a.txt", "two\n").exit_code == 0
    project.write_text('allowed_tools: ["write(a.txt)"] # changed\n')
    assert typed("write", "a.txt", "three\n").exit_code == 75


def test_trust_can_be_taken_back(project: Path):
    project.write_text("denied_tools: [write]\n")
    assert envelope("config", "trust", "--remove")["data"]["state"] == "unchanged"
    typed("config", "trust", "--yes")
    assert envelope("config", "trust", "--remove")["data"]["state"] == "untrusted"


def test_trust_shows_the_file_and_asks_a_person(project: Path):
    project.write_text("denied_tools: [write] # look\n")
    assert process("config", "trust").returncode == 2
    refused = OnTerminal("config", "trust")
    refused.answer("[y/N] ", "\n")
    assert refused.end() == 77
    assert "# look" in refused.screen
    trusted = OnTerminal("config", "trust")
    trusted.answer("[y/N] ", "y\n")
    assert trusted.end() == 0
    assert rows()["denied_tools"] == [str(project)]


def test_nothing_is_trusted_below_a_call(project: Path, monkeypatch: pytest.MonkeyPatch):
    project.write_text("denied_tools: [write]\n")
    monkeypatch.setenv("CODETOOLS_LOCK", "1")
    assert typed("config", "trust", "--yes").exit_code == 77


def test_there_is_nothing_to_trust_without_a_file(workspace: Path):
    assert typed("config", "trust", "--yes").exit_code == 66


def test_json_of_a_failure_is_an_envelope(user: Path, workspace: Path):
    user.write_text("yolo: maybe\n")
    done = typed("config", "check", "--json")
    assert (done.exit_code, json.loads(done.stdout)["error"]["kind"]) == (78, "config")
    assert os.path.isabs(json.loads(done.stdout)["cwd"])
