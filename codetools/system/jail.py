"""What a process gives up before it becomes a command: plain data, so that any interpreter can read and apply it."""

from typing import Any, Literal

from codetools.core.record import Record


class Jail(Record):
    """The rights that stay, of files and system calls, and caps on resources.

    With `files`, only what is named may be read, run or written; `write` holds existing files, and directories below
    which everything may be done. `calls` that stay are all, those of a program that only reads, those that reach no
    network, or all but what administers the machine. `limits` are resource limits, as (`RLIMIT_CPU`, soft, hard).
    """

    files: bool = False
    read: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()  # these may be read as well
    write: tuple[str, ...] = ()
    calls: Literal["all", "reading", "local", "networked"] = "all"
    limits: tuple[tuple[str, int, int], ...] = ()

    def load(self) -> None:
        """Import what `enter` needs: before a fork, since a forked child should import nothing."""
        if self.files or self.calls != "all":
            from codetools.system import capabilities, landlock, seccomp  # noqa: F401

        if self.limits:
            import resource  # noqa: F401

    def enter(self) -> None:
        """Give up the rights, for this thread and its children, for good; raises OSError where that cannot be had."""
        for name, soft, hard in self.limits:
            import resource

            resource.setrlimit(getattr(resource, name), (soft, hard))
        if not self.files and self.calls == "all":
            return
        from codetools.system import kernel
        from codetools.system.capabilities import OWN_FILES, READING, drop_capabilities
        from codetools.system.landlock import Allowed, restrict_files
        from codetools.system.seccomp import can_filter, filter_calls

        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        drop_capabilities(READING if self.calls == "reading" else OWN_FILES)
        if self.files:
            allowed = Allowed(self.read, self.execute, self.write, has_network=self.calls == "networked")
            restrict_files(allowed)
        if self.calls != "all" and can_filter():
            filter_calls(self.calls)

    def to_json(self) -> dict[str, Any]:
        """Return the same as a JSON object."""
        return {name: getattr(self, name) for name in self.record_fields}


def jail_from_json(stored: dict[str, Any]) -> Jail:
    """Return what `to_json` stored."""
    lists = {name: tuple(stored[name]) for name in ("read", "execute", "write")}
    limits = tuple((name, soft, hard) for name, soft, hard in stored["limits"])
    return Jail(files=stored["files"], calls=stored["calls"], limits=limits, **lists)
