"""What one call costs, as multiples of `python -c pass` of the same environment, in one run.

Each command is started in turn, so that a machine that slows down slows them all; medians are compared. Run it by the
Python of an environment that codetools is installed in: python tests/benchmarks/startup.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STARTS = int(os.environ.get("STARTS", "21"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
RESULT_LIMITS = {
    "call read": 3.5,
    "call read, config and session": 5.0,
    "call edit": 5.5,
    "call grep": 5.5,
    "read FILE": 8.0,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Path(directory, "ws")
        (workspace / ".git").mkdir(parents=True)
        for number in range(20):
            (workspace / f"f{number}.py").write_text(f"value = {number}\n" * 20)
        (workspace / "edit.txt").write_text("0\n")
        settings = Path(directory, "home", ".config", "codetools")
        settings.mkdir(parents=True)
        environment = {"PATH": os.environ["PATH"], "HOME": str(settings.parent.parent)}
        config = settings / "config.yaml"
        rules = "allowed_tools: [edit]\ndenied_tools: ['read(secret/**)']\n"
        counter = iter(range(10**9))

        def edit() -> list[str]:
            number = next(counter)
            arguments = f'{{"file_path":"edit.txt","old_string":"{number}","new_string":"{number + 1}"}}'
            return [CODETOOLS, "call", "edit", arguments, "--yolo"]

        commands = {
            "python -c pass": lambda: [sys.executable, "-c", "pass"],
            "call read": lambda: [CODETOOLS, "call", "read", '{"file_path":"f1.py"}'],
            "call read, config and session": lambda: [
                CODETOOLS, "call", "read", '{"file_path":"f1.py"}', "--session", "s"
            ],
            "call edit": edit,
            "call grep": lambda: [CODETOOLS, "call", "grep", '{"pattern":"value = 7"}'],
            "call bash true": lambda: [CODETOOLS, "call", "bash", '{"command":"true"}'],
            "read FILE": lambda: [CODETOOLS, "read", "f1.py"],
#            "bash true": lambda: [CODETOOLS, "bash", "true"],
        }  # fmt: skip
        times: dict[str, list[float]] = {name: [] for name in commands}
        for start in range(STARTS + 1):
            for name, command in commands.items():
                if name == "call read, config and session":
                    config.write_text(rules)
                else:
                    config.unlink(missing_ok=True)
                words = command()
                began = time.perf_counter()
                done = subprocess.run(words, cwd=workspace, env=environment, capture_output=True, check=False)
                elapsed = time.perf_counter() - began
                assert done.returncode == 0, (words, done)
                if start:
                    times[name].append(elapsed)
        floor = statistics.median(times["python -c pass"])
        for name, values in times.items():
            middle = statistics.median(values)
            limit = RESULT_LIMITS.get(name)
            verdict = "" if limit is None else f"  (at most {limit})" + ("" if middle / floor <= limit else "  OVER")
            print(f"{name:32} {middle * 1000:7.1f} ms {middle / floor:6.2f}{verdict}")


if __name__ == "__main__":
    main()
