"""Runs a Python function in a forked child that has given up its rights, and returns what it found."""

import json
import os
from collections.abc import Callable
from typing import Any


def in_child(restrict: Callable[[], None], act: Callable[[], Any]) -> Any:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            restrict()
            os.write(write, json.dumps(act()).encode())
        except BaseException as error:  # noqa: BLE001  a forked child must end here
            os.write(write, json.dumps(f"{type(error).__name__}: {error}").encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        found = json.loads(pipe.read() or b'"died"')
    os.waitpid(pid, 0)
    return found


def error_of(act: Callable[[], Any]) -> str:
    """The name of the OSError that an act raises, or `done`."""
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "done"
