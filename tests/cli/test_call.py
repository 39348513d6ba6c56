"""`codetools call` as a harness meets it: a real process, one line of JSON, an exit code."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CODETOOLS = str(Path(sys.executable).with_name("codetools"))
# everything that a call of `read` without settings and session may import besides codetools itself
ALLOWED_MODULES = """
__future__ _abc _bisect _bootlocale _codecs _collections _collections_abc _frozen_importlib _frozen_importlib_external
_functools _imp _io _json _operator _sha2 _sha256 _signal _sitebuiltins _sre _stat _struct _thread _typing _warnings
_weakref _weakrefset abc builtins codecs collections collections.abc contextlib copyreg encodings encodings.aliases
encodings.utf_8 encodings.utf_8_sig enum errno fcntl functools gc genericpath importlib importlib._abc
importlib._bootstrap importlib._bootstrap_external
importlib.machinery importlib.util io itertools json json.decoder json.encoder
json.scanner keyword marshal operator os os.path posix posixpath re re._casefix re._compiler re._constants re._parser
reprlib select signal site stat sys time types typing typing.io typing.re warnings winreg zipimport zlib _datetime
importlib.abc __main__ _distutils_hack sitecustomize usercustomize annotationlib ast _ast _opcode _string string
encodings.ascii linecache _contextvars contextvars _suggestions _locale encodings.latin_1
""".split()


def run(*arguments: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    how.setdefault("stdin", subprocess.DEVNULL)
    if "input" in how:
        del how["stdin"]
    return subprocess.run([CODETOOLS, "call", *arguments], capture_output=True, timeout=60, check=False, **how)


def answer(*arguments: str, **how: Any) -> dict[str, Any]:
    done = run(*arguments, **how)
    assert done.stdout.isascii()
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""
    return {**json.loads(done.stdout), "exit": done.returncode}


@pytest.fixture
def file(workspace: Path) -> Path:
    path = workspace / "é.txt"
    path.write_text("one\nüber\n")
    return path


def test_arguments_come_as_an_argument_or_on_standard_input(file: Path):
    arguments = json.dumps({"file_path": file.name})
    assert answer("read", arguments)["text"] == "1\tone\n2\tüber"
    assert answer("read", input=arguments.encode())["text"] == "1\tone\n2\tüber"


def test_options_follow_the_command_and_values_are_not_taken_for_options(file: Path):
    outcome = answer("write", '{"file_path": "new.txt", "content": "--yolo"}', "--dry-run", "--session=--yolo")
    assert (outcome["exit"], outcome["dry_run"], outcome["changed"]) == (0, True, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a tool and one JSON object"),
        (["read", "{}", "more"], "a tool and one JSON object"),
        (["read", "{"], "not a JSON object"),
        (["read", '{"file_path": "a", "file_path": "b"}'], "stands twice"),
        (["read", '{"file_path": NaN}'], "NaN"),
        (["read", "[" * 100_000], "nested too deep"),
        (["read", '{"file_path": "a\\u0000b"}'], "NUL"),
        (["read", "{}", "--nonsense"], "unknown option --nonsense"),
        (["read", "{}", "--session"], "needs a value"),
        (["read", "{}", "--yolo=1"], "takes no value"),
        (["read", "{}", "--max-chars", "5"], "the least is 200"),
        (["nonsense", "{}"], "there is no tool"),
        (["read"], "standard input is empty"),
    ],
)
def test_what_cannot_be_understood_is_a_usage_error(workspace: Path, arguments: list[str], message: str):
    outcome = answer(*arguments)
    assert (outcome["exit"], outcome["error"]["kind"]) == (2, "usage")
    assert message in outcome["error"]["message"]


def test_bad_input_is_answered_with_an_example_of_this_tool(workspace: Path):
    assert "codetools call read '{" in answer("read", "{")["error"]["hint"]


def test_a_terminal_on_standard_input_is_not_waited_for(workspace: Path):
    leader, follower = os.openpty()
    try:
        outcome = answer("read", stdin=follower)
    finally:
        os.close(leader)
        os.close(follower)
    assert (outcome["exit"], "terminal" in outcome["error"]["message"]) == (2, True)


def test_i6_a_silent_standard_input_is_given_up(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    from codetools.cli import call
    from codetools.core.limits import Limits

    monkeypatch.setattr(call, "Limits", lambda: Limits(stdin_seconds=0.1))
    reader, writer = os.pipe()
    saved = os.dup(0)
    try:
        os.dup2(reader, 0)
        outcome = call.run(["read"])
    finally:
        os.dup2(saved, 0)
        for descriptor in (reader, writer, saved):
            os.close(descriptor)
    assert outcome.failure is not None
    assert "stayed silent" in outcome.failure.message


@pytest.mark.parametrize("where", ["full", "closed"])
def test_i4_an_answer_that_cannot_be_written_is_not_exit_0(file: Path, where: str):
    redirect = "> /dev/full" if where == "full" else ">&-"
    command = f"""exec "$0" call read '{{"file_path": "é.txt"}}' {redirect}"""
    done = subprocess.run(["bash", "-c", command, CODETOOLS], capture_output=True, check=False)
    assert done.returncode == 74
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_error(workspace: Path):
    (workspace / "big.txt").write_text("line\n" * 2000)
    command = """"$0" call read '{"file_path": "big.txt"}' | head -c 5; echo ${PIPESTATUS[0]}"""
    done = subprocess.run(["bash", "-c", command, CODETOOLS], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b'{"v":0\n', b"")


def test_a_deleted_working_directory_is_said(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"""cd {gone} && rmdir {gone} && exec "$0" call read '{{"file_path": "a"}}'"""
    done = subprocess.run(["bash", "-c", command, CODETOOLS], capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["error"]["kind"]) == (66, "not_found")
    assert b"Traceback" not in done.stderr


def test_i1_planted_modules_are_not_imported(file: Path):
    for name in ("yaml", "json", "sitecustomize", "usercustomize", "codetools", "typing", "rich"):
        (file.parent / f"{name}.py").write_text("open('owned', 'w')\n")
    for command in ([CODETOOLS], [sys.executable, "-P", "-m", "codetools"]):
        arguments = json.dumps({"file_path": file.name})
        done = subprocess.run([*command, "call", "read", arguments], capture_output=True, check=False)
        assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)
        subprocess.run([*command, "read", file.name], capture_output=True, check=True)
    assert not (file.parent / "owned").exists()


def test_a_call_of_read_imports_next_to_nothing(file: Path):
    script = (
        "import sys; sys.argv = ['codetools', 'call', 'read', '{\"file_path\": \"é.txt\"}']\n"
        "import os; os._exit = sys.exit\n"
        "from codetools.__main__ import main\n"
        "try: main()\n"
        "finally: sys.stderr.write(' '.join(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, check=False, env=with_package())
    assert done.returncode == 0
    others = {name for name in done.stderr.decode().split() if name.partition(".")[0] != "codetools"}
    assert others - set(ALLOWED_MODULES) == set()
    rooms = {name.split(".")[1] for name in done.stderr.decode().split() if name.startswith("codetools.")}
    assert rooms & {"search", "shell", "web", "mcp", "serve"} == set()


def with_package() -> dict[str, str]:
    import codetools

    return {**os.environ, "PYTHONPATH": str(Path(codetools.__file__).parent.parent)}


def test_the_lock_makes_the_loosening_flags_fail(file: Path):
    for flags in (["--yolo"], ["--approve", "x"], ["--allow", "edit"], ["--config", "x.yaml"]):
        outcome = answer("read", '{"file_path": "é.txt"}', *flags, env={**os.environ, "CODETOOLS_LOCK": "1"})
        assert (outcome["exit"], outcome["error"]["kind"]) == (77, "denied")


def test_a_call_ended_by_ctrl_c_says_so(workspace: Path):
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [CODETOOLS, "call", "read"], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.write(writer, b" ")
    wait_until_reading(process.pid)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    os.close(writer)
    os.close(reader)
    assert (process.returncode, json.loads(stdout)["error"]["kind"]) == (130, "interrupted")
    assert b"Traceback" not in stderr


def wait_until_reading(pid: int) -> None:
    """Wait until a process stands in select or poll on its standard input."""
    while True:
        with open(f"/proc/{pid}/wchan") as file:
            if any(word in file.read() for word in ("poll", "select")):
                return
