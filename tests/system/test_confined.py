import contextlib
import errno
import os
import random
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.system.confined import is_procfs, pin
from tests.system.openat2 import open_beneath


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "file").write_text("inside")
    (root / "top").write_text("top")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("secret")
    (tmp_path / "ws-evil").mkdir()
    (tmp_path / "ws-evil" / "file").write_text("evil")
    (root / "in").symlink_to("a/b")
    (root / "in-file").symlink_to("a/b/file")
    (root / "a" / "up").symlink_to("../top")
    (root / "absolute").symlink_to(root / "a")
    (root / "out").symlink_to("../outside")
    (root / "out-file").symlink_to(tmp_path / "outside" / "secret")
    (root / "evil").symlink_to(tmp_path / "ws-evil")
    (root / "gone").symlink_to(tmp_path / "outside" / "nothing")
    (root / "dangling").symlink_to("a/new")
    (root / "loop").symlink_to("loop")
    (root / "etc").symlink_to("/etc")
    return root


def reach(path: str | Path, *roots: Path, **how: bool) -> tuple[str, tuple[str, ...]]:
    with pin(str(path), [str(root) for root in roots], **how) as pinned:
        return pinned.reached, pinned.missing


def failure(path: str | Path, *roots: Path, **how: bool) -> Failure:
    with pytest.raises(Failure) as caught:
        reach(path, *roots, **how)
    return caught.value


@pytest.mark.parametrize(
    ("written", "reached"),
    [
        ("top", "top"),
        ("a/./b//file", "a/b/file"),
        ("a/b/../../top", "top"),
        ("in/file", "a/b/file"),
        ("in-file", "a/b/file"),
        ("in/..", "a"),
        ("a/up", "top"),
        ("absolute/b/file", "a/b/file"),
        ("a/b/", "a/b"),
        (".", ""),
        ("in/../up", "top"),
    ],
)
def test_links_that_stay_inside_are_followed(tree: Path, written: str, reached: str):
    assert reach(f"{tree}/{written}", tree) == (str(tree / reached), ())


@pytest.mark.parametrize("written", ["out", "out/secret", "out-file", "evil/file", "gone", "etc/passwd", "out/nothing"])
def test_a_link_that_leads_out_is_refused_i3(tree: Path, written: str):
    assert failure(tree / written, tree).kind == "outside_workspace"


def test_the_refusal_is_the_same_whether_the_target_exists_or_not(tree: Path):
    there, absent = failure(tree / "out-file", tree), failure(tree / "gone", tree)
    assert there.line().replace("out-file", "NAME") == absent.line().replace("gone", "NAME")


def test_what_is_missing_is_named_from_the_first_missing_name(tree: Path):
    assert reach(tree / "a" / "x" / "y" / "z", tree) == (str(tree / "a/x/y/z"), ("x", "y", "z"))
    assert reach(tree / "dangling", tree) == (str(tree / "a/new"), ("new",))


def test_the_pinned_parent_is_the_directory_of_the_object_i3(tree: Path):
    with pin(str(tree / "in" / "file"), [str(tree)]) as pinned:
        (tree / "a" / "b").rename(tree / "a" / "moved")
        (tree / "a" / "b").symlink_to(tree.parent / "outside")
        descriptor = os.open(pinned.name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=pinned.parent)
        assert os.read(descriptor, 100) == b"inside"
        os.close(descriptor)


def test_a_name_below_a_file_and_a_file_with_a_slash_are_not_found(tree: Path):
    assert failure(tree / "top" / "x", tree).kind == "not_found"
    assert failure(f"{tree}/top/", tree).kind == "not_found"
    assert failure(f"{tree}/nothing/../top", tree).kind == "not_found"


def test_a_loop_of_links_ends(tree: Path):
    assert failure(tree / "loop", tree).kind == "io"


def test_a_path_that_climbs_out_and_back_is_inside(tree: Path):
    assert reach(f"{tree}/../ws/top", tree) == (str(tree / "top"), ())
    assert failure(f"{tree}/../ws/out/secret", tree).kind == "outside_workspace"


