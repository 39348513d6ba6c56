"""The official MCP programs against our server: the conformance suites, the inspector, the SDK of the first line.

Prints a table, and what is wrong; exits 1 where something is. By hand: python tests/conformance/run.py
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.conformance.earlier import converse_as_before  # noqa: E402
from tests.conformance.inspector import inspect  # noqa: E402
from tests.conformance.node import NEXT, RELEASED, Installed, install  # noqa: E402

RUNS = {
    "0.1.16": (RELEASED, ["--suite", "all"]),
    "0.2.0-alpha.12, 2025-11-25": (NEXT, ["--requirements", "2025-11-25"]),
    "0.2.0-alpha.12, 2026-07-28": (NEXT, ["--requirements", "2026-07-28"]),
}
PASSED, FAILED = "passes", "fails"
RUN_SECONDS = 300
# What has to have been run by one run at least: a suite that ran less, or nothing, proves nothing.
LEAST_PASSING = {"0.1.16": 11, "0.2.0-alpha.12, 2025-11-25": 12, "0.2.0-alpha.12, 2026-07-28": 17}

Checks = dict[str, dict[str, str]]  # scenario: check: verdict


def main() -> int:
    """Run everything; return the exit code."""
    installed = install()
    reasons: dict[str, str] = yaml.safe_load((HERE / "baseline.yml").read_text())["server"]
    faults: list[str] = []
    excused: set[str] = set()
    with tempfile.TemporaryDirectory() as directory, _serving(Path(directory)) as url:
        for number, (title, (program, options)) in enumerate(RUNS.items()):
            checks = _checks(installed, program, [*options, "--url", url], Path(directory, f"out{number}"))
            faults += _judged(title, checks, reasons, excused)
        faults += inspect(installed, Path(directory))
        faults += converse_as_before(Path(directory))
    faults += [f"baseline.yml: {name} failed in no run; remove it" for name in reasons if name not in excused]
    for fault in faults:
        print(f"WRONG: {fault}")
    print("conformance:", f"{len(faults)} wrong" if faults else "as expected")
    return 1 if faults else 0


def _judged(title: str, checks: Checks, reasons: dict[str, str], excused: set[str]) -> list[str]:
    """Print the table of one run; return what is not as expected."""
    faults: list[str] = []
    print(f"\n== {title}")
    passing = 0
    for scenario, verdicts in sorted(checks.items()):
        failing = [check for check, verdict in verdicts.items() if verdict == FAILED]
        known = [name for check in failing for name in (scenario, f"{scenario}:{check}") if name in reasons]
        excused.update(known)
        unknown = [check for check in failing if not {scenario, f"{scenario}:{check}"} & set(reasons)]
        faults += [f"{title}: {scenario}: {check} fails" for check in unknown]
        if scenario in reasons and not failing:
            faults.append(f"{title}: {scenario} passes; remove it from baseline.yml")
        faults += [
            f"{title}: {scenario}:{check} passes; remove it from baseline.yml"
            for check, verdict in verdicts.items()
            if verdict == PASSED and f"{scenario}:{check}" in reasons
        ]
        passing += not failing and PASSED in verdicts.values()
        count = f"{sum(verdict == PASSED for verdict in verdicts.values())}/{len(verdicts)}"
        said = "WRONG" if unknown else reasons[known[0]] if failing else "passes" if verdicts else "nothing to check"
        print(f"{scenario:50} {count:>6}  {said}")
    print(f"{passing} of {len(checks)} scenarios pass")
    if passing < LEAST_PASSING[title]:
        faults.append(f"{title}: only {passing} scenarios passed")
    return faults


def _checks(installed: Installed, program: str, options: list[str], out: Path) -> Checks:
    """Run one suite; return the verdict of every check, of equal ones the worst."""
    command = [*installed.command(program), "server", *options, "-o", str(out)]
    log = out.with_suffix(".log")
    with log.open("w") as file:
        subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, timeout=RUN_SECONDS, check=False)
    found: Checks = {}
    for path in out.glob("*/checks.json"):
        scenario = path.parent.name.removeprefix("server-")[: -len("-2026-01-01T00-00-00-000Z")]
        verdicts = found.setdefault(scenario, {})
        for check in json.loads(path.read_text()):
            verdict = {"SUCCESS": PASSED, "FAILURE": FAILED}.get(check["status"])
            if verdict and verdicts.get(check["id"]) != FAILED:
                verdicts[check["id"]] = verdict
    if not found:
        print(log.read_text()[-2000:])
    return found


@contextmanager
def _serving(directory: Path) -> Iterator[str]:
    """Give the URL of our server, in a workspace and a state of its own."""
    workspace, home = directory / "ws", directory / "home"
    (workspace / ".git").mkdir(parents=True)
    home.mkdir()
    environment: dict[str, Any] = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(HERE.parent.parent)}
    command = [sys.executable, str(HERE / "server.py"), str(workspace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            if not url:
                raise SystemExit("conformance: our server did not start.")
            yield url
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
