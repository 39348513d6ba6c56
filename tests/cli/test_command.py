"""Commands made from declarations: arguments, options, letters, flags, long texts."""

import json
from pathlib import Path

import pytest

from tests.cli.typed import envelope, typed


@pytest.fixture
def files(workspace: Path) -> Path:
    (workspace / "a.txt").write_text("one\ntwo\nthree\nTWO\n")
    (workspace / "-x").write_text("dash\n")
    return workspace


def test_positional_arguments_and_options_fill_the_same_params_as_json(files: Path):
    data = envelope("read", "a.txt", "--offset", "1", "--limit", "2")["data"]
    assert (data["path"], data["first_line"], data["last_line"]) == ("a.txt", 2, 3)


def test_options_may_stand_before_arguments_and_after_them(files: Path):
    assert typed("read", "-o", "1", "a.txt", "-l1").stdout == "2\ttwo\n"


def test_numbers_are_read_without_a_notice(files: Path):
    assert [notice["kind"] for notice in envelope("read", "a.txt", "-l", "9")["notices"]] == []


def test_a_wrong_value_is_refused_in_the_words_of_json(files: Path):
    done = typed("read", "a.txt", "--limit", "many")
    assert done.exit_code == 2
    assert "limit is the string 'many', not an integer" in done.stderr


@pytest.mark.parametrize("number", ["٣", "--5", "1_0", "0x10", ""])
def test_what_only_python_calls_a_number_is_refused(files: Path, number: str):
    assert typed("read", "a.txt", "--limit", number).exit_code == 2


def test_a_negative_value_reaches_the_limit_check(files: Path):
    assert "offset is -1; the least is 0" in typed("read", "a.txt", "--offset", "-1").stderr


def test_a_value_that_begins_with_a_dash_follows_two_dashes(files: Path):
    assert typed("read", "--", "-x").stdout == "1\tdash\n"


def test_a_value_of_an_option_may_look_like_an_option(files: Path):
    done = typed("write", "new.txt", "--content", "--yolo", "--json")
    assert done.exit_code == 75
    assert json.loads(done.stdout)["error"]["kind"] == "approval_required"
    assert typed("write", "new.txt", "--yolo", "--content", "--yolo").exit_code == 0
    assert (files / "new.txt").read_text() == "--yolo"


def test_an_empty_argument_is_an_argument(files: Path):
    assert typed("edit", "a.txt", "one\n", "", "--yolo").exit_code == 0
    assert (files / "a.txt").read_text() == "two\nthree\nTWO\n"


def test_aliases_are_long_options_too(files: Path):
    assert envelope("grep", "two", "--max-results", "1", "--ignore-case")["data"]["total_matches"] == 2


def test_letters_can_be_joined(files: Path):
    assert typed("grep", "-iw", "two", "-m1").stdout == typed("grep", "two", "-i", "-w", "-m", "1").stdout


def test_a_tools_own_letter_wins_over_the_options(files: Path):
    assert typed("grep", "-C1", "three").exit_code == 0
    assert typed("grep", "three", "--directory", str(files)).exit_code == 0


def test_a_letter_can_stand_for_a_choice(files: Path):
    assert envelope("grep", "two", "-l")["data"]["files"] == [{"path": "a.txt"}]
    assert envelope("grep", "two", "--count")["data"]["counts"] == [{"path": "a.txt", "count": 1}]


def test_two_ways_to_say_different_things_are_refused(files: Path):
    done = typed("grep", "two", "-l", "-c")
    assert done.exit_code == 2
    assert "--files-with-matches and --count both set the same" in done.stderr


def test_a_flag_that_is_on_by_default_can_be_turned_off(files: Path):
    assert typed("grep", "two", "--no-line-numbers").exit_code == 0


def test_repeatable_options_add_up(files: Path):
    (files / "b.md").write_text("two\n")
    (files / "c.rs").write_text("two\n")
    found = envelope("grep", "two", "-l", "-g", "*.md", "-g", "*.rs")["data"]["files"]
    assert {row["path"] for row in found} == {"b.md", "c.rs"}


def test_a_word_too_many_is_refused(files: Path):
    done = typed("read", "a.txt", "b.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'b.txt' is one word too many. Usage: codetools read FILE [OPTIONS]" in done.stderr


def test_a_missing_argument_is_named_with_an_example(files: Path):
    done = typed("write", "a.txt")
    assert done.exit_code == 2
    assert "missing CONTENT" in done.stderr
    assert "for example: codetools write" in done.stderr
    assert "missing old_string, new_string (OLD, NEW)." in typed("edit", "a.txt").stderr


def test_long_text_comes_from_a_file(files: Path):
    (files / "old").write_text("two\nthree\n")
    (files / "new").write_text("2\r\n")
    done = typed("edit", "a.txt", "--old-string-file", "old", "--new-string-file", "new", "--yolo")
    assert done.exit_code == 0, done.output
    assert (files / "a.txt").read_bytes() == b"one\n2\r\nTWO\n"


def test_long_text_comes_from_standard_input(files: Path):
    assert typed("write", "b.txt", "--content-file", "-", "--yolo", text="über\n").exit_code == 0
    assert (files / "b.txt").read_text() == "über\n"


def test_a_word_fills_the_first_argument_that_no_option_fills(files: Path):
    (files / "old").write_text("two")
    assert typed("edit", "a.txt", "--old-string-file", "old", "2", "--yolo").exit_code == 0
    assert (files / "a.txt").read_text() == "one\n2\nthree\nTWO\n"


def test_text_and_its_file_are_not_both_taken(files: Path):
    assert typed("write", "b.txt", "--content", "x", "--content-file", "a.txt").exit_code == 2


def test_only_one_text_can_be_standard_input(files: Path):
    done = typed("edit", "a.txt", "--old-string-file", "-", "--new-string-file", "-", text="x")
    assert done.exit_code == 2


def test_text_that_is_not_utf8_is_refused(files: Path):
    done = typed("write", "b.txt", "--content-file", "-", text=b"\xff\xfe")
    assert done.exit_code == 65
    assert "not UTF-8 at byte 0" in done.stderr


def test_a_text_file_is_read_under_the_policy_i2(files: Path, tmp_path: Path):
    secret = files / ".env"
    secret.write_text("KEY=1")
    outside = tmp_path / "outside.txt"
    outside.write_text("outside")
    for path in (secret, outside):
        done = typed("write", "copy.txt", "--content-file", str(path), "--yolo", "--deny", "read(.env*)")
        assert (done.exit_code, (files / "copy.txt").exists()) == (77 if path == secret else 0, path == outside)
        (files / "copy.txt").unlink(missing_ok=True)
    assert typed("write", "copy.txt", "--content-file", str(outside)).exit_code == 77
    assert not (files / "copy.txt").exists()


def test_dry_run_shows_and_changes_nothing(files: Path):
    done = typed("edit", "a.txt", "one", "1", "-n")
    assert done.exit_code == 0, done.output
    assert "-one\n+1\n" in done.stdout
    assert (files / "a.txt").read_text().startswith("one")


def test_no_match_is_an_answer(files: Path):
    done = typed("grep", "absent")
    assert (done.exit_code, done.stdout) == (1, "")


def test_a_path_that_is_not_utf8_is_passed_through(files: Path):
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    (files / name).write_text("x\n")
    assert envelope("read", name)["data"]["path_b64"] == "Y2Fm6Q=="


def test_json_is_one_line_of_ascii(files: Path):
    (files / "u.txt").write_text("ü\n")
    assert typed("read", "u.txt", "--json").stdout.isascii()
