"""One call through the real engine, in process: what tests of tools use."""

import os
from typing import Any

from codetools.core.path import Path
from codetools.engine.asking import Asker
from codetools.engine.call import call as engine_call
from codetools.engine.engine import start
from codetools.engine.options import Options
from codetools.render.envelope import envelope


def call(
    tool: str, arguments: Any = None, *, dry_run: bool = False, asker: Asker | None = None, **options: Any
) -> dict[str, Any]:
    """Return the envelope, with the exit code as `exit`; `options` are those of the command line."""
    paths = {name: Path(os.fspath(options.pop(name))) for name in ("root", "directory", "config") if name in options}
    engine = start(Options(**options, **paths))
    try:
        outcome = engine_call(engine, tool, arguments or {}, dry_run=dry_run, asker=asker)
    finally:
        engine.close()
    return {**envelope(outcome), "exit": outcome.exit_code}
