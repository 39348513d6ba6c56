import os
import random
import socket
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.search import find
from codetools.search.rows import read_rows
from tests.search.engines import Place, make


def test_matches_come_in_path_order_with_places_and_exact_totals(place: Place):
    make(place.directory, {"b.py": "one\ntwo foo foo\n", "a/z.py": "foo", "a.b": "x foo\n", "a-b/c": "foo\n"})
    found = place.matches("foo")
    assert [file.path for file in found.files] == ["a/z.py", "a-b/c", "a.b", "b.py"]
    assert (found.total_matches, found.total_files, found.searched) == (4, 4, 4)
    row = place.row("foo", only=("b.py",))
    assert (row.line, row.column, row.byte_offset, row.text, row.spans) == (2, 5, 8, "two foo foo", ((4, 7), (8, 11)))


def test_every_form_agrees_with_a_brute_force_search(place: Place):
    chance = random.Random(4)
    words = ["alpha", "beta", "gamma", "é", "", "alphabet", "BETA"]
    files = {}
    for number in range(60):
        lines = [" ".join(chance.choices(words, k=chance.randrange(4))) for _ in range(chance.randrange(12))]
        files[f"d{number % 7}/f{number}"] = chance.choice(["\n", "\r\n"]).join(lines)
    make(place.directory, files)
    expected = {
        name: rows
        for name, text in files.items()
        if (rows := [(at, line) for at, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1) if "beta" in line])
    }
    ordered = dict(sorted(expected.items(), key=lambda item: find.path_order(item[0])))
    assert place.rows("beta") == ordered
    assert list(place.rows("beta")) == list(ordered)
    assert place.paths("beta") == list(ordered)
    assert place.counts("beta") == {name: len(rows) for name, rows in ordered.items()}


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({}, [1, 5]),
        ({"case": "insensitive"}, [1, 2, 3, 5]),
        ({"case": "smart"}, [1, 2, 3, 5]),
        ({"is_word": True}, [1]),
        ({"is_word": True, "case": "insensitive"}, [1, 2, 3]),
    ],
)
def test_case_and_word_choose_lines(place: Place, how: dict, expected: list[int]):
    make(place.directory, {"f": "a foo\nFoo\nFOO bar\nbar\nfoobar\n"})
    assert [line for line, _ in place.rows("foo", **how)["f"]] == expected


def test_smart_case_minds_case_once_the_pattern_has_a_capital(place: Place):
    make(place.directory, {"f": "foo\nFoo\n"})
    assert place.rows("Foo", case="smart") == {"f": [(2, "Foo")]}


@pytest.mark.parametrize("text", ["a.b(", "--pre=sh", "-e", "[x", "$HOME", "\\d", "--", "é*", "{", "a b"])
def test_literal_text_is_never_an_option_or_an_expression_i8(place: Place, text: str):
    make(place.directory, {"f": f"before {text} after\nother\n"})
    assert place.rows(text, is_literal=True) == {"f": [(1, f"before {text} after")]}


@pytest.mark.parametrize("pattern", ["--pre=sh", "-l", "--files", "-"])
def test_a_pattern_that_looks_like_an_option_is_a_pattern_i8(place: Place, pattern: str):
    make(place.directory, {"f": f"x{pattern}x\nother\n"})
    assert place.rows(pattern) == {"f": [(1, f"x{pattern}x")]}


def test_context_lines_surround_matches_once_each(place: Place):
    make(place.directory, {"f": "".join(f"{number}\n" for number in range(1, 21))})
    (file,) = place.matches("^(3|5|12)$", before=2, after=1).files
    shown = [(row.line, row.is_match) for row in read_rows(file, 500)]
    assert shown == [
        (1, False),
        (2, False),
        (3, True),
        (4, False),
        (5, True),
        (6, False),
        (10, False),
        (11, False),
        (12, True),
        (13, False),
    ]


def test_a_match_may_span_lines_when_asked(place: Place):
    make(place.directory, {"f": "one\ntwo\nthree\n", "g": "two three\n"})
    assert place.rows(r"two\nth", is_multiline=True) == {"f": [(2, "two\nthree")]}
    assert place.counts(r"two\nth", is_multiline=True) == {"f": 1}


def test_a_pattern_with_a_line_end_is_refused_unless_multiline(place: Place):
    make(place.directory, {"f": "one\n"})
    with pytest.raises(Failure) as raised:
        place.matches(r"one\ntwo")
    assert (raised.value.kind, raised.value.hint) == ("usage", "Set multiline to match across lines.")


