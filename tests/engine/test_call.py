"""The pipeline through the real engine: load, run, ask, commit, record."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codetools.state.home import state_home
from tests.calls import call

EDIT = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}


@pytest.fixture
def file(workspace: Path) -> Path:
    path = workspace / "a.txt"
    path.write_text("one\n")
    return path


def audit() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(state_home(), "audit.jsonl").read_text().splitlines()]


def asked(**options: Any) -> dict[str, Any]:
    outcome = call("edit", EDIT, **options)
    assert outcome["exit"] == 75
    found: dict[str, Any] = outcome["error"]["details"]["approval"]
    return found


def test_a_read_is_allowed_and_recorded(file: Path):
    outcome = call("read", {"file_path": "a.txt"})
    assert (outcome["ok"], outcome["text"], outcome["changed"]) == (True, "1\tone", False)
    assert [(line["tool"], line["decision"]) for line in audit()] == [("read", "allow")]


def test_a_change_is_asked_about_with_its_diff_and_nothing_is_done(file: Path):
    approval = asked()
    assert "-one\n+two" in approval["preview"]
    assert approval["suggested_rule"] == "edit(a.txt)"
    assert file.read_text() == "one\n"
    assert approval["id"] not in call("edit", EDIT)["text"]


def test_i6_what_a_preview_leaves_out_is_said(workspace: Path):
    arguments = {"file_path": "new.txt", "content": "".join(f"line {number}\n" for number in range(20_000))}
    preview = call("write", arguments)["error"]["details"]["approval"]["preview"]
    assert len(preview) < 61_000
    assert "more lines" in preview.splitlines()[-1]


def test_i6_a_preview_of_many_files_says_that_it_is_cut(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("codetools.engine.approval.MAX_PREVIEW_CHARS", 60)
    arguments = {"file_path": "a/b/new.txt", "content": "one\n" * 100}
    preview = call("write", arguments)["error"]["details"]["approval"]["preview"].splitlines()
    assert preview[0] == "mkdir a"
    assert "more characters are not shown" in preview[-1]


def test_an_approved_call_runs_once(file: Path):
    approval = asked()
    outcome = call("edit", EDIT, approve=approval["id"])
    assert (outcome["exit"], outcome["changed"], file.read_text()) == (0, True, "two\n")
    file.write_text("one\n")
    replay = call("edit", EDIT, approve=approval["id"])
    assert (replay["exit"], replay["error"]["kind"], file.read_text()) == (77, "denied", "one\n")


def test_an_approval_does_not_fit_other_arguments(file: Path):
    approval = asked()
    outcome = call("edit", {**EDIT, "new_string": "three"}, approve=approval["id"])
    assert (outcome["exit"], file.read_text()) == (77, "one\n")


def test_an_approval_does_not_fit_a_changed_file(file: Path):
    approval = asked()
    file.write_text("one\nmore\n")
    outcome = call("edit", EDIT, approve=approval["id"])
    assert (outcome["exit"], file.read_text()) == (77, "one\nmore\n")


def test_an_approval_does_not_fit_another_workspace(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    approval = asked()
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "a.txt").write_text("one\n")
    monkeypatch.chdir(other)
    assert call("edit", EDIT, approve=approval["id"])["exit"] == 77


def test_an_unknown_approval_is_refused(file: Path):
    assert call("edit", EDIT, approve="0" * 20)["error"]["kind"] == "denied"


def test_an_approval_for_reading_outside_covers_that_file_only(workspace: Path, tmp_path: Path):
    outside = tmp_path / "outside.txt"
    outside.write_text("secret")
    arguments = {"file_path": str(outside)}
    first = call("read", arguments)
    assert (first["exit"], "secret" in json.dumps(first)) == (75, False)
    approval = first["error"]["details"]["approval"]["id"]
    assert call("read", arguments, approve=approval)["text"] == "1\tsecret"


def test_asking_says_nothing_of_whether_an_outside_file_exists(workspace: Path, tmp_path: Path):
    (tmp_path / "there").write_text("x")
    answers = [call("read", {"file_path": str(tmp_path / name)}) for name in ("there", "gone")]
    assert [answer["exit"] for answer in answers] == [75, 75]


def test_a_failed_edit_of_a_secret_file_shows_nothing_of_it(workspace: Path):
    (workspace / ".env").write_text("TOKEN=hunter2\nTOKEN=hunter2\n")
    for old in ("TOKEN", "TOKEN=hunter3"):
        outcome = call("edit", {"file_path": ".env", "old_string": old, "new_string": "x"})
        assert outcome["exit"] == 75
        assert "hunter2" not in json.dumps(outcome)


def test_a_dry_run_of_a_secret_file_shows_nothing_of_it(workspace: Path):
    (workspace / ".env").write_text("TOKEN=hunter2\n")
    outcome = call("edit", {"file_path": ".env", "old_string": "TOKEN", "new_string": "x"}, dry_run=True)
    assert (outcome["exit"], "hunter2" in outcome["text"]) == (75, False)


def test_a_dry_run_shows_the_change_and_makes_none(file: Path):
    outcome = call("edit", EDIT, dry_run=True)
    assert (outcome["exit"], outcome["dry_run"], outcome["changed"], outcome["undo"]) == (0, True, False, None)
    assert "+two" in outcome["changes"][0]["diff"]
    assert file.read_text() == "one\n"


def test_yolo_lifts_the_question_and_is_recorded(file: Path):
    assert call("edit", EDIT, yolo=True)["changed"] is True
    assert audit()[-1]["yolo"] == "command line"


def test_denials_are_recorded_with_their_rule(file: Path):
    outcome = call("read", {"file_path": "a.txt"}, deny=("read(a.txt)",))
    assert outcome["exit"] == 77
    assert outcome["error"]["details"]["rule"] == "read(a.txt)"
    assert [(line["decision"], line["rule"]) for line in audit()] == [("deny", "read(a.txt)")]


def test_read_only_denies_every_change(file: Path):
    assert call("edit", EDIT, yolo=True, read_only=True)["error"]["kind"] == "denied"
    assert file.read_text() == "one\n"


def test_a_person_may_say_yes_once(file: Path):
    questions = []

    def say_once(question: Any) -> Any:
        questions.append(question.operation)
        return "once"

    assert call("edit", EDIT, asker=say_once)["changed"] is True
    assert len(questions) == 1


def test_a_person_may_say_no(file: Path):
    assert call("edit", EDIT, asker=lambda question: "deny")["error"]["kind"] == "denied"
    assert file.read_text() == "one\n"


def test_yes_for_the_session_holds_for_the_session_only(file: Path):
    assert call("edit", EDIT, session="s", asker=lambda question: "session")["changed"] is True
    again = {**EDIT, "old_string": "two", "new_string": "three"}
    assert call("edit", again, session="s")["changed"] is True
    assert call("edit", {**EDIT, "old_string": "three"}, session="t")["exit"] == 75


def test_yes_for_always_writes_the_narrowest_rule(file: Path, home: Path):
    assert call("edit", EDIT, asker=lambda question: "always")["changed"] is True
    assert "edit(a.txt)" in (home / ".config/codetools/allowed.yaml").read_text()
    (file.parent / "b.txt").write_text("one\n")
    assert call("edit", {**EDIT, "file_path": "b.txt"})["exit"] == 75


def test_repairs_of_arguments_are_notices(file: Path):
    outcome = call("read", {"path": "a.txt", "limit": "1"})
    assert [notice["kind"] for notice in outcome["notices"]].count("repaired") == 2


def test_an_unknown_tool_names_the_nearest(workspace: Path):
    outcome = call("raed", {})
    assert (outcome["exit"], "'read'" in outcome["error"]["hint"]) == (2, True)


def test_the_text_is_cut_at_the_callers_cap(workspace: Path):
    (workspace / "long.txt").write_text("line of text\n" * 200)
    outcome = call("grep", {"pattern": "text"}, max_chars=300)
    assert len(outcome["text"]) <= 300
    assert "[cut here: " in outcome["text"]
    assert [notice["kind"] for notice in outcome["notices"]] == ["text_cut"]


def test_i5_without_a_store_nothing_is_changed(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODETOOLS_HOME", "/proc/nowhere")
    outcome = call("edit", EDIT, yolo=True)
    assert (outcome["ok"], outcome["changed"], file.read_text()) == (False, False, "one\n")
    assert call("read", {"file_path": "a.txt"})["ok"] is True


def test_a_state_directory_in_the_workspace_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch):
    from codetools.core.errors import Failure

    monkeypatch.setenv("CODETOOLS_HOME", os.path.join(os.getcwd(), "state"))
    with pytest.raises(Failure) as caught:
        call("read", {"file_path": "a.txt"})
    assert caught.value.kind == "config"


def test_i1_a_state_directory_in_the_workspace_by_a_link_is_refused(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from codetools.core.errors import Failure

    (tmp_path / "link").symlink_to(file.parent)
    monkeypatch.setenv("CODETOOLS_HOME", str(tmp_path / "link" / "state"))
    with pytest.raises(Failure) as caught:
        call("read", {"file_path": "a.txt"})
    assert caught.value.kind == "config"


def test_i1_a_tree_of_the_settings_that_holds_the_state_is_refused(file: Path, home: Path):
    from codetools.core.errors import Failure

    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"roots: [{home}]\n")
    with pytest.raises(Failure) as caught:
        call("read", {"file_path": "a.txt"})
    assert caught.value.kind == "config"


def test_i2_the_state_is_protected_by_whichever_name(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "state").mkdir()
    (tmp_path / "link").symlink_to("state")
    monkeypatch.setenv("CODETOOLS_HOME", str(tmp_path / "link"))
    for name in ("link", "state"):
        trust = str(tmp_path / name / "trust.json")
        assert call("write", {"file_path": trust, "content": "{}"}, yolo=True)["error"]["kind"] == "protected"
    assert not (tmp_path / "state" / "trust.json").exists()


EDITOR = """
import sys
from tests.calls import call
for step in range(10):
    mark = f"{sys.argv[1]}.{step}"
    outcome = call("edit", {"file_path": "shared.txt", "old_string": "end", "new_string": mark + "\\nend"}, yolo=True)
    assert outcome["changed"], outcome
