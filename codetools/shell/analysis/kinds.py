"""What class of command a program is: search, read, list, write, silent, general or neutral."""

from codetools.shell.analysis.found import NO_FILES, Found
from codetools.shell.analysis.readers import ALIASES, READERS

_NEUTRAL = frozenset(": echo printf true false test [ [[ exit return break continue shift".split())
_SILENT = frozenset("cd export unset set wait sleep trap local declare typeset readonly read alias exec".split())
_WRITES = frozenset(
    """rm rmdir mv cp mkdir touch tee dd ln chmod chown chgrp truncate install patch unlink shred mktemp split csplit
    tar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd mkfifo mknod rsync""".split()
)
_READS = frozenset("awk gawk mawk sed jq yq less more zcat bzcat xzcat strings readelf objdump nm man bat".split())
_LISTS = frozenset("which whereis type ps lsof env printenv locate fd top pgrep jobs".split())
_SEARCHES = frozenset("ag ack ripgrep zgrep fzf".split())
_RANK = {"neutral": 0, "silent": 1, "list": 2, "search": 3, "read": 4, "write": 5, "general": 6}


def kind_of(found: Found) -> str:
    """Return the class of one command."""
    program = found.program()
    is_written = any(each.action == "edit" and each.target.text not in NO_FILES for each in found.redirects)
    return worst((_program_kind(program, found), "write" if is_written else ""))


def worst(kinds: tuple[str, ...]) -> str:
    """Return the class of several commands together: a list of them falls to its worst."""
    return max((kind for kind in kinds if kind), key=_RANK.__getitem__, default="neutral")


def _program_kind(program: str, found: Found) -> str:
    if not found.words:
        return "general" if found.trouble else "silent"
    if found.runs_others:
        return "neutral"
    reader = READERS.get(ALIASES.get(program, (program,))[0])
    if program == "sed" and any(word.text.startswith(("-i", "--in-place")) for word in found.words[1:]):
        return "write"
    if program == "find" and any(word.text in ("-delete", "-fprint", "-fls") for word in found.words):
        return "write"
    if program == "git":
        return _git_kind(found)
    for kind, names in (("neutral", _NEUTRAL), ("silent", _SILENT), ("write", _WRITES)):
        if program in names:
            return kind
    if reader is not None:
        return reader.kind
    for kind, names in (("read", _READS), ("list", _LISTS), ("search", _SEARCHES)):
        if program in names:
            return kind
    return "general"


def _git_kind(found: Found) -> str:
    from codetools.shell.analysis.git_readers import GIT_READERS

    name = next((word.text for word in found.words[1:] if not word.text.startswith("-")), "")
    reader = GIT_READERS.get(name)
    is_plain = reader is not None and (reader.operands in ("paths", "history", "content", "blame", "grep", "text"))
    return reader.kind if reader is not None and is_plain else "general"
