import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.system.locks import BUCKETS, Locks, key_of

DYING = """
import os, signal, sys
from codetools.system.locks import Locks
with Locks(sys.argv[1], [3], 1, "edit") as locks:
    locks.leave([(3, "/w/.codetools-aa.tmp"), (3, "/w/\\udcff.tmp")])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_taken_lock_is_waited_for_and_then_names_its_holder_i6(tmp_path: Path):
    with Locks(str(tmp_path), [1, 2], 1, "edit"):
        started = time.monotonic()
        with pytest.raises(Failure) as caught, Locks(str(tmp_path), [2, 3], 0.1, "write"):
            pass
    assert 0.1 <= time.monotonic() - started < 1
    assert (caught.value.kind, f"process {os.getpid()} (edit)" in caught.value.message) == ("io", True)


def test_a_lock_is_free_again_after_its_holder(tmp_path: Path):
    done = threading.Event()

    def hold() -> None:
        with Locks(str(tmp_path), [7], 1, "edit"):
            done.set()

    with Locks(str(tmp_path), [7], 1, "edit"):
        thread = threading.Thread(target=hold)
        thread.start()
        assert not done.is_set()
    thread.join(5)
    assert done.is_set()


def test_what_a_holder_left_is_handed_to_the_next(tmp_path: Path):
    subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], check=False)
    with Locks(str(tmp_path), [3], 1, "edit") as locks:
        assert locks.left_behind == ["/w/.codetools-aa.tmp", "/w/\udcff.tmp"]
    with Locks(str(tmp_path), [3], 1, "edit") as locks:
        assert locks.left_behind == []


def test_overlapping_sets_are_taken_in_one_order(tmp_path: Path):
    def both(keys: list[int]) -> None:
        for _ in range(50):
            with Locks(str(tmp_path), keys, 5, "edit"):
                pass

    threads = [threading.Thread(target=both, args=(keys,)) for keys in ([1, 2, 3], [3, 2, 1], [2, 3, 1, 1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)


def test_the_same_name_has_the_same_lock_and_files_are_few(tmp_path: Path):
    status = os.stat(tmp_path)
    keys = {key_of(status, f"file{number}") for number in range(2000)}
    assert key_of(status, "a\udcff") == key_of(os.stat(tmp_path), "a\udcff")
    assert keys <= set(range(BUCKETS))
