"""What a command costs beside the same without us; run by hand: `python tests/benchmarks/shell.py [MEGABYTES]`."""

import os
import subprocess
import sys
import tempfile
import time

REPEATS = 9
PYTHON = sys.executable
CODETOOLS = (PYTHON, "-m", "codetools")


def seconds(argv: list[str], repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        best = min(best, time.perf_counter() - began)
    return best


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        os.environ.update(CODETOOLS_HOME=f"{directory}/state", HOME=directory)
        os.makedirs(f"{directory}/ws/.git")
        os.chdir(f"{directory}/ws")
        floor = seconds([PYTHON, "-c", "pass"], REPEATS)
        print(f"python -c pass: {floor * 1000:.1f} ms")
        for words in (["bash", "true"], ["call", "bash", '{"command": "true"}'], ["bash", "--yolo", ": $HOME"]):
            print(f"codetools {' '.join(words)}: {seconds([*CODETOOLS, *words], REPEATS) / floor:.1f} times that")
        count = megabytes << 20
        command = f"yes 'a line of some length that stands for output' | head -c {count}"
        plain = seconds(["bash", "-c", f"{command} > {directory}/out"], 3)
        spooled = seconds([*CODETOOLS, "call", "bash", f'{{"command": "{command}"}}', "--yolo"], 3)
        print(f"{megabytes} MiB of output: {spooled / plain:.2f} times bash into a file ({plain:.2f} s)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
