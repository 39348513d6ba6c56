import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.config.allowed import add_rule, allowed_rules, remove_rule
from codetools.core.errors import Failure

ADDER = """
import sys
from codetools.config.allowed import add_rule
sys.stdin.read(1)
for number in range(10):
    add_rule(sys.argv[1], f"edit({sys.argv[2]}-{number})")
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "codetools" / "allowed.yaml")


def test_rules_are_added_once_listed_and_removed(path: str):
    assert allowed_rules(path) == ()
    assert add_rule(path, "edit(a)")
    assert add_rule(path, "bash(git status)")
    assert not add_rule(path, "edit(a)")
    assert allowed_rules(path) == ("edit(a)", "bash(git status)")
    assert remove_rule(path, "edit(a)")
    assert not remove_rule(path, "edit(a)")
    assert allowed_rules(path) == ("bash(git status)",)
    assert remove_rule(path, "bash(git status)")
    assert allowed_rules(path) == ()


def test_the_file_is_private_and_readable(path: str):
    add_rule(path, "edit(a b)")
    assert Path(path).stat().st_mode & 0o777 == 0o600
    assert Path(path).read_text().splitlines()[1:] == ["allowed_tools:", '  - "edit(a b)"']


@settings(derandomize=True, max_examples=200)
@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20))
def test_any_rule_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, rule: str):
    path = str(tmp_path_factory.mktemp("c") / "allowed.yaml")
    add_rule(path, rule)
    assert allowed_rules(path) == (rule,)


def test_processes_that_add_at_once_lose_nothing(path: str):
    adders = [
        subprocess.Popen([sys.executable, "-c", ADDER, path, str(number)], stdin=subprocess.PIPE) for number in range(4)
    ]
    for adder in adders:
        adder.communicate(b"x")
    assert sorted(allowed_rules(path)) == sorted(f"edit({who}-{number})" for who in range(4) for number in range(10))


def test_rules_that_a_person_wrote_are_kept(path: str):
    Path(path).parent.mkdir()
    Path(path).write_text("# mine\nallowed_tools: [edit(x)]\n")
    add_rule(path, "edit(y)")
    assert allowed_rules(path) == ("edit(x)", "edit(y)")


@pytest.mark.parametrize("text", ["[", "allowed_tools: edit", "allowed_tools: [1]", "- edit"])
def test_a_broken_file_is_refused_and_left_alone(path: str, text: str):
    Path(path).parent.mkdir()
    Path(path).write_text(text)
    with pytest.raises(Failure) as caught:
        add_rule(path, "edit(a)")
    assert caught.value.kind == "config"
    assert Path(path).read_text() == text


def test_a_link_stays_a_link(path: str, tmp_path: Path):
    Path(path).parent.mkdir()
    (tmp_path / "dots.yaml").write_text("allowed_tools: []\n")
    Path(path).symlink_to(tmp_path / "dots.yaml")
    add_rule(path, "edit(a)")
    assert Path(path).is_symlink()
    assert "edit(a)" in (tmp_path / "dots.yaml").read_text()


def test_without_a_place_always_is_refused():
    with pytest.raises(Failure) as caught:
        add_rule(None, "edit(a)")
    assert caught.value.kind == "config"


def test_a_directory_that_cannot_be_made_is_io():
    with pytest.raises(Failure) as caught:
        add_rule("/dev/null/codetools/allowed.yaml", "edit(a)")
    assert caught.value.kind == "io"
