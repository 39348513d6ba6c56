"""A provider's response in, the messages to append out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def answer(response: Any, *options: str, format: str = "anthropic") -> tuple[Any, int, str]:
    """Return what was printed, the exit code, and what stands on standard error."""
    content = response if isinstance(response, bytes) else json.dumps(response).encode()
    command = [sys.executable, "-m", "codetools", "answer", "--format", format, *options]
    done = subprocess.run(command, input=content, capture_output=True, timeout=60, check=False)
    return (json.loads(done.stdout) if done.stdout else None), done.returncode, done.stderr.decode()


def asking(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    blocks = [
        {"type": "tool_use", "id": str(number), "name": name, "input": values}
        for number, (name, values) in enumerate(calls)
    ]
    return {"role": "assistant", "content": blocks}


def results(messages: Any) -> list[tuple[str, bool]]:
    return [(result["content"][0]["text"], result["is_error"]) for result in messages[0]["content"]]


def test_every_call_is_answered_in_its_order(workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    edit = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}
    look = ("read", {"file_path": "a.txt"})
    messages, code, said = answer(asking(look, ("edit", edit), look), "--yolo")
    texts = results(messages)
    assert (code, said) == (0, "")
    assert [texts[0], texts[2]] == [("1\tone", False), ("1\ttwo", False)]


def test_what_is_wrong_with_a_call_is_told_to_the_model(workspace: Path):
    messages, code, _ = answer(asking(("raed", {}), ("read", {"file": 3}), ("read", {"file_path": "none"})))
    (unknown, wrong, missing) = results(messages)
    assert code == 0
    assert unknown == ("there is no tool 'raed'. Did you mean 'read'?", True)
    assert wrong[1]
    assert missing[1]


def test_calls_that_need_approval_give_75_and_name_the_approvals(workspace: Path):
    messages, code, said = answer(asking(("write", {"file_path": "a", "content": "x"}), ("ls", {})))
    assert (code, [is_error for _, is_error in results(messages)]) == (75, [True, False])
    assert said.startswith("codetools answer: approval ")
    approval = said.split()[3]
    assert said.endswith(f" waits: create a (+1 -0); a person's yes: codetools permissions approve {approval}\n")
    assert said.split()[3] not in json.dumps(messages)


def test_a_response_without_calls_gives_an_empty_list_and_1(workspace: Path):
    assert answer({"content": [{"type": "text", "text": "done"}]}) == ([], 1, "")


def test_a_response_that_is_an_error_is_unavailable(workspace: Path):
    messages, code, said = answer({"type": "error", "error": {"message": "Overloaded"}})
    assert (messages, code, said) == (
        None, 69, "codetools answer: the provider answered with an error: Overloaded.\n",
    )  # fmt: skip


@pytest.mark.parametrize("content", [b"", b"junk", b"[]", b'{"choices": []}', b"\xff"])
def test_what_is_no_response_is_a_usage_error_of_one_line(workspace: Path, content: bytes):
    messages, code, said = answer(content)
    assert (messages, code, said.count("\n")) == (None, 2, 1)


def test_the_format_must_be_given(workspace: Path):
    command = [sys.executable, "-m", "codetools", "answer"]
    done = subprocess.run(command, input=b"{}", capture_output=True, timeout=60, check=False)
    assert (done.returncode, b"--format anthropic|openai" in done.stderr) == (2, True)


def test_images_go_to_the_provider(workspace: Path):
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100"
        "c9fe92ef0000000049454e44ae426082"
    )
    (workspace / "a.png").write_bytes(pixel)
    messages, code, _ = answer(asking(("read", {"file_path": "a.png"})))
    assert (code, messages[0]["content"][0]["content"][1]["type"]) == (0, "image")
