"""The part of SQLite that the store needs: the standard package around it loads dates too, a fifth of a bare start."""

from _sqlite3 import (
    SQLITE_BUSY,
    SQLITE_CORRUPT,
    SQLITE_LOCKED,
    SQLITE_NOTADB,
    Connection,
    DatabaseError,
    Error,
    connect,
)

NO_CHECKPOINT_ON_CLOSE = 1006  # SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, which has a name from Python 3.12 on

__all__ = [
    "NO_CHECKPOINT_ON_CLOSE",
    "SQLITE_BUSY",
    "SQLITE_CORRUPT",
    "SQLITE_LOCKED",
    "SQLITE_NOTADB",
    "Connection",
    "DatabaseError",
    "Error",
    "connect",
]
