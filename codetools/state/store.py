"""The one database: created whole, private, shared by processes, set aside when it is damaged."""

import os
import stat
import sys
import time
from _thread import RLock  # all that a call would import threading for
from collections.abc import Callable
from typing import Any, TypeVar

from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.state import sqlite
from codetools.state.durable import remove_quietly
from codetools.state.home import FILE_MODE, make_directory
from codetools.state.lockfile import Lock
from codetools.state.schema import MIGRATIONS
from codetools.system.replace import sync_directory

T = TypeVar("T")

NAME = "store.sqlite"
_SIDE_FILES = ("-wal", "-shm")
_DAMAGED = (sqlite.SQLITE_CORRUPT, sqlite.SQLITE_NOTADB)
_BUSY = (sqlite.SQLITE_BUSY, sqlite.SQLITE_LOCKED)
_OPEN_ATTEMPTS = 5


class Store:
    """An open database. Threads take turns. `notices` tells of a damaged one that was set aside."""

    def __init__(self, home: str, lock_seconds: float) -> None:
        self.home = home
        self.lock_seconds = lock_seconds
        self.notices: list[Notice] = []
        self.measured: Any = None  # what retention last found, for a process that stays
        self.added_bytes = 0  # of contents, at most, since then
        self._path = os.path.join(home, NAME)
        self._turn = RLock()
        self._connection: sqlite.Connection | None = None
        self._is_durable: bool | None = None  # what was last set on the connection
        self._identity: tuple[int, int] | None = None
        self._guard(lambda connection: None)

    def read(self, work: Callable[[sqlite.Connection], T]) -> T:
        """Return `work(connection)`; it only reads."""
        return self._guard(work)

    def write(self, work: Callable[[sqlite.Connection], T], *, durable: bool = False) -> T:
        """Return `work(connection)`, done whole in one transaction or not at all, and on the disk where `durable`.

        Raises `io`, with nothing changed, where another process keeps the store locked for over `lock_seconds`. In a
        store found damaged, `work` runs again in the new one.
        """

        def transact(connection: sqlite.Connection) -> T:
            self._synchronize(connection, durable)
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
            return result

        return self._guard(transact)

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        with self._turn:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _synchronize(self, connection: sqlite.Connection, durable: bool) -> None:
        if self._is_durable is not durable:
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._is_durable = durable

    def _guard(self, work: Callable[[sqlite.Connection], T]) -> T:
        with self._turn:
            try:
                for _ in range(2):  # SQLite calls a disk that failed once to read damage: so look at it anew first
                    try:
                        return work(self._opened())
                    except sqlite.DatabaseError as error:
                        if _code(error) not in _DAMAGED:
                            raise
                    self._let_go()
                self._set_aside()
                return work(self._opened())
            except sqlite.Error as error:
                raise _failure(error, self._path, self.lock_seconds) from None
            except OSError as error:
                raise Failure("io", f"The store {self._path}: {error.strerror}.") from None

    def _opened(self) -> sqlite.Connection:
        if self._connection is None:
            make_directory(self.home)
            self._is_durable = None
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> sqlite.Connection:
        for _ in range(_OPEN_ATTEMPTS):
            self._identity = _identity(self._path)
            if self._identity is None:
                self._create()
                continue
            if not stat.S_ISREG(os.lstat(self._path).st_mode):
                self._set_aside()
                continue
            connection = _connection(self._path, self.lock_seconds)
            if _identity(self._path) != self._identity:
                connection.close()
                continue
            try:
                _migrate(connection)
                _keep_log_on_close(connection)
            except BaseException:
                connection.close()
                raise
            return connection
        raise Failure("io", f"The store {self._path} is replaced again and again by another process.")

    def _create(self) -> None:
        with self._lock():
            if _identity(self._path) is not None:
                return
            new = self._path + ".new"  # left over only by a process that died here, for we hold the lock
            for name in (new, *(new + side for side in _SIDE_FILES)):
                remove_quietly(name)
            os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
            connection = _connection(new, self.lock_seconds)
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                _migrate(connection)
            finally:
                connection.close()
            os.rename(new, self._path)
            sync_directory(self.home)

    def _set_aside(self) -> None:
        found = self._identity
        self._let_go()
        with self._lock():
            if _identity(self._path) != found:
                return  # another process was first
            name = f"{self._path}.corrupt-{time.strftime('%Y%m%dT%H%M%S')}"
            name += f"-{os.urandom(2).hex()}" if os.path.lexists(name) else ""
            for side in _SIDE_FILES:
                if os.path.exists(self._path + side):
                    os.rename(self._path + side, name + side)
            os.rename(self._path, name)
        message = f"The store was damaged and is set aside as {name}; undo history and approvals start anew."
        self.notices.append(Notice("store", message))

    def _let_go(self) -> None:
        try:
            self.close()
        except sqlite.Error:
            self._connection = None

    def _lock(self) -> Lock:
        return Lock(os.path.join(self.home, "store.lock"), self.lock_seconds)


def open_store(home: str, lock_seconds: float) -> Store:
    """Open the store, making it where there is none; raise `io` where it is locked longer than `lock_seconds`."""
    return Store(home, lock_seconds)


def _connection(path: str, lock_seconds: float) -> sqlite.Connection:
    plain = b"/-_.~"
    quoted = "".join(chr(c) if (chr(c).isalnum() and c < 128) or c in plain else f"%{c:02x}" for c in os.fsencode(path))
    uri = f"file:{quoted}?mode=rw"
    return sqlite.connect(uri, timeout=lock_seconds, isolation_level=None, check_same_thread=False, uri=True)


def _migrate(connection: sqlite.Connection) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        if version > len(MIGRATIONS):
            raise Failure("io", f"The store is of version {version}, made by a newer codetools.", "Update codetools.")
        for step in MIGRATIONS[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _keep_log_on_close(connection: sqlite.Connection) -> None:
    # SQLite would copy the log into the database and sync both whenever the only process ends, which is every call
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite.NO_CHECKPOINT_ON_CLOSE, True)


def _version(connection: sqlite.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _roll_back(connection: sqlite.Connection) -> None:
    try:
        connection.rollback()
    except sqlite.Error:
        return  # the transaction is gone with its connection or its damaged file


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _code(error: sqlite.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _failure(error: sqlite.Error, path: str, lock_seconds: float) -> Failure:
    if _code(error) in _BUSY:
        message = (
            f"The store {path} is locked by another process for over {lock_seconds:g} seconds; nothing was changed."
        )
        return Failure("io", message, "Try again, or end the process that holds it.")
    return Failure("io", f"The store {path}: {error}.")
