import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.config.cache import MAX_ENTRIES
from codetools.config.load import Config, load_config
from codetools.state.home import state_home

LOADS = """
import sys
from codetools.config.load import load_config
from codetools.state.home import state_home
config = load_config(state_home(), sys.argv[1], None, (), (), lambda: ("read", "bash"))
print(len(config.rules), *sorted({"yaml", "sqlite3", "hashlib", "json", "difflib"} & set(sys.modules)))
"""


def load(root: Path) -> Config:
    return load_config(state_home(), str(root), None, (), (), lambda: ("read", "bash"))


@pytest.fixture
def user(home: Path) -> Path:
    path = home / ".config" / "codetools" / "config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("denied_tools: ['read(a)']\nlimits: {search_seconds: 5}\n")
    return path


def entries() -> list[Path]:
    return sorted(Path(state_home(), "cache").iterdir())


def modules(root: Path) -> str:
    return subprocess.run([sys.executable, "-c", LOADS, str(root)], capture_output=True, text=True, check=True).stdout


def test_without_files_nothing_costly_is_imported(workspace: Path):
    found = modules(workspace).split()
    assert found[0] == "0"
    assert not {"yaml", "sqlite3", "hashlib"} & set(found)


def test_unchanged_settings_cost_no_yaml(user: Path, workspace: Path):
    assert "yaml" in modules(workspace)
    found = modules(workspace).split()
    assert found[0] == "1"
    assert not {"yaml", "sqlite3", "difflib"} & set(found)


def test_what_is_remembered_is_what_was_parsed(user: Path, workspace: Path):
    first = load(workspace)
    assert len(entries()) == 1
    assert load(workspace) == first
    assert isinstance(load(workspace).settings.limits.search_seconds, float)


def test_changed_bytes_are_parsed_anew(user: Path, workspace: Path):
    load(workspace)
    user.write_text("denied_tools: ['read(b)']\n")
    assert [rule.text for rule in load(workspace).rules] == ["read(b)"]


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff" * 100, b"[]", None])
def test_a_damaged_entry_is_parsed_anew(user: Path, workspace: Path, damage: bytes | None):
    first = load(workspace)
    [entry] = entries()
    entry.write_bytes(entry.read_bytes()[:-3] if damage is None else damage)
    assert load(workspace) == first


def test_an_entry_whose_values_were_changed_is_not_believed(user: Path, workspace: Path):
    first = load(workspace)
    [entry] = entries()
    digest, _, _ = entry.read_text().partition("\n")
    entry.write_text(f"{digest}\n{json.dumps({'yolo': True})}")
    assert load(workspace) == first


def test_an_entry_that_others_can_write_is_not_believed(user: Path, workspace: Path):
    from hashlib import sha256

    first = load(workspace)
    [entry] = entries()
    text = json.dumps({"yolo": True})
    entry.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}")
    assert load(workspace).settings.yolo, "this is how an entry of ours looks"
    entry.chmod(0o666)
    assert load(workspace) == first


def test_a_link_in_place_of_an_entry_is_not_followed(user: Path, workspace: Path):
    first = load(workspace)
    [entry] = entries()
    entry.rename(workspace / "planted")
    entry.symlink_to(workspace / "planted")
    assert load(workspace) == first
    assert not entry.is_symlink()


def test_i1_a_state_directory_in_the_workspace_is_neither_read_nor_written(
    user: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CODETOOLS_HOME", str(workspace / "state"))
    load(workspace)
    assert not (workspace / "state").exists()


def test_a_state_directory_that_cannot_be_written_is_done_without(
    user: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CODETOOLS_HOME", "/dev/null/state")
    assert len(load(workspace).rules) == 1


def test_broken_settings_are_never_remembered(user: Path, workspace: Path):
    from codetools.core.errors import Failure

    user.write_text("yolo: yes\n")
    with pytest.raises(Failure):
        load(workspace)
    assert not os.path.exists(os.path.join(state_home(), "cache"))


def test_the_oldest_entries_go(user: Path, workspace: Path):
    for number in range(MAX_ENTRIES + 5):
        user.write_text(f"limits: {{read_lines: {number + 1}}}\n")
        load(workspace)
    assert len(entries()) == MAX_ENTRIES
