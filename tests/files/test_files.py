import os
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.prepare import prepare
from tests.files.room import OpenGate, files_of, tree_of


def kind_of(call) -> str:
    with pytest.raises(Failure) as caught:
        call()
    return caught.value.kind


def test_the_gate_is_asked_with_the_path_as_written_and_as_reached_i3(workspace: Path):
    (workspace / "real").write_text("x")
    (workspace / "link").symlink_to("real")
    gate = OpenGate()
    files_of(workspace, gate=gate).read("./link")
    asked = gate.asked[0]
    assert (asked.action, asked.written, asked.reached) == ("read", str(workspace / "link"), str(workspace / "real"))
    assert (asked.inside, asked.root, asked.writable) == (True, str(workspace), True)


def test_what_the_gate_denies_is_not_opened_by_any_name(workspace: Path):
    (workspace / "secret").write_text("x")
    (workspace / "link").symlink_to("secret")
    files = files_of(workspace, gate=OpenGate("secret"))
    for call in (files.read, files.open, files.enter, files.list, files.look, files.delete):
        name = "secret" if call in (files.look, files.delete) else "link"
        assert kind_of(lambda call=call, name=name: call(name)) == "denied"
    assert kind_of(lambda: files.create("secret-new", b"")) == "denied"
    assert not files.may_show(str(workspace / "link"))


def test_nothing_is_said_of_a_place_outside_before_the_gate_lets_it_pass(workspace: Path, tmp_path: Path):
    (tmp_path / "file").touch()
    files = files_of(workspace, gate=OpenGate(str(tmp_path)))
    for path in ("file", "file/below", "absent", "absent/below"):
        assert kind_of(lambda path=path: files.read(f"../{path}")) == "denied"


def test_later_reads_see_what_is_staged(workspace: Path):
    (workspace / "a").write_text("old")
    files = files_of(workspace)
    files.modify(files.read("a"), b"new")
    files.create("sub/b", b"made")
    assert (files.read("a").content, files.read("sub/b").content) == (b"new", b"made")
    with files.open("sub/b") as file:
        assert b"".join(file.chunks()) == b"made"
    files.modify(files.read("a"), b"newer")
    files.modify(files.read("sub/b"), b"made again")
    files.move("a", "c")
    assert files.read("c").content == b"newer"
    assert kind_of(lambda: files.read("a")) == "not_found"
    assert tree_of(workspace) == {"a": b"old"}


def test_two_changes_of_a_path_are_one(workspace: Path):
    for name in "abc":
        (workspace / name).write_text("old")
    files = files_of(workspace)
    files.modify(files.read("a"), b"one")
    files.modify(files.read("a"), b"two")
    files.create("new", b"")
    files.delete("b")
    files.create("b", b"again")
    files.modify(files.read("c"), b"changed")
    files.delete("c")
    changes = {change.path: (change.kind, change.additions, change.removals) for change in prepare(files).changes}
    assert changes == {"a": ("modify", 1, 1), "new": ("create", 0, 0), "b": ("modify", 1, 1), "c": ("delete", 0, 1)}


def test_a_directory_is_listed_with_kinds_and_link_targets(workspace: Path):
    (workspace / "d/sub").mkdir(parents=True)
    (workspace / "d/file").write_text("12345")
    (workspace / "d/link").symlink_to("file")
    os.mkfifo(workspace / "d/fifo")
    listed = [(entry.name, entry.kind, entry.target) for entry in files_of(workspace).list("d")]
    assert listed == [
        ("fifo", "FIFO", None),
        ("file", "file", None),
        ("link", "link", "file"),
        ("sub", "directory", None),
    ]
    assert files_of(workspace).look("d/file").size == 5


def test_a_directory_is_entered_as_the_object_that_was_asked_about_i3(workspace: Path, tmp_path: Path):
    (workspace / "d").mkdir()
    (workspace / "d/inside").touch()
    descriptor = files_of(workspace).enter("d", "list")
    try:
        (workspace / "d").rename(workspace / "moved")
        (workspace / "d").symlink_to("/")
        assert os.listdir(descriptor) == ["inside"]
    finally:
        os.close(descriptor)


def test_a_file_larger_than_one_call_takes_is_io_i6(workspace: Path):
    (workspace / "a").write_bytes(b"x" * 100)
    files = files_of(workspace, Limits(edit_bytes=10))
    assert kind_of(lambda: files.read("a")) == "io"
    assert kind_of(lambda: files.create("b", b"x" * 11)) == "io"


def test_names_that_are_taken_or_missing_are_said(workspace: Path):
    (workspace / "a").touch()
    (workspace / "d").mkdir()
    files = files_of(workspace)
    assert kind_of(lambda: files.create("a", b"")) == "exists"
    assert kind_of(lambda: files.create("d", b"")) == "is_a_directory"
    assert kind_of(lambda: files.mkdir("d")) == "exists"
    assert kind_of(lambda: files.move("a", "d")) == "exists"
    assert kind_of(lambda: files.move("absent", "b")) == "not_found"
    assert kind_of(lambda: files.delete("absent")) == "not_found"
    assert kind_of(lambda: files.modify(files.read("a"), b"")) == "no_change"


def test_a_change_of_bytes_that_are_no_text_is_told_by_size(workspace: Path):
    (workspace / "a").write_bytes(b"\0" * 10)
    files = files_of(workspace)
    files.modify(files.read("a"), b"\0" * 2000)
    assert prepare(files).changes[0].diff == "Binary file a changes: 10 bytes to 2,000 bytes.\n"


def test_an_approval_is_bound_to_the_hashes_before_and_after(workspace: Path):
    (workspace / "a").write_text("old")
    files = files_of(workspace)
    before = files.read("a").sha256
    files.modify(files.read("a"), b"new")
    prepared = prepare(files)
    assert prepared.images == {str(workspace / "a"): [before, prepared.changes[0].sha256, "modify"]}
