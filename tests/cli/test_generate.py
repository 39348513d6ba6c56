"""`generate` in a checkout: writes what is stale, or says so."""

from pathlib import Path

import pytest

from codetools.cli.generated import TABLE_BEGINS, TABLE_ENDS
from tests.cli.typed import envelope, typed


@pytest.fixture
def checkout(workspace: Path) -> Path:
    (workspace / "pyproject.toml").write_text("")
    (workspace / "codetools").mkdir()
    (workspace / "README.md").write_text(f"# x\n\n{TABLE_BEGINS}\nold\n{TABLE_ENDS}\n\nmore\n")
    return workspace


def test_everything_is_made_and_then_up_to_date(checkout: Path):
    made = typed("generate")
    assert made.exit_code == 0, made.output
    assert (checkout / "man" / "codetools-read.1").exists()
    assert (checkout / "completions" / "_codetools").read_text().startswith("#compdef codetools")
    assert typed("generate", "--check").exit_code == 0
    readme = (checkout / "README.md").read_text()
    assert "| `read` | `FILE` |" in readme
    assert readme.startswith("# x\n")
    assert readme.endswith("\nmore\n")


def test_check_names_what_is_stale_and_writes_nothing(checkout: Path):
    typed("generate")
    (checkout / "man" / "codetools-read.1").write_text("changed\n")
    (checkout / "man" / "codetools-gone.1").write_text("of a command that is no more\n")
    found = envelope("generate", "--check")
    assert found["data"] == {"stale": ["man/codetools-read.1", "man/codetools-gone.1"], "written": False}
    assert (checkout / "man" / "codetools-read.1").read_text() == "changed\n"
    assert typed("generate", "man", "--check").exit_code == 1
    assert typed("generate", "man").exit_code == 0
    assert not (checkout / "man" / "codetools-gone.1").exists()


def test_a_readme_without_a_place_for_the_table_is_refused(checkout: Path):
    (checkout / "README.md").write_text("# x\n")
    assert typed("generate", "readme").exit_code == 2


def test_elsewhere_than_in_a_checkout_it_refuses(workspace: Path):
    done = typed("generate")
    assert (done.exit_code, list(workspace.iterdir())) == (2, [workspace / ".git"])