"""


def test_i3_edits_of_one_file_by_many_processes_are_all_kept(workspace: Path):
    shared = workspace / "shared.txt"
    shared.write_text("end\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = [subprocess.Popen([sys.executable, "-c", EDITOR, str(number)], env=environment) for number in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    expected = sorted(f"{number}.{step}" for number in range(4) for step in range(10))
    assert sorted(shared.read_text().split()) == sorted([*expected, "end"])


def test_an_ask_says_why(workspace: Path, home: Path):
    assert "outside the workspace" in call("read", {"file_path": "/etc/hostname"})["text"]
    (workspace / ".env").write_text("x")
    assert "secrets" in call("read", {"file_path": ".env"})["text"]
    assert "too wide" in call("ls", {}, directory=home)["text"]


def test_a_usage_error_shows_the_failed_call_mended(file: Path):
    outcome = call("read", {"file_path": "a.txt", "limit": "many"})
    assert outcome["error"]["details"]["example"] == {"file_path": "a.txt"}


def test_names_are_taken_as_models_write_them(file: Path):
    assert call("Read", {"file_path": "a.txt"})["tool"] == "read"


def test_a_capped_read_goes_on_where_it_ended(workspace: Path):
    (workspace / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 401)))
    seen: list[str] = []
    offset = 0
    while True:
        outcome = call("read", {"file_path": "long.txt", "offset": offset}, max_chars=1000)
        assert len(outcome["text"]) <= 1000
        seen += [line.split("\t")[1] for line in outcome["text"].splitlines() if "\t" in line]
        if "truncated" not in outcome["data"]:
            break
        offset = outcome["data"]["truncated"]["next"]["arguments"]["offset"]
    assert seen == [f"line {number}" for number in range(1, 401)]


def test_a_cut_text_keeps_the_notices_at_its_end(workspace: Path):
    outcome = call("bash", {"command": "seq 1 1000; exit 3"}, max_chars=600, yolo=True)
    assert "[exit code 3]" in outcome["text"]
    assert len(outcome["text"]) <= 600


def test_the_audit_names_the_callers_ids(file: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("MESSAGE", "CALL", "MODEL"):
        monkeypatch.setenv(f"CODETOOLS_{name}", f"the-{name.lower()}")
    call("read", {"file_path": "a.txt"}, session="s")
    line = audit()[-1]
    assert [line[name] for name in ("session", "message", "call", "model")] == [
        "s",
        "the-message",
        "the-call",
        "the-model",
    ]


def test_a_dry_run_of_what_acts_at_once_is_refused_and_nothing_runs(workspace: Path):
    answer = call("bash", {"command": "touch made"}, dry_run=True, yolo=True)
    assert (answer["error"]["kind"], (workspace / "made").exists()) == ("usage", False)
    assert call("read", {"file_path": "none"}, dry_run=True)["error"]["kind"] == "not_found"
