"""The envelope is one line of ASCII JSON in a fixed order, whatever the outcome holds."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from codetools.core.errors import EXIT_CODES
from codetools.core.outcome import Change, Image, Notice, Outcome
from codetools.core.path import Path
from codetools.core.schema import output_schema
from codetools.render.envelope import envelope, envelope_line
from codetools.render.envelope_schema import envelope_schema
from tests.render.outcomes import Lines, edited, failed, outcome

KEYS = [
    "v",
    "ok",
    "tool",
    "text",
    "data",
    "changes",
    "changed",
    "dry_run",
    "undo",
    "notices",
    "images",
    "duration_ms",
    "cwd",
]
APPROVAL = {"id": "k3", "expires": 1.5, "operation": "edit app.py", "preview": "+x", "suggested_rule": "edit(app.py)"}


def checked(sample: Outcome) -> dict[str, Any]:
    line = envelope_line(sample)
    assert line.isascii()
    assert line.endswith("\n")
    assert line.count("\n") == 1
    document = json.loads(line)
    Draft202012Validator(envelope_schema()).validate(document)
    json.dumps(document, ensure_ascii=False).encode()  # no lone surrogate anywhere
    return document


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(envelope_schema(output_schema(Lines)))


def test_success_has_every_key_in_order():
    document = checked(outcome(Lines(Path("a.py"), "x = 1\n")))
    assert list(document) == KEYS
    assert document == {
        "v": 1,
        "ok": True,
        "tool": "read",
        "text": "x = 1\n",
        "data": {"path": "a.py", "content": "x = 1\n"},
        "changes": [],
        "changed": False,
        "dry_run": False,
        "undo": None,
        "notices": [],
        "images": [],
        "duration_ms": 12,
        "cwd": "/p",
    }


def test_changes_notices_and_images_are_carried_whole():
    image = Image(Path("a.png"), "image/png", 2, 3, "AAAA")
    moved = Change(Path("b"), "move", source=Path("a"))
    sample = edited()
    document = checked(sample.but(changes=(*sample.changes, moved), notices=(Notice("cut", "Cut."),), images=(image,)))
    assert list(document["changes"][0]) == ["path", "kind", "diff", "additions", "removals", "sha256"]
    assert document["changes"][1] == {
        "path": "b", "kind": "move", "diff": "", "additions": 0, "removals": 0, "source": "a"
    }  # fmt: skip
    assert document["notices"] == [{"kind": "cut", "message": "Cut."}]
    assert document["images"] == [
        {"path": "a.png", "media_type": "image/png", "width": 2, "height": 3, "base64": "AAAA"}
    ]
    assert (document["changed"], document["undo"]) == (True, "17")


@pytest.mark.parametrize("kind", EXIT_CODES)
def test_a_failure_names_its_kind_message_hint_and_details(kind: str):
    document = checked(failed(kind, "app.py: text occurs twice.", "Add a line.", details={"lines": [3, 9]}))
    assert list(document) == [*KEYS[:5], "error", *KEYS[5:]]
    assert document["ok"] is False
    assert document["data"] is None
    assert document["error"] == {
        "kind": kind,
        "message": "app.py: text occurs twice.",
        "hint": "Add a line.",
        "details": {"lines": [3, 9]},
    }
    assert document["text"] == "app.py: text occurs twice. Add a line."


def test_what_a_failure_captured_stands_in_data():
    document = checked(failed("timeout", "Timed out.", data=Lines(Path("a"), "half")))
    assert document["data"] == {"path": "a", "content": "half"}


def test_an_approval_passes_through_and_its_id_is_not_in_text():
    document = checked(failed("approval_required", "edit app.py needs approval.", details={"approval": APPROVAL}))
    assert document["error"]["details"]["approval"] == APPROVAL
    assert "k3" not in document["text"]


def test_paths_that_are_not_utf8_also_carry_their_bytes():
    name = Path(b"caf\xe9.py".decode("utf-8", "surrogateescape"))
    sample = outcome(Lines(name, "x\udce9\n"), cwd=Path("/\udce9"), changes=(Change(name, "delete"),))
    document = checked(sample)
    assert document["data"] == {"path": "caf\ufffd.py", "path_b64": "Y2Fm6S5weQ==", "content": "x\ufffd\n"}
    assert document["changes"][0]["path_b64"] == "Y2Fm6S5weQ=="
    assert (document["cwd"], document["cwd_b64"]) == ("/\ufffd", "L+k=")
    assert list(document)[-2:] == ["cwd", "cwd_b64"]


def test_numbers_that_json_lacks_become_null():
    document = checked(failed("internal", "x", details={"a": [float("nan"), float("inf"), 1.5, True]}))
    assert document["error"]["details"] == {"a": [None, None, 1.5, True]}


def test_what_is_not_json_is_refused_before_anything_is_printed():
    with pytest.raises(TypeError, match="bytes"):
        envelope(failed("internal", "x", details={"a": b"1"}))


ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_text_gives_one_valid_line(text: str, key: str, value: str):
    sample = failed("io", text, details={key: [value]}).but(text=text, notices=(Notice("n", value),))
    document = checked(sample)
    assert len(document["text"]) <= len(text)


def test_the_envelope_imports_only_json_and_the_core():
    script = (
        "import sys, json, typing; before = set(sys.modules); import codetools.render.envelope;"
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    strangers = [name for name in ran.stdout.split() if not name.startswith("codetools")]
    assert strangers == []
    assert not [name for name in ran.stdout.split() if "render" in name and not name.endswith(("render", "envelope"))]
