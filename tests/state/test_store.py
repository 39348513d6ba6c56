import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.state.schema import MIGRATIONS
from codetools.state.store import NAME, Store, open_store

RACER = """
import sys
from codetools.state.store import open_store
sys.stdin.read(1)
store = open_store(sys.argv[1], 10.0)
store.write(lambda c: c.execute("INSERT INTO upkeep VALUES (?, 1.0)", (sys.argv[2],)))
print(len(store.notices))
"""
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def start_racers(home: Path, count: int) -> list[subprocess.Popen[bytes]]:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(home), str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for number in range(count)
    ]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write(b"x")
        racer.stdin.flush()
    return racers


def names(store: Store) -> set[str]:
    return store.read(lambda connection: {row[0] for row in connection.execute("SELECT name FROM upkeep")})


def put(store: Store, name: str) -> None:
    store.write(lambda connection: connection.execute("INSERT INTO upkeep VALUES (?, 1.0)", (name,)))


def test_the_store_and_its_directory_are_private(tmp_path: Path):
    home = tmp_path / "home"
    store = open_store(str(home), 1.0)
    put(store, "x")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    made = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    assert made == dict.fromkeys(("store.lock", NAME, f"{NAME}-wal", f"{NAME}-shm"), 0o600)


def test_the_store_is_private_whatever_the_umask(tmp_path: Path):
    before = os.umask(0)
    try:
        put(open_store(str(tmp_path / "home"), 1.0), "x")
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "home").iterdir()} == {0o600}


def test_processes_that_race_to_create_it_all_succeed(tmp_path: Path):
    racers = start_racers(tmp_path / "home", 8)
    assert [racer.communicate()[0].strip() for racer in racers] == [b"0"] * 8
    assert names(open_store(str(tmp_path / "home"), 1.0)) == {str(number) for number in range(8)}


def test_processes_that_find_it_damaged_at_once_set_it_aside_once(tmp_path: Path):
    (tmp_path / NAME).write_bytes(b"not a database" * 1000)
    racers = start_racers(tmp_path, 6)
    said = [racer.communicate()[0].strip() for racer in racers]
    assert {racer.returncode for racer in racers} == {0}
    assert sorted(said) == [b"0"] * 5 + [b"1"]
    assert len(list(tmp_path.glob(f"{NAME}.corrupt-*"))) == 1
    assert names(open_store(str(tmp_path), 1.0)) == {str(number) for number in range(6)}


def test_a_half_made_store_of_a_process_that_died_is_replaced(tmp_path: Path):
    (tmp_path / f"{NAME}.new").write_bytes(b"half")
    put(open_store(str(tmp_path), 1.0), "x")
    assert not (tmp_path / f"{NAME}.new").exists()


def test_a_locked_store_is_io_after_the_limit_and_nothing_changed(tmp_path: Path):
    store = open_store(str(tmp_path), 0.3)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / NAME)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    started = time.monotonic()
    with pytest.raises(Failure) as caught:
        put(store, "x")
    waited = time.monotonic() - started
    assert names(store) == set(), "reads go on"
    holder.communicate()
    assert caught.value.kind == "io"
    assert "locked" in caught.value.message
    assert 0.2 <= waited < 3.0
    put(store, "y")
    assert names(store) == {"y"}


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_damaged_store_is_set_aside_with_a_notice(tmp_path: Path, content: bytes):
    (tmp_path / NAME).write_bytes(content)
    store = open_store(str(tmp_path), 1.0)
    put(store, "x")
    assert names(store) == {"x"}
    [aside] = tmp_path.glob(f"{NAME}.corrupt-*")
    assert aside.read_bytes() == content
    [notice] = store.notices
    assert str(aside) in notice.message


def test_damage_found_while_in_use_is_set_aside_too(tmp_path: Path):
    store = open_store(str(tmp_path), 1.0)
    put(store, "x")
    store.close()
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    for side in ("-wal", "-shm"):
        (tmp_path / f"{NAME}{side}").unlink(missing_ok=True)
    put(store, "y")
    assert names(store) == {"y"}
    assert len(store.notices) == 1


def test_a_directory_in_its_place_is_set_aside(tmp_path: Path):
    (tmp_path / NAME).mkdir()
    put(open_store(str(tmp_path), 1.0), "x")
    [aside] = tmp_path.glob(f"{NAME}.corrupt-*")
    assert aside.is_dir()


def test_an_empty_file_becomes_a_store(tmp_path: Path):
    (tmp_path / NAME).write_bytes(b"")
    store = open_store(str(tmp_path), 1.0)
    assert names(store) == set()
    assert store.notices == []


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path):
    store = open_store(str(tmp_path), 1.0)
    store.write(lambda connection: connection.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}"))
    store.close()
    with pytest.raises(Failure) as caught:
        open_store(str(tmp_path), 1.0)
    assert caught.value.kind == "io"
    assert "newer" in caught.value.message
    assert list(tmp_path.glob("*corrupt*")) == []


def test_a_write_that_fails_changes_nothing(tmp_path: Path):
    store = open_store(str(tmp_path), 1.0)

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO upkeep VALUES ('x', 1.0)")
        raise KeyError("stop")

    with pytest.raises(KeyError):
        store.write(work)
    assert names(store) == set()


def test_threads_share_a_store(tmp_path: Path):
    store = open_store(str(tmp_path), 5.0)
    threads = [threading.Thread(target=put, args=(store, str(number))) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(store)) == 20


def test_names_that_mean_something_in_a_uri_work(tmp_path: Path):
    home = tmp_path / os.fsdecode(b"a?b#c%41 \xff")
    put(open_store(str(home), 1.0), "x")
    assert (home / NAME).exists()


def test_a_store_that_cannot_be_made_is_io(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Failure) as caught:
        open_store(str(tmp_path / "file" / "home"), 1.0)
    assert caught.value.kind == "io"


def test_a_closed_store_opens_again(tmp_path: Path):
    store = open_store(str(tmp_path), 1.0)
    put(store, "x")
    store.close()
    assert names(store) == {"x"}


def test_i5_a_durable_write_is_synced_before_it_returns(tmp_path: Path):
    store = open_store(str(tmp_path), 1.0)
    level = "PRAGMA synchronous"
    assert store.write(lambda connection: connection.execute(level).fetchone()[0], durable=True) == 2  # FULL
    assert store.write(lambda connection: connection.execute(level).fetchone()[0]) == 1  # NORMAL
    assert store.read(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"
