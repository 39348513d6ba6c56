"""What a command costs beside the same without us; run by hand: `python tests/benchmarks/shell.py [MEGABYTES]`."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

REPEATS = 15
PYTHON = sys.executable
CODETOOLS = (PYTHON, "-m", "codetools")
COMMANDS = {
    "bash true": ("bash", "true"),
    "call bash true": ("call", "bash", '{"command": "true"}'),
    "call exec true": ("call", "exec", '{"argv": ["true"]}'),
    "bash ': $HOME'": ("bash", "--yolo", ": $HOME"),
    "call bash true, in the background": ("call", "bash", '{"command": "true", "run_in_background": true}'),
    "call bash true, under a supervisor": ("call", "bash", '{"command": "true"}', "--config", "waiting.yaml"),
}


def costs(argv: tuple[str, ...]) -> tuple[float, float]:
    """Run once; return seconds on the clock and of computing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def measure_starts() -> None:
    floor = (PYTHON, "-c", "pass")
    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(REPEATS):  # in turns, so that what else the machine does falls on all alike
        for name, argv in {"": floor, **{name: (*CODETOOLS, *words) for name, words in COMMANDS.items()}}.items():
            taken.setdefault(name, []).append(costs(argv))
    clock, computing = ([median([each[index] for each in runs]) for runs in taken.values()] for index in (0, 1))
    print(f"python -c pass: {clock[0] * 1000:.1f} ms, {computing[0] * 1000:.1f} ms of computing")
    for name, seconds, computed in zip(list(taken)[1:], clock[1:], computing[1:], strict=True):
        print(f"codetools {name}: {seconds / clock[0]:.1f} times that, {computed / computing[0]:.1f} of computing")


def measure_output(directory: str, megabytes: int) -> None:
    count = megabytes << 20
    command = f"yes 'a line of some length that stands for output' | head -c {count}"
    spooling = (*CODETOOLS, "call", "bash", json.dumps({"command": command}), "--yolo")
    plain, spooled = zip(
        *((costs(("bash", "-c", f"{command} > {directory}/out"))[0], costs(spooling)[0]) for _ in range(3)), strict=True
    )
    print(f"{megabytes} MiB of output: {min(spooled) / min(plain):.2f} times bash into a file ({min(plain):.2f} s)")


def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        os.environ.update(CODETOOLS_HOME=f"{directory}/state", HOME=directory)
        os.makedirs(f"{directory}/ws/.git")
        os.chdir(f"{directory}/ws")
        with open("waiting.yaml", "w") as settings:
            settings.write("shell: {auto_background_seconds: 60}\n")
        measure_starts()
        measure_output(directory, megabytes)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
