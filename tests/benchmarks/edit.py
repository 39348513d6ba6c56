"""What an edit of one line in a large file costs, as a multiple of a copy, `sed -i` and `sync` of both in the same run.

The file has MEGABYTES (100). Memory is the most that the call held, as a multiple of the file. Both runs begin with a
fresh copy that is on the disk already. Run it by the Python of an environment that codetools is installed in:
python tests/benchmarks/edit.py
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = int(os.environ.get("RUNS", "7"))
MEGABYTES = int(os.environ.get("MEGABYTES", "100"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
MOST_TIMES_FLOOR = 2.0
MOST_TIMES_FILE = 4.0
LINE = "a line of a large file, the one with number {:09d}, and a few words more\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace, home = Path(directory, "ws"), Path(directory, "state")
        (workspace / ".git").mkdir(parents=True)
        size = write(workspace / "source")
        middle = size // len(LINE.format(0)) // 2
        old, new = f"number {middle:09d},", f"NUMBER {middle:09d},"
        patch = f"--- a/file\n+++ b/file\n@@ -{middle + 1} +{middle + 1} @@\n-{LINE.format(middle)}+{LINE.format(-1)}"
        floor = f"cp file ../blob && sed -i 's/{old}/{new}/' file && sync file ../blob"
        calls = {
            "edit": ("edit", {"file_path": "file", "old_string": old, "new_string": new}),
            "patch": ("patch", {"patch": patch}),
        }
        commands = {"floor": ["sh", "-c", floor]}
        commands |= {
            name: [CODETOOLS, "call", tool, json.dumps(given), "--yolo"] for name, (tool, given) in calls.items()
        }
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "CODETOOLS_HOME": str(home)}
        times: dict[str, list[float]] = {name: [] for name in commands}
        held: dict[str, int] = {}
        for run in range(RUNS + 1):
            for name, command in commands.items():
                shutil.rmtree(home, ignore_errors=True)
                Path(directory, "blob").unlink(missing_ok=True)
                (workspace / "file").unlink(missing_ok=True)
                shutil.copyfile(workspace / "source", workspace / "file")
                os.sync()
                began = time.perf_counter()
                held[name] = peak(command, workspace, environment)
                if run:
                    times[name].append(time.perf_counter() - began)
        base = statistics.median(times["floor"])
        print(f"floor {base:6.3f} s (a copy, sed -i, sync of both)")
        for name in calls:
            taken, memory = statistics.median(times[name]), held[name] / size
            over = "  OVER" if taken / base > MOST_TIMES_FLOOR or memory > MOST_TIMES_FILE else ""
            print(
                f"{name:5} {taken:6.3f} s, {taken / base:4.2f} of the floor (at most {MOST_TIMES_FLOOR:g}); "
                f"{memory:4.2f} times the file in memory (at most {MOST_TIMES_FILE:g}){over}"
            )


def write(path: Path) -> int:
    lines = MEGABYTES * 1_000_000 // len(LINE.format(0))
    with path.open("w") as file:
        for start in range(0, lines, 100_000):
            file.writelines(LINE.format(number) for number in range(start, min(start + 100_000, lines)))
    return path.stat().st_size


def peak(command: list[str], directory: Path, environment: dict[str, str]) -> int:
    """Run a command; return the bytes that it held at most."""
    process = subprocess.Popen(command, cwd=directory, env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, answer[:500]
    assert isinstance(usage, resource.struct_rusage)
    return usage.ru_maxrss * 1024


if __name__ == "__main__":
    main()
