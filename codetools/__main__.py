"""The doorman: leaves nothing of the caller's surroundings that could change what runs, then opens the right door."""

import gc
import os
import sys

GARBAGE_OBJECTS = 20_000  # new ones before Python looks for cycles: loading modules makes many and no garbage


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.platform == "win32":
        sys.exit(_refuse_windows())
    try:
        gc.set_threshold(GARBAGE_OBJECTS)
        _open_standard_descriptors()
        _forget_current_directory()
        _restore_signals()
        _leave(_through_a_door(sys.argv[1:]))
    except KeyboardInterrupt:  # so early that no door could answer
        os.write(2, b"codetools: interrupted before anything was done.\n")
        os._exit(130)


def _through_a_door(arguments: list[str]) -> int:
    if arguments[:2] == ["mcp", "serve"] and not {"--help", "-h"}.intersection(arguments):
        from codetools.serve.main import main as serve

        return serve(arguments[2:])
    from codetools.cli.doors import door_for

    if (door := door_for(arguments)) is not None:
        return door(arguments[1:])
    from codetools.cli.quick import run_quickly

    if (code := run_quickly(arguments)) is not None:
        return code
    from codetools.cli.app import main as typed

    return typed(arguments)


def _leave(code: int) -> None:
    """End at once: all is written and synced, and taking the interpreter apart costs a tenth of the call."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except (OSError, ValueError):
                code = code or 74
    os._exit(code)


def _refuse_windows() -> int:
    sys.stderr.write("codetools: Windows is not supported; run it inside WSL.\n")
    return 69


def _open_standard_descriptors() -> None:
    """Fill closed descriptors 0 to 2, so that no file of ours becomes one; writing to a closed stdout still fails."""
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)


def _forget_current_directory() -> None:
    """Drop the entries of `sys.path` that depend on where we stand: the directory may be an attacker's."""
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry) and entry != here]


def _restore_signals() -> None:
    """Undo what a caller may have left: an ignored SIGCHLD hides failures, a blocked SIGTERM cannot end us."""
    import signal

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # what `nohup` ignores stays ignored
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: object) -> None:
    """Take SIGTERM and SIGHUP as Ctrl-C: the call ends its processes and still gives its answer."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