def test_a_path_that_names_the_outside_is_walked_from_the_top(tree: Path):
    assert reach(f"{tree}/../outside/secret", tree) == (str(tree.parent / "outside/secret"), ())
    assert reach(tree.parent / "ws-evil" / "file", tree) == (str(tree.parent / "ws-evil/file"), ())


def test_a_link_into_another_root_stays_in_the_workspace(tree: Path):
    assert reach(tree / "out" / "secret", tree, tree.parent / "outside") == (str(tree.parent / "outside/secret"), ())
    assert reach(tree / "out-file", tree, tree.parent / "outside") == (str(tree.parent / "outside/secret"), ())


def test_the_name_as_written_keeps_links_and_loses_dots(tree: Path):
    for written, named in [("in/file", "in/file"), ("in/./file", "in/file"), ("in/../up", "a/up"), ("a/../in", "in")]:
        with pin(f"{tree}/{written}", [str(tree)]) as pinned:
            assert pinned.named == str(tree / named)


def test_the_last_link_is_not_followed_when_asked(tree: Path):
    assert reach(tree / "out-file", tree, follow_last=False) == (str(tree / "out-file"), ())


def test_a_link_in_place_of_a_directory_is_stale_when_links_are_not_followed(tree: Path):
    assert failure(tree / "in" / "file", tree, follow=False).kind == "stale"


@pytest.mark.parametrize("path", ["/proc/self/root/etc/passwd", "/proc/self/cwd", "/proc/self/environ"])
def test_links_of_procfs_lead_nowhere(tree: Path, path: str):
    assert failure(path, tree).kind == "outside_workspace"


def test_a_link_to_procfs_is_refused(tree: Path):
    (tree / "magic").symlink_to("/proc/self/root")
    assert failure(tree / "magic" / "etc" / "passwd", tree).kind == "outside_workspace"


def test_procfs_is_told_from_other_file_systems(tree: Path):
    for name, expected in (("/proc/version", True), (str(tree), False), ("/dev/shm", False)):
        descriptor = os.open(name, os.O_RDONLY)
        assert is_procfs(os.stat(name)) is expected
        assert is_procfs(os.fstat(descriptor), descriptor) is expected
        os.close(descriptor)


def test_a_name_with_nul_is_usage(tree: Path):
    assert failure(f"{tree}/a\0b", tree).kind == "usage"


def test_no_descriptor_is_left_open(tree: Path):
    before = os.listdir("/proc/self/fd")
    for written in ("in/file", "out", "nothing/x", "loop", "top/x", "in/../up"):
        with contextlib.suppress(Failure):
            reach(tree / written, tree)
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_every_path_is_allowed_as_openat2_allows_it_i3(tree: Path):
    """Random paths over links in every position: ours agrees with the kernel's, but re-roots absolute links inside."""
    generator = random.Random(2)
    names = ["a", "b", "file", "top", "in", "in-file", "up", "out", "evil", "gone", "dangling", "loop", "..", ".", "x"]
    compared = 0
    for _ in range(3000):
        relative = "/".join(generator.choice(names) for _ in range(generator.randint(1, 6)))
        if os.path.normpath(relative).startswith(".."):
            continue
        try:
            expected: tuple[int, int] | None = open_beneath(str(tree), relative)
            reason = 0
        except OSError as error:
            expected, reason = None, error.errno or 0
        try:
            with pin(f"{tree}/{relative}", [str(tree)]) as pinned:
                found = pinned.status and (pinned.status.st_dev, pinned.status.st_ino)
                kind = "missing" if found is None else ""
        except Failure as raised:
            found, kind = None, raised.kind
        if expected is not None:
            assert found == expected, relative
        elif reason == errno.EXDEV and kind == "":
            assert ".." in relative.split("/"), relative  # climbs out by name and comes back, which is no link's doing
        else:
            assert found is None, (relative, os.strerror(reason), kind)
        compared += 1
    assert compared > 1000
