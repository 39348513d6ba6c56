"""Real shells with our completion loaded, asked what they offer."""

import os
import pty
import select
import subprocess
import time
from pathlib import Path

PATIENCE_SECONDS = 30.0
BASH_DRIVER = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_codetools
((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
true
"""
ZSH_SETUP = """
PS1= RPS1= PROMPT_EOL_MARK=
unsetopt zle_bracketed_paste 2>/dev/null
fpath=({directory} $fpath)
autoload -Uz compinit && compinit -u -d {dump}
compadd() {{
    if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)\\ * ]]; then
        builtin compadd "$@"
        return $?
    fi
    local -a __hits
    builtin compadd -A __hits "$@"
    (($#__hits)) && print -rl -- $__hits >>{capture}
    builtin compadd "$@"
}}
_capture() {{ _main_complete; print -r -- END >>{capture} }}
zle -C capture complete-word _capture
bindkey '^X' capture
print -r -- READY >>{capture}
"""


def bash_offers(script: Path, words: list[str], cwd: Path) -> set[str]:
    """Return what bash offers for the last of the words."""
    driver = ["bash", "--norc", "--noprofile", "-c", BASH_DRIVER, "driver", str(script), *words]
    done = subprocess.run(driver, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    assert done.stderr == ""
    return set(done.stdout.splitlines())


def fish_offers(script: Path, line: str, cwd: Path) -> set[str]:
    """Return what fish offers at the end of a line."""
    program = "source $argv[1]; complete -C $argv[2]"
    driver = ["fish", "--no-config", "-c", program, str(script), line]
    done = subprocess.run(driver, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    assert done.stderr == ""
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


class Zsh:
    """An interactive zsh on a terminal of its own."""

    def __init__(self, script: Path, cwd: Path, scratch: Path) -> None:
        self.capture = scratch / "capture"
        self.capture.write_text("")
        self._process, self._terminal = _on_terminal(["zsh", "-f", "-i"], cwd)
        setup = scratch / "setup.zsh"
        setup.write_text(ZSH_SETUP.format(directory=script.parent, dump=scratch / "dump", capture=self.capture))
        self._type(f"source {setup}\r")
        self._wait("READY")

    def offers(self, line: str) -> set[str]:
        """Return what zsh offers at the end of a line."""
        self.capture.write_text("")
        self._type(f"\x15{line}\x18")
        self._wait("END")
        self._type("\x15")
        return set(self.capture.read_text().splitlines()) - {"END"}

    def close(self) -> None:
        """End the shell."""
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def _type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def _wait(self, marker: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        seen = b""
        while marker not in self.capture.read_text().splitlines():
            assert time.monotonic() < deadline, f"zsh did not answer: {seen[-2000:]!r}"
            if select.select([self._terminal], [], [], 0.05)[0]:
                seen += os.read(self._terminal, 65536)


def _on_terminal(command: list[str], cwd: Path) -> tuple[subprocess.Popen[bytes], int]:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(
        command, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    return process, ours
