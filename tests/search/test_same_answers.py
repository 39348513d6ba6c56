"""Random trees: both engines see the same files, and what is found is what a plain look through all of them finds."""

import os
import random
import re
from pathlib import Path

import pytest

from tests.calls import call
from tests.search.engines import Place, engines

NAMES = [b"a", b"b", b".h", b"x y", b"-n", b"[c]", b"new\nline", b"esc\x1b[1m", b"bad\xff", b"tab\t", b"q\"'\\", b"{d}"]
LINES = [b"foo", b"a foo foo", b"Foo", b"", b"bar\r", b"\xff foo", "é foo".encode(), b"fo", b"o\rfoo", b"  foo  "]
PATTERNS = ["foo", "^foo", "o$", "(?:fo)+o", "[a-f]oo", r"\bfoo\b", "é", "x|bar", "^$", r"\s+foo"]
RULES = [b"a", b"*.h", b"b/", b"!b", b"/x y", b".h", b"[[]c]", b"*/a"]


def plant(root: Path, chance: random.Random) -> dict[bytes, bytes]:
    files: dict[bytes, bytes] = {}
    for _ in range(chance.randrange(3, 25)):
        parts = chance.choices(NAMES, k=chance.randrange(1, 4))
        name = b"/".join(parts)
        above = {b"/".join(parts[:count]) for count in range(1, len(parts))}
        if above & set(files) or any(other.startswith(name + b"/") for other in files):
            continue
        content = b"\n".join(chance.choices(LINES, k=chance.randrange(0, 8)))
        files[name] = content + chance.choice([b"", b"\n"]) * bool(content)
    for name, content in files.items():
        path = os.fsencode(root) + b"/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(os.fsdecode(path)).write_bytes(content)
    return files


def holds(expression: "re.Pattern[str]", line: str) -> bool:
    """A lone carriage return ends what a match may span, though the line goes on."""
    return any(expression.search(part) for part in line.removesuffix("\r").split("\r"))


@pytest.mark.parametrize("seed", range(40))
def test_grep_finds_what_a_plain_look_through_all_files_finds(place: Place, seed: int):
    chance = random.Random(seed)
    files = plant(place.directory, chance)
    pattern = chance.choice(PATTERNS)
    expression = re.compile(pattern)
    expected = {}
    for name, content in files.items():
        lines = content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if content else []
        found = [number for number, line in enumerate(lines, 1) if holds(expression, line)]
        if found:
            expected[os.fsdecode(name)] = found
    seen = {path: [number for number, _ in rows] for path, rows in place.rows(pattern).items()}
    assert seen == expected
    assert set(place.paths(pattern)) == set(expected)
    assert place.counts(pattern) == {name: len(found) for name, found in expected.items()}


@pytest.mark.parametrize("seed", range(40))
def test_both_engines_see_the_same_files_and_pass_over_the_same(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    plant(tmp_path, chance)
    for name in (".gitignore", ".ignore", "a/.gitignore"):
        if chance.random() < 0.6 and (tmp_path / name).parent.is_dir():
            (tmp_path / name).write_bytes(b"\n".join(chance.choices(RULES, k=3)))
    (tmp_path / "to-a").symlink_to("a")
    (tmp_path / "to-nothing").symlink_to("nothing")
    (tmp_path / "to-itself").symlink_to("to-itself")
    os.mkfifo(tmp_path / "pipe")
    how = {"rules": chance.choice([(), ("x y",), ("b", "!b")]), "withheld": chance.choice([(), ("a",), ("*y", ".H")])}
    listings = [Place(engine, tmp_path).listing(**how) for engine in engines()]
    assert sorted(listings[0].paths) == sorted(listings[1].paths)
    passed = [
        sorted((entry.path, entry.why) for entry in listing.passed if entry.why != "kept") for listing in listings
    ]
    assert passed[0] == passed[1]


def test_odd_names_survive_json_and_take_one_row_each_in_every_tool(workspace: Path):
    for name in NAMES:
        Path(os.fsdecode(os.fsencode(workspace) + b"/" + name)).write_text("foo\n")
    for tool, arguments, key in (
        ("grep", {"pattern": "foo", "output_mode": "files_with_matches"}, "files"),
        ("grep", {"pattern": "foo"}, "matches"),
        ("glob", {"pattern": "**"}, "paths"),
        ("ls", {}, "entries"),
    ):
        answer = call(tool, arguments)
        rows = answer["data"][key]
        import base64

        exact = {
            base64.b64decode(row["path_b64"]) if "path_b64" in row else row["path"].removeprefix("./").encode()
            for row in rows
        }
        assert exact - {b".git"} == set(NAMES)
        if key != "matches":
            assert len(answer["text"].split("\n")) == len(rows)
        assert "\x1b" not in answer["text"]
    drawn = call("tree")["data"]["tree"].split("\n")
    assert len(drawn) == 1 + len(NAMES)
    assert not any("\x1b" in row for row in drawn)