@pytest.mark.parametrize("pattern", ["(foo", "[a", "*a", "a{2,1}", "(?<n"])
def test_a_broken_pattern_is_a_usage_error_with_the_reason(place: Place, pattern: str):
    make(place.directory, {"f": "one\n"})
    with pytest.raises(Failure) as raised:
        place.matches(pattern)
    assert raised.value.kind == "usage"
    assert raised.value.message.startswith("the pattern ")


@pytest.mark.parametrize("pattern", [r"(?=a)a", r"(?<!a)b", r"(a)\1", r"(?P<n>a)(?P=n)"])
def test_look_around_and_backreferences_are_refused_by_both_engines(place: Place, pattern: str):
    make(place.directory, {"f": "aab\n"})
    with pytest.raises(Failure) as raised:
        place.matches(pattern)
    assert raised.value.kind == "usage"
    assert "support" in raised.value.message or "unrecognized" in raised.value.message


def test_line_ends_of_dos_are_no_part_of_a_line(place: Place):
    make(place.directory, {"f": "a\r\nfoo;\r\nlast foo;"})
    assert place.rows(";$") == {"f": [(2, "foo;"), (3, "last foo;")]}
    assert place.rows("^foo") == {"f": [(2, "foo;")]}


def test_columns_count_characters_and_offsets_bytes(place: Place):
    make(place.directory, {"f": "x\néé→ foo\n"})
    row = place.row("foo")
    assert (row.column, row.byte_offset, row.spans) == (5, 10, ((4, 7),))


def test_lines_that_are_not_utf8_are_shown_and_found(place: Place):
    make(place.directory, {"f": b"caf\xe9 foo\n"})
    row = place.row("foo")
    assert (row.text, row.spans, row.column) == ("caf� foo", ((5, 8),), 6)


def test_utf16_with_a_byte_order_mark_is_text(place: Place):
    make(place.directory, {"f": "one\nfoo\n".encode("utf-16"), "g": "\ufefffoo\n".encode()})
    assert place.rows("foo") == {"f": [(2, "foo")], "g": [(1, "foo")]}
    assert place.rows("^foo") == {"f": [(2, "foo")], "g": [(1, "foo")]}


def test_binary_files_with_a_match_are_named_not_shown(place: Place):
    make(place.directory, {"early": b"\0\1foo\n", "late": b"foo\n" * 100 + b"\0\n", "none": b"\0bar", "text": "foo\n"})
    found = place.matches("foo", need=10)
    assert found.binary == ("early", "late")
    assert (found.total_matches, found.total_files) == (1, 1)
    assert place.paths("foo") == ["early", "late", "text"]


def test_names_of_any_bytes_survive(place: Place):
    names = ["new\nline", "esc\x1b[31m", "-e", "--pre=sh", "[red]x[/]", " lead", "q'\"", "ünï", os.fsdecode(b"bad\xff")]
    make(place.directory, dict.fromkeys(names, "foo\n"))
    assert sorted(place.rows("foo")) == sorted(names)
    assert sorted(place.paths("foo")) == sorted(names)
    assert place.counts("foo") == dict.fromkeys(sorted(names, key=os.fsencode), 1)
    assert sorted(place.names()) == sorted(names)


