"""Verdicts of both engines against git's own, on random trees; the table says which patterns are read differently.

    python -m tests.proof.ignore_oracle [TREES] [SEED]

Trees have ignore files at several levels, of patterns of one kind each and of the plain ones. Many trees lie in one
throw-away repository, so that one run of `git check-ignore --no-index` judges all. Where a kind differs, DIFFERS says
why; the fast part of this proof is in tests/search/test_ignore_oracle.py.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from codetools.search.find import path_order
from tests.search.engines import Place, engines

TREES_AT_ONCE = 100
# fmt: off
NAMES = [
    b"a", b"b", b"c", b"foo", b"bar", b"foo.c", b"foo.o", b"x y", b"\xc3\xa9", b"#c", b"!d", b"[e", b"a*b", b"lib",
    b"Foo", b"a1", b"a-b", b"]", b"a ", b"end\\", b"{a,b}", b".x", b"-n", b"A", b"^",
]
PLAIN = [
    b"foo", b"/foo", b"foo/", b"*.o", b"!foo.o", b"**/bar", b"bar/**", b"a/**/b", b"/a/b", b"a/b", b"a/*", b"!a/b",
    b"*",
    b"!*/", b"!foo.c", b"fo?", b"\\#c", b"\\!d", b"\\[e", b"# comment", b"", b"x\\ y", b"x y", b"\xc3\xa9", b"a\\*b",
    b"lib/", b"!lib/", b"/*", b"!/a", b"foo*", b"*o", b"**", b"a/", b"/lib/foo", b"FOO", b"!foo", b"!a/", b"**/",
    b"/**",
    b"**/a/b", b"a/**", b"*/b", b"*/*", b".*", b"-n", b"!*.c", b"foo/bar", b"!foo/bar", b"a?", b"?", b"!b", b"b/",
]
KINDS: dict[str, list[bytes]] = {
    "plain": [b"foo", b"!a"],
    "classes": [
        b"[a-f]oo", b"[!a]", b"[^a]", b"[a-c]", b"[]a]", b"[!]a]",
        b"[a\\-b]", b"a[0-9]", b"[A-Z]", b"[[e]*", b"[]-]", b"[^a-z]*",
    ],
    "POSIX classes": [
        b"[[:alpha:]]", b"a[[:digit:]]", b"[[:upper:]]*",
        b"[![:lower:]]", b"[[:alnum:]]*", b"[[:punct:]]*",
    ],
    "trailing blanks": [b"foo.c   ", b"a ", b"a\\ ", b"x\\ y  ", b"foo\t", b"lib/  ", b"a\\  "],
    "braces": [b"{a,b}", b"foo.{c,o}", b"{foo", b"a}", b"*.{c,o}", b"\\{a,b\\}"],
    "broken classes": [b"[z-a]", b"[a", b"foo[", b"[!", b"a[]", b"[[:nope:]]", b"[a-"],
    "stars in names": [b"a**", b"**o", b"f**o", b"a**/b", b"**foo/b", b"foo**/", b"a/**b", b"***", b"a/***/b"],
    "backslashes": [
        b"\\a", b"fo\\o", b"end\\\\", b"end\\", b"\\",
        b"\\\\", b"\\*", b"a\\?", b"\\[e]", b"!\\!d", b"\\!d",
    ],
    "invalid UTF-8": [b"\xff*", b"[\xff]", b"*\xfe", b"\xff"],
    "multibyte": [b"[!\xc3\xa9]", b"[\xc3\xa9]", b"?", b"??", b"[^a]", b"\xc3?"],
    "slashes": [b"//foo", b"foo//", b"a//b", b"/", b"./a", b"a/.", b"../a", b"!/", b"/a/", b"a/../b"],
    "case": [b"FOO", b"Foo", b"[F]oo", b"A", b"LIB/"],
}
# fmt: on
ENDS = {"CRLF": b"\r\n", "BOM": b"\n"}
DIFFERS = {
    ("ripgrep", "classes"): "globset knows no escape in a class: `[a\\-b]` is a range from the backslash to b",
    ("ripgrep", "POSIX classes"): "globset has none: it reads `[[:alpha:]]` as a class of these characters and a `]`",
    ("ripgrep", "trailing blanks"): "ripgrep drops tabs at the end of a line as well; git drops spaces alone",
    ("ripgrep", "braces"): "globset reads `{a,b}` as a or b; to git a brace is a character like others",
    ("ripgrep", "stars in names"): "`***` as a whole name is `**` to git, and `*` to globset",
    ("ripgrep", "invalid UTF-8"): "ripgrep reads no line that is not UTF-8, and none after it in the same file",
    ("ripgrep", "multibyte"): "git matches bytes, globset characters: `?` and `[!a]` take one byte of é, or all of it",
}


def main() -> None:
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    kinds = [*KINDS, *ENDS]
    each = -(-trees // len(kinds))
    print(f"{'patterns':18} {'trees':>6} " + " ".join(f"{engine.name:>8}" for engine in engines()))
    for kind in kinds:
        counts = {engine.name: 0 for engine in engines()}
        first: dict[str, str] = {}
        for start in range(0, each, TREES_AT_ONCE):
            count = min(TREES_AT_ONCE, each - start)
            for name, place, difference in differences(kind, count, f"{seed}/{kind}/{start}"):
                counts[name] += 1
                first.setdefault(name, f"{place}: {difference}")
        print(f"{kind:18} {each:6,} " + " ".join(f"{counts[name]:8,}" for name in counts), flush=True)
        for name, said in first.items():
            print(f"    {name}: {DIFFERS.get((name, kind), 'NOT EXPECTED')}; first {said}")


def differences(kind: str, trees: int, seed: str) -> Iterator[tuple[str, str, str]]:
    """Make trees, and return each that an engine sees otherwise than git: engine, tree, what differs."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory, "r")
        root.mkdir()
        planted = {f"t{number}": plant(root / f"t{number}", kind, chance) for number in range(trees)}
        git = visible_to_git(root, directory, [f"{tree}/{name}" for tree, names in planted.items() for name in names])
        for engine in engines():
            seen = Place(engine, root).listing().paths
            by_tree: dict[str, set[str]] = {tree: set() for tree in planted}
            for path in seen:
                tree, _, name = path.partition("/")
                by_tree[tree].add(name)
            for tree in planted:
                if by_tree[tree] != git[tree]:
                    odd = sorted(by_tree[tree] ^ git[tree], key=path_order)[0]
                    rules = {
                        str(file.relative_to(root / tree)): file.read_bytes()
                        for file in sorted((root / tree).rglob(".gitignore"))
                    }
                    hidden = "hides" if odd in git[tree] else "shows"
                    yield engine.name, tree, f"{hidden} {odd!r} under {rules}"


