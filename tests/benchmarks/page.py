"""What a page deep in a large file costs, as a multiple of `sed -n 'N,Mp;Mq'` on the same file in the same run.

The file has GIGABYTES (1) of lines of 95 bytes; the page begins near its end, and once in its middle. Run it by the
Python of an environment that codetools is installed in: python tests/benchmarks/page.py
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = int(os.environ.get("RUNS", "7"))
GIGABYTES = float(os.environ.get("GIGABYTES", "1"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
LINE_BYTES = 95
LINES_SHOWN = 100
MOST_TIMES_SED = 1.5


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Path(directory, "ws")
        (workspace / ".git").mkdir(parents=True)
        environment = {"PATH": os.environ["PATH"], "HOME": directory}
        lines = write(workspace / "big", int(GIGABYTES * 1e9) // LINE_BYTES)
        for offset in (lines // 2, lines - 2 * LINES_SHOWN):
            first, last = offset + 1, offset + LINES_SHOWN
            arguments = json.dumps({"file_path": "big", "offset": offset, "limit": LINES_SHOWN})
            commands = {
                "sed": ["sed", "-n", f"{first},{last}p;{last}q", "big"],
                "read": [CODETOOLS, "call", "read", arguments],
            }
            times: dict[str, list[float]] = {name: [] for name in commands}
            for run in range(RUNS + 1):
                shown = {}
                for name, command in commands.items():
                    began = time.perf_counter()
                    done = subprocess.run(command, cwd=workspace, env=environment, capture_output=True, check=True)
                    if run:
                        times[name].append(time.perf_counter() - began)
                    shown[name] = done.stdout
                assert json.loads(shown["read"])["data"]["content"].encode() == shown["sed"]
            sed, read = (statistics.median(times[name]) for name in commands)
            verdict = "" if read / sed <= MOST_TIMES_SED else "  OVER"
            print(f"line {first:>12,}: sed {sed:6.3f} s, read {read:6.3f} s, {read / sed:4.2f} (at most 1.5){verdict}")


def write(path: Path, lines: int) -> int:
    with path.open("wb") as file:
        for start in range(0, lines, 100_000):
            numbers = range(start + 1, min(start + 100_000, lines) + 1)
            file.write(b"".join(b"%-*d\n" % (LINE_BYTES - 1, number) for number in numbers))
    return lines


if __name__ == "__main__":
    main()
