"""What searches of a large tree cost, as multiples of ripgrep's own run over the same tree in the same minute.

Each command is started in turn, so that a machine that slows down slows them all; medians are compared, of the time on
the wall and of processor seconds, which a busy machine changes less. The tree should be large: the Linux source has
78,000 files. Run it by the Python of an environment that codetools is installed in, with compiled modules:

    python -m compileall -q codetools && python tests/benchmarks/search.py TREE [MILLION_DIRECTORY]

With a second directory a million files are made there once, and the growth of glob, grep, find and tree is measured.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = int(os.environ.get("RUNS", "7"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
RG = str(Path(sys.executable).with_name("rg"))
MANY, RARE = "kmalloc_array", "zlib_inflate_blob"
FLOOR = "python -c pass"
MOST_MEGABYTES = 500

# what is measured: the raw command, whether the floor is added to it, and the most times that it may cost
LIMITS = {
    "grep, many hits": ("rg --json many", True, 1.2),
    "grep, rare": ("rg --json rare", True, 1.2),
    "grep -l, many hits": ("rg -l many", True, 1.2),
    "glob **/*.c": ("rg --files", False, 1.5),
    "glob **/*.c, same promise": ("rg --files --sortr modified", False, 1.5),
    "find *.c": ("rg --files --sortr modified", False, 3.0),
    "grep, many hits, Python": ("rg --json many", False, 10.0),
    "glob **/*.c, Python": ("rg --files", False, 10.0),
}


def main() -> None:
    tree = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home}
        compare(tree, environment)
        if len(sys.argv) > 2:
            grow(Path(sys.argv[2]), environment)


def compare(tree: Path, environment: dict[str, str]) -> None:
    commands = {
        FLOOR: [sys.executable, "-c", "pass"],
        "rg --json many": [RG, "--json", MANY],
        "rg --json rare": [RG, "--json", RARE],
        "rg -l many": [RG, "-l", MANY],
        "rg --files": [RG, "--files"],
        "rg --files --sortr modified": [RG, "--files", "--sortr", "modified"],
        "grep, many hits": call("grep", tree, pattern=MANY, literal=True),
        "grep, rare": call("grep", tree, pattern=RARE, literal=True),
        "grep -l, many hits": call("grep", tree, pattern=MANY, output_mode="files_with_matches"),
        "glob **/*.c": call("glob", tree, pattern="**/*.c"),
        "find *.c": call("find", tree, name="*.c"),
    }
    slow = {
        "grep, many hits, Python": without_ripgrep("grep", tree, pattern=MANY, literal=True),
        "glob **/*.c, Python": without_ripgrep("glob", tree, pattern="**/*.c"),
    }
    wall: dict[str, list[float]] = {}
    processor: dict[str, list[float]] = {}
    for run in range(RUNS + 1):
        for name, words in {**commands, **(slow if run in (1, 2, 3) else {})}.items():
            seconds, used = measured(words, tree, environment)
            if run:
                wall.setdefault(name, []).append(seconds)
                processor.setdefault(name, []).append(used)
    middle = {name: statistics.median(values) for name, values in wall.items()}
    used_middle = {name: statistics.median(values) for name, values in processor.items()}
    for name, (raw, has_floor, most) in LIMITS.items():
        ours = name.removesuffix(", same promise")
        bar = middle[raw] + middle[FLOOR] * has_floor
        used_bar = used_middle[raw] + used_middle[FLOOR] * has_floor
        ratio, used_ratio = middle[ours] / bar, used_middle[ours] / used_bar
        verdict = "" if ratio <= most else "  OVER"
        print(
            f"{name:28} {middle[ours] * 1000:7.0f} ms, {raw} {bar * 1000:6.0f} ms: "
            f"{ratio:5.2f} (processor {used_ratio:5.2f}; at most {most}){verdict}"
        )


def grow(directory: Path, environment: dict[str, str]) -> None:
    """Measure a tenth of a million files, and the whole."""
    directory.mkdir(exist_ok=True)
    for thousand in range(1000):
        place = directory / f"{'tenth' if thousand < 100 else 'rest'}/{thousand // 10:02}/{thousand:03}"
        if not place.is_dir():
            place.mkdir(parents=True)
            for number in range(1000):
                (place / f"f{number}.{'c' if number % 2 else 'py'}").write_text(f"value {number}\n")
    for tool, arguments in (
        ("glob", {"pattern": "**/*.c"}),
        ("grep", {"pattern": "value 77$"}),
        ("grep", {"pattern": "value"}),
        ("find", {"name": "*.c", "kind": "file"}),
        ("tree", {}),
    ):
        tenth, _ = measured(call(tool, directory / "tenth", **arguments), directory, environment)
        words = [sys.executable, __file__, "--peak", *call(tool, directory, **arguments)]
        whole, _ = measured(words, directory, environment)
        peak = int(Path(directory, "peak").read_text())
        print(
            f"{tool} {json.dumps(arguments):24} {tenth:6.2f} s for 100,000 files, {whole:6.2f} s for 1,000,000 "
            f"({whole / tenth:4.1f} times), {peak} MB{'  OVER' if peak > MOST_MEGABYTES else ''}"
        )


def call(tool: str, tree: Path, **arguments: object) -> list[str]:
    return [CODETOOLS, "call", tool, json.dumps(arguments), "--root", str(tree)]


def without_ripgrep(tool: str, tree: Path, **arguments: object) -> list[str]:
    """Return the same call where no rg is found."""
    start = (
        "import sys, codetools.search.ripgrep as r; r.find_ripgrep = lambda inside: None;"
        "from codetools.__main__ import main; main()"
    )
    return [sys.executable, "-c", start, *call(tool, tree, **arguments)[1:]]


def measured(words: list[str], directory: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Run a command; return its seconds, and those of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(words, cwd=directory, env=environment, stdout=out, check=False)
        out.seek(0)
        cut = any(b'"timed_out": true' in line for line in out) if CODETOOLS in words or "-c" in words else False
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, (words, done)
    if cut:
        print(f"ran out of time, so that its ratio says nothing: {' '.join(words)[-100:]}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak(words: list[str]) -> None:
    """Run a command, and leave in `peak` how many megabytes the largest of its processes took."""
    done = subprocess.run(words, check=False)
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    Path("peak").write_text(str(kilobytes // 1024))
    sys.exit(done.returncode)


if __name__ == "__main__":
    if sys.argv[1] == "--peak":
        peak(sys.argv[2:])
    else:
        main()
