"""Many processes change one file at once, and programs that ignore our locks do too: nothing reported is lost.

`python tests/proof/contention.py`: 8 processes make 40 edits each, at first alone, then beside a program that appends
to the file, then beside one that writes it anew and swaps it in. Each edit adds a line of its own; each line whose
writer was told that it was written has to be there once. The swapping program looks whether what it displaced is what
it had read, as we do, for otherwise it would be the one who loses our lines.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.proof.ground import CODETOOLS, is_litter

PROCESSES, EDITS = 8, 40
PAUSE_SECONDS = 0.1  # of the other program, after each of its lines
TRIES = 50
END = "# end\n"
APPENDER = """
import itertools, sys, time
path, pause = sys.argv[1], float(sys.argv[2])
for number in itertools.count():
    with open(path, "a") as file:
        file.write(f"theirs {number}\\n")
    print(number, flush=True)
    time.sleep(pause)
"""
# it takes what it displaced for true and tries again where that is not what it had read
RENAMER = """
import itertools, os, sys, time
sys.path.insert(0, sys.argv[3])
from codetools.system import replace
path, pause = sys.argv[1], float(sys.argv[2])
os.chdir(os.path.dirname(path))
name = os.path.basename(path)
here = os.open(".", os.O_RDONLY)
def content(name):
    with open(name) as file:
        return file.read()
for number in itertools.count():
    while True:
        read = content(name)
        put = f"theirs {number}\\n" + read
        with open("their.tmp", "w") as file:
            file.write(put)
        replace.exchange(here, "their.tmp", name)
        if content("their.tmp") == read:
            break
        while True:  # give back what was displaced, until nothing came in between
            displaced = content("their.tmp")
            replace.exchange(here, "their.tmp", name)
            if content("their.tmp") == put:
                break
            put = displaced
    print(number, flush=True)
    time.sleep(pause)
"""
OTHERS = {"alone": "", "an appender": APPENDER, "a renamer": RENAMER}


class Result(NamedTuple):
    """What became of the lines; `refused` edits were told not to have been made, and were made again."""

    ours: int
    ours_kept: int
    refused: int
    theirs: int
    theirs_kept: int
    seconds: float
    wrong: tuple[str, ...]


def contend(top: Path, other: str, processes: int, edits: int, pause: float = PAUSE_SECONDS) -> Result:
    """Let processes edit one file, beside another program or none, and count the lines."""
    root, home = top / "ws", top / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir()
    file = root / "file.txt"
    file.write_text(END)
    environment = {**os.environ, "HOME": str(home)}
    done: list[str] = []
    refused: list[str] = []
    wrong: list[str] = []

    def work(worker: int) -> None:
        for number in range(edits):
            line = f"ours {worker}.{number}"
            arguments = {"file_path": "file.txt", "old_string": END, "new_string": f"{line}\n{END}"}
            for _ in range(TRIES):
                command = [str(CODETOOLS), "call", "edit", json.dumps(arguments), "--yolo"]
                made = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
                if made.returncode == 0:
                    done.append(line)
                    break
                refused.append(made.stdout)
                if not made.stdout or json.loads(made.stdout)["changed"]:
                    wrong.append(f"refused wrongly, exit {made.returncode}: {made.stdout}{made.stderr[-500:]}")
            else:
                wrong.append(f"{line} was refused {TRIES} times: {made.stdout}")

    started = time.monotonic()
    command = [sys.executable, "-c", other, str(file), str(pause), str(Path(__file__).parents[2])]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True) if other else None
    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(processes)]
    for thread in threads:
        thread.start()
    told: list[str] = []
    reader = threading.Thread(target=lambda: told.extend(writer.stdout if writer and writer.stdout else ()))
    reader.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    if writer is not None:
        writer.kill()
        writer.wait()
    reader.join()
    lines = file.read_text().splitlines()
    theirs = [f"theirs {number.strip()}" for number in told]
    wrong += [f"lost: {line}" for line in (*done, *theirs) if line not in lines]
    wrong += [f"there twice: {line}" for line in sorted(set(lines)) if lines.count(line) > 1]
    wrong += [f"litter: {name}" for name in os.listdir(root) if is_litter(name)]
    return Result(
        ours=len(done),
        ours_kept=sum(line in lines for line in done),
        refused=len(refused),
        theirs=len(theirs),
        theirs_kept=sum(line in lines for line in theirs),
        seconds=seconds,
        wrong=tuple(wrong),
    )


def main(arguments: Iterable[str] | None = None) -> int:
    """Let them contend in each way; print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--edits", type=int, default=EDITS, help="of each process")
    parser.add_argument("--only", choices=tuple(OTHERS), help="one of the ways")
    parser.add_argument("--pause", type=float, default=PAUSE_SECONDS, help="of the other program, in seconds")
    options = parser.parse_args(arguments)
    failures: list[str] = []
    print(f"{'beside':12} {'ours':>5} {'kept':>5} {'refused':>8} {'theirs':>7} {'kept':>7} {'seconds':>8} {'wrong':>6}")
    for name, other in OTHERS.items():
        if options.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as top:
            got = contend(Path(top), other, options.processes, options.edits, options.pause)
        failures += [f"{name}: {wrong}" for wrong in got.wrong]
        print(
            f"{name:12} {got.ours:5} {got.ours_kept:5} {got.refused:8} {got.theirs:7} {got.theirs_kept:7}"
            f" {got.seconds:8.1f} {len(got.wrong):6}",
            flush=True,
        )
    print(*failures, f"{len(failures)} wrong", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
