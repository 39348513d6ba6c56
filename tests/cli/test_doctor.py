"""`doctor`: each thing it looks at is fine or has a fix."""

from pathlib import Path

import pytest

from tests.cli.typed import envelope, typed

NAMES = ["workspace", "settings", "trust", "search", "sandbox", "state"]


def test_everything_is_looked_at(workspace: Path):
    checks = envelope("doctor")["data"]["checks"]
    assert [check["name"] for check in checks] == NAMES
    assert all(check["fix"] or check["ok"] for check in checks)


def test_what_is_wrong_has_a_fix_and_the_status_says_so(workspace: Path, home: Path):
    settings = home / ".config" / "codetools"
    settings.mkdir(parents=True)
    (settings / "config.yaml").write_text("yolo: maybe\n")
    done = typed("doctor")
    assert done.exit_code == 1
    assert "✗ settings:" in done.stdout
    assert "✓ workspace:" in done.stdout


def test_a_home_directory_is_no_workspace(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(home)
    checks = {check["name"]: check for check in envelope("doctor")["data"]["checks"]}
    assert checks["workspace"]["ok"] is False
    assert "--root" in checks["workspace"]["fix"]


def test_untrusted_settings_that_loosen_are_named(workspace: Path):
    (workspace / ".codetools").mkdir()
    (workspace / ".codetools" / "config.yaml").write_text("allowed_tools: [write]\n")
    checks = {check["name"]: check for check in envelope("doctor")["data"]["checks"]}
    assert checks["trust"]["ok"] is False
    assert "config trust" in checks["trust"]["fix"]
    assert ".. " not in typed("doctor").stdout