def test_links_and_odd_files_are_passed_over_not_opened_i6(place: Place, tmp_path: Path):
    make(tmp_path, {"outside/secret": "foo\n"})
    make(place.directory, {"real": "foo\n"})
    (place.directory / "link").symlink_to("real")
    (place.directory / "out").symlink_to(tmp_path / "outside")
    os.mkfifo(place.directory / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(place.directory, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{here}/socket")
        os.close(here)
    assert place.rows("foo") == {"real": [(1, "foo")]}
    why = {entry.path: entry.why for entry in place.listing().passed}
    assert why == {"fifo": "special", "link": "link", "socket": "special"}


def test_totals_stay_exact_past_what_is_kept_i6(place: Place):
    make(place.directory, {"a": "foo\n" * 2500, "b": "foo\n" * 30})
    found = place.matches("foo", need=5)
    assert (found.total_matches, found.total_files) == (2530, 2)
    assert [(file.path, len(file.rows)) for file in found.files] == [("a", 5), ("b", 5)]


def test_a_flood_gives_the_same_first_rows_on_every_run_i6(place: Place, monkeypatch: pytest.MonkeyPatch):
    make(place.directory, {f"d{number % 5}/f{number:03}": "foo\n" * 40 for number in range(100)})
    whole = place.matches("foo", need=90)
    monkeypatch.setattr(find, "MOST_EVENT_BYTES", 50_000)
    for _ in range(3):
        cut = place.matches("foo", need=90)
        assert [file.path for file in cut.files][:3] == [file.path for file in whole.files][:3]
        assert sum(file.matched for file in cut.files) >= 90
        assert (cut.total_matches, cut.total_files, cut.timed_out) == (4000, 100, False)


def test_a_pattern_that_never_ends_is_ended_at_the_deadline_i6(place: Place):
    make(place.directory, {"a": "b\n", "f": "a" * 60 + "b\n"})
    started = time.monotonic()
    found = place.matches("(a|a)*$", seconds=1.5)
    assert found.timed_out == (place.engine.name == "python")
    assert time.monotonic() - started < 6


def test_an_ignore_file_that_blocks_ends_at_the_deadline_i6(place: Place):
    make(place.directory, {"a": "foo\n", "sub/f": "foo\n"})
    os.mkfifo(place.directory / "sub/.gitignore")
    started = time.monotonic()
    found = place.matches("foo", seconds=1.5)
    assert found.timed_out or list(place.rows("foo")) == ["a", "sub/f"]
    assert time.monotonic() - started < 6


def test_a_cancelled_search_ends_its_process_i6(place: Place):
    make(place.directory, {"f": "foo\n"})

    def cancel() -> None:
        raise Failure("interrupted", "the call was cancelled.")

    with pytest.raises(Failure, match="cancelled"):
        place._with(
            {},
            lambda scope: find.find_matches(
                place.engine, scope, find.Query("foo"), 10, find.Pace(time.monotonic() + 60, cancel), None
            ),
        )


def test_one_line_of_megabytes_is_shown_by_its_beginning_in_bounded_memory_i6(place: Place):
    make(place.directory, {"f": "first\n" + "x" * 4_000_000 + "needle" + "y" * 4_000_000 + "\nneedle last\n"})
    (file,) = place.matches("needle").files
    assert sum(len(row) for row in file.rows) < 1_000_000
    long, short = read_rows(file, 100)
    assert (long.line, long.column, long.byte_offset, len(long.text)) == (2, 4_000_001, 4_000_006, 100)
    assert long.text == "x" * 99 + "…"
    assert (short.line, short.text) == (3, "needle last")


def test_the_directory_that_was_entered_is_searched_whatever_its_name_becomes_i3(place: Place, tmp_path: Path):
    make(place.directory, {"sub/f": "foo\n"})
    make(tmp_path, {"other/f": "foo in another place\n"})
    fd = os.open(place.directory / "sub", os.O_RDONLY)
    try:
        (place.directory / "sub").rename(place.directory / "moved")
        (place.directory / "sub").symlink_to(tmp_path / "other")
        scope = find.Scope(fd)
        found = find.find_matches(place.engine, scope, find.Query("foo"), 10, place.pace(), None)
        (file,) = found.files
        assert [row.text for row in read_rows(file, 100)] == ["foo"]
    finally:
        os.close(fd)


def test_a_single_file_is_searched_by_its_descriptor_even_if_ignored_i3(place: Place):
    make(place.directory, {".gitignore": "*.log\n", "a.log": "foo\n"})
    assert list(place.rows("foo", at="a.log").values()) == [[(1, "foo")]]
    assert list(place.counts("foo", at="a.log").values()) == [1]


def test_a_pattern_with_nul_is_refused(place: Place):
    make(place.directory, {"f": "foo\n"})
    with pytest.raises(Failure, match="NUL") as raised:
        place.matches("a\0b")
    assert raised.value.kind == "usage"


def test_a_pattern_longer_than_a_command_line_is_refused(place: Place):
    make(place.directory, {"f": "foo\n"})
    with pytest.raises(Failure, match="too long") as raised:
        place.matches("x" * 200_000)
    assert raised.value.kind == "usage"


def test_no_setting_of_the_user_or_the_tree_changes_how_ripgrep_runs_i1(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    config = tmp_path / "ripgreprc"
    config.write_text("--files\n--hidden\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(config))
    monkeypatch.setenv("PYTHONPATH", str(place.directory))
    make(place.directory, {"f": "foo\n", ".ripgreprc": "--files\n", "json.py": "raise SystemExit(9)\n"})
    assert place.rows("foo") == {"f": [(1, "foo")]}


def test_totals_of_matches_over_lines_are_exact_past_what_is_kept_i6(place: Place):
    make(place.directory, {"f": "a\nb\nc\n" * 5000, "g": "a\nb\n"})
    found = place.matches("a\nb", need=3, is_multiline=True)
    assert (found.total_matches, found.total_files) == (5001, 2)
    assert [row.line for row in read_rows(found.files[0], 100)] == [1, 4, 7]


def test_matches_whose_lines_adjoin_are_one_row_and_counted_each(place: Place):
    make(place.directory, {"f": "a\nb\na\nb\nz\na\nb\n"})
    assert place.rows("a\nb", is_multiline=True) == {"f": [(1, "a\nb\na\nb"), (6, "a\nb")]}
    assert place.counts("a\nb", is_multiline=True) == {"f": 3}
