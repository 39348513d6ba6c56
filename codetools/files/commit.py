"""Staged changes made so: all of them or none, durably, and only after undo could take them back (I4, I5)."""

import os
import stat
from collections.abc import Callable
from contextlib import suppress

from codetools.core.errors import Failure, from_os_error
from codetools.core.outcome import Change, Notice
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.prepare import Prepared, prepare
from codetools.files.staging import Staged
from codetools.files.step import Held, Step
from codetools.files.steps import Steps, directories_of, make_steps
from codetools.state.changes import Entry
from codetools.state.journal import Journal
from codetools.state.sqlite import Connection
from codetools.system.descriptors import Room
from codetools.system.locks import BUCKETS, Locks
from codetools.system.replace import HeldSignals, is_temporary, load

__all__ = ["Committed", "commit", "prepare"]


class Committed(Record):
    """What was done. `undo` is the id that takes it back."""

    changes: tuple[Change, ...]
    undo: str
    notices: tuple[Notice, ...]


def commit(
    prepared: Prepared,
    journal: Journal | None,
    tool: str,
    session: str | None,
    undoes: str | tuple[str, ...] | None = None,
    when_made: Callable[[str], None] | None = None,
) -> Committed:
    """Make every staged change, or none, and return once they are durable.

    `when_made` is told the undo id at once, while no interrupt can come between.
    Raise `stale` where a file is no longer what the call has seen (with `changed_meanwhile` in the details: the same
    call may succeed now), `io` where the system refuses or a lock stays taken; then nothing has changed.
    """
    if journal is None:
        raise Failure("io", "The undo journal is not available; nothing was changed.")
    shown = [change.path.printable() for change in prepared.changes]
    every = make_steps(prepared.staged, shown)
    steps = every.all
    held = Held()
    load()
    try:
        with Room(directories_of(steps) + min(BUCKETS, len(prepared.staged))):
            for step in steps:
                step.pin(held)
            keys = {step: step.lock_keys() for step in steps}
            every_key = [key for of_step in keys.values() for key in of_step]
            directory = os.path.join(journal.store.home, "locks")
            with Locks(directory, every_key, prepared.limits.lock_seconds, tool) as locks:
                _sweep(locks.left_behind)
                journal.recover()  # now only is seen what a dead process had made of these files
                for step in steps:
                    step.check()
                with HeldSignals() as signals:
                    try:
                        group, notices = _commit(every, prepared, journal, tool, session, undoes)
                    finally:
                        _leave(locks, [(keys[step][0], path) for step in steps if (path := step.left_over())])
                    if when_made is not None:
                        when_made(group)
    except OSError as error:
        raise from_os_error(error, str(error.filename or "The change")) from None
    finally:
        held.close()
    if signals.interrupted:
        notices.append(Notice("interrupted", "the interrupt came while the change was being made; it is complete"))
    return Committed(prepared.changes, group, tuple(notices))


def _commit(
    every: Steps,
    prepared: Prepared,
    journal: Journal,
    tool: str,
    session: str | None,
    undoes: str | tuple[str, ...] | None,
) -> tuple[str, list[Notice]]:
    steps = every.all
    remember = _nothing if session is None else _remembering(prepared, session)
    for step in steps:
        step.keep(journal.keep)
    whole = zip(every.of, prepared.staged, prepared.changes, strict=True)
    entries = tuple(_entry(step, staged, change) for step, staged, change in whole)
    group = journal.begin(tool, session, prepared.root, entries, undoes)
    try:
        for step in steps:
            step.lay()
        for step in steps:
            step.make()
    except BaseException as error:
        _take_back(steps, journal, group)
        if isinstance(error, OSError):
            raise _io_failure(error, steps) from None
        raise
    for step in steps:
        try:
            step.finish()
        except OSError as error:  # it is made: from here on nothing may be told as a failure
            step.notices.append(Notice("left_over", f"{step.shown}: old content may stay: {error.strerror}"))
    notices = [notice for step in steps for notice in step.notices]
    notices += _sync(steps)
    try:
        journal.commit(group, remember)
    except Failure as failure:  # the intent is durable: the next use of the journal finds that it was made
        notices.append(Notice("journal", f"the journal was not closed: {failure.message}"))
    return group, notices


def _entry(step: Step, staged: Staged, change: Change) -> Entry:
    before = step.before(staged)
    after_mode = before.mode if staged.kind in ("modify", "move") and before is not None else None
    if after_mode is not None and staged.kind == "modify" and staged.form.mode is not None:
        after_mode = stat.S_IFMT(after_mode) | staged.form.mode
    return Entry(
        path=staged.location.reached,
        kind=staged.kind,
        source=staged.source.reached if staged.source is not None else None,
        before=before,
        after_sha256=change.sha256,
        after_mode=after_mode,
        after_link=staged.form.link,
        additions=change.additions,
        removals=change.removals,
        temporary=Path(temporary) if staged is step.staged and (temporary := step.temporary_path()) else None,
    )


def _take_back(steps: tuple[Step, ...], journal: Journal, group: str) -> None:
    """Revert in the opposite order; what cannot be reverted stays an open group, and its undo copy is named."""
    failed = []
    for step in reversed(steps):
        try:
            step.revert()
        except OSError as error:
            failed.append(f"{step.shown} ({error.strerror})")
    if failed:
        message = f"The change failed half-way and could not be taken back: {', '.join(failed)}."
        raise Failure("io", message, f"The old content is kept: codetools undo {group}", {"undo": group})
    try:
        journal.abort(group)
    except Failure:
        return  # an open group whose files are as before is found to be so at the next use


def _sync(steps: tuple[Step, ...]) -> list[Notice]:
    synced: set[tuple[int, int]] = set()
    for step in steps:
        try:
            step.sync(synced)
        except OSError as error:
            message = f"{step.shown}: changed, but its directory could not be made durable: {error.strerror}"
            return [Notice("weaker_guarantee", message)]
    return []


def _io_failure(error: OSError, steps: tuple[Step, ...]) -> Failure:
    failed = next((step for step in steps if not step.is_made), steps[-1])
    reason = error.strerror or str(error)
    return Failure("io", f"{failed.shown}: {reason}; nothing was changed.", "", {"errno": error.errno})


def _remembering(prepared: Prepared, session: str) -> Callable[[Connection], None]:
    """Return what notes that the session knows what it has written, so that its next edit is not found stale."""
    from codetools.state.marks import Mark, forget, put

    def remember(connection: Connection) -> None:
        for staged, change in zip(prepared.staged, prepared.changes, strict=True):
            gone = staged.location if staged.kind == "delete" else staged.source
            if gone is not None:
                forget(connection, session, gone.reached)
            elif change.sha256 is not None and (size := staged.size_after()) is not None:
                mark = Mark(change.sha256, 0, size, 1, 0)
                put(connection, session, staged.location.reached, mark, staged.content)

    return remember


def _nothing(connection: Connection) -> None:
    """Note nothing: there is no session that could know."""


def _leave(locks: Locks, paths: list[tuple[int, str]]) -> None:
    """Let the next call that takes these locks remove what could not be removed now."""
    with suppress(OSError):
        locks.leave(paths)


def _sweep(paths: list[str]) -> None:
    """Remove temporary files and directories that an earlier call could not remove."""
    for path in paths:
        if not is_temporary(os.path.basename(path)):
            continue
        try:
            os.unlink(path)
        except IsADirectoryError:
            import shutil

            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue
