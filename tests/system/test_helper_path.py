import os
import sys
from pathlib import Path

import pytest

from codetools.system import helper_path


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_i8_empty_relative_and_workspace_elements_are_dropped(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", f":.:bin:{workspace}/bin:{workspace.parent}/tools:/usr/bin")
    elements = helper_path.clean_path((str(workspace),)).split(":")
    assert elements[:3] == [f"{sys.prefix}/bin", f"{workspace.parent}/tools", "/usr/bin"]
    assert not any(element in ("", ".", "bin", f"{workspace}/bin") for element in elements)


def test_i8_a_directory_that_links_into_the_workspace_is_dropped(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    program(workspace / "bin/rgx")
    (workspace.parent / "tools").symlink_to(workspace / "bin")
    monkeypatch.setenv("PATH", f"{workspace.parent}/tools")
    assert helper_path.find_helper("rgx", (str(workspace),)) is None
    assert helper_path.find_helper("rgx", ()) == f"{workspace.parent}/tools/rgx"


def test_i8_a_program_that_links_into_the_workspace_is_passed_over(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    program(workspace / "rgx")
    (workspace.parent / "one").mkdir()
    (workspace.parent / "one/rgx").symlink_to(workspace / "rgx")
    two = program(workspace.parent / "two/rgx")
    monkeypatch.setenv("PATH", f"{workspace.parent}/one:{workspace.parent}/two")
    assert helper_path.find_helper("rgx", (str(workspace),)) == str(two)


def test_our_own_installation_is_ours_inside_the_workspace(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "prefix", str(workspace / ".venv"))
    ours = program(workspace / ".venv/bin/rgx")
    assert helper_path.find_helper("rgx", (str(workspace),)) == str(ours)


def test_system_directories_stay_when_the_root_holds_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/opt/x")
    assert helper_path.find_helper("sh", ("/",)) in ("/usr/bin/sh", "/bin/sh")
    assert "/opt/x" not in helper_path.clean_path(("/",)).split(":")


def test_a_sibling_that_shares_a_prefix_is_not_inside():
    assert not helper_path.lies_inside("/home/user/project-evil", ("/home/user/project",))
    assert helper_path.lies_inside("/home/user/project", ("/home/user/project/",))


def test_a_file_that_cannot_be_run_is_not_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "rgx").write_text("")
    os.chmod(tmp_path / "rgx", 0o644)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert helper_path.find_helper("rgx") is None