def plant(root: Path, kind: str, chance: random.Random) -> list[str]:
    """Make a random tree with ignore files at several levels; return its files."""
    files: set[bytes] = set()
    for _ in range(chance.randrange(5, 20)):
        parts = chance.choices(NAMES, k=chance.randrange(1, 4))
        if not any(b"/".join(parts[:count]) in files for count in range(1, len(parts))):
            files.add(b"/".join(parts))
    files = {name for name in files if not any(other.startswith(name + b"/") for other in files)}
    if kind == "invalid UTF-8":
        files |= {b"\xff1", b"b\xfe"}
    top = os.fsencode(root)
    for name in files:
        path = top + b"/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(os.fsdecode(path)).touch()
    directories = {
        b"",
        *(b"/".join(name.split(b"/")[:count]) for name in files for count in range(1, name.count(b"/") + 1)),
    }
    special = KINDS.get(kind, PLAIN)
    for directory in sorted(directories):
        if directory == b"" or chance.random() < 0.3:
            lines = chance.choices(PLAIN, k=chance.randrange(0, 4)) + chance.choices(special, k=chance.randrange(1, 3))
            chance.shuffle(lines)
            end = ENDS.get(kind, b"\n")
            content = (b"\xef\xbb\xbf" if kind == "BOM" else b"") + end.join(lines) + chance.choice([b"", end])
            rules = os.path.join(top, directory, b".gitignore")
            Path(os.fsdecode(rules)).write_bytes(content)
            files.add(os.path.relpath(rules, top))
    return [os.fsdecode(name) for name in files]


def visible_to_git(root: Path, home: str, files: list[str]) -> dict[str, set[str]]:
    """Return by tree which of these files git does not ignore."""
    environment = {"PATH": os.environ["PATH"], "HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "."], cwd=root, env=environment, check=True)
    answer = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=root,
        env=environment,
        input=b"\0".join(map(os.fsencode, files)),
        stdout=subprocess.PIPE,
        check=False,
    )
    assert answer.returncode in (0, 1), answer
    ignored = {os.fsdecode(name) for name in answer.stdout.split(b"\0")}
    seen: dict[str, set[str]] = {}
    for path in files:
        tree, _, name = path.partition("/")
        seen.setdefault(tree, set())
        if path not in ignored:
            seen[tree].add(name)
    return seen


if __name__ == "__main__":
    main()
