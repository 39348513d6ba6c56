"""Programs that run the command in their words: what that command is.

A wrapper is looked through only where each of its options is known; where one is not, what it runs may be anything.
"""

import re
from itertools import pairwise

from codetools.core.record import Record
from codetools.shell.analysis.found import Assignment, Found, Word, static

SHELLS = frozenset("sh bash dash zsh ksh ash".split())
PREFIXES = frozenset(
    """sudo doas pkexec su runuser run0 strace ltrace script unshare chroot nsenter systemd-run setpriv setarch
    parallel proot fakeroot faketime rlwrap xvfb-run dbus-run-session caffeinate noglob busybox toybox chronic
    catchsegv valgrind gdb perf firejail bwrap torsocks proxychains proxychains4 cgexec prlimit numactl flock
    start-stop-daemon entr fish csh tcsh""".split()
)  # they may run what follows, in ways not known here
_TAKE_A_SCRIPT = SHELLS | {"script", "su", "runuser", "fish", "csh", "tcsh"}
_OWN_OPERANDS = {"flock": 1, "chroot": 1, "perf": 1, "setarch": 1, "faketime": 1, "su": 1, "runuser": 1}
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")


class Wrapper(Record):
    """A wrapper's options: letters without a value, letters with one, long options (`name`, `name=`), own operands."""

    flags: str = ""
    valued: str = ""
    long: str = ""
    own: int = 0
    attached: str = ""  # letters whose value, if any, is attached


class Inner(Record):
    """What a wrapper runs: words, or a script. `trouble` says why that is not known; it is in the words of `guess`, and
    may begin with each of the first `may_begin` of them.

    `kept` are the wrapper's own words, where they are to be judged without what they run.
    """

    commands: tuple[tuple[Word, ...], ...] = ()
    scripts: tuple[str, ...] = ()
    assigned: tuple[Assignment, ...] = ()
    trouble: str = ""
    guess: tuple[Word, ...] = ()
    may_begin: int = 1
    kept: tuple[Word, ...] | None = None


WRAPPERS: dict[str, Wrapper] = {
    "env": Wrapper("i0v", "u", "ignore-environment null unset= debug"),
    "timeout": Wrapper("v", "ks", "foreground preserve-status verbose kill-after= signal=", 1),
    "nice": Wrapper("0123456789", "n", "adjustment="),
    "nohup": Wrapper(),
    "setsid": Wrapper("cfw", "", "ctty fork wait"),
    "stdbuf": Wrapper("", "ioe", "input= output= error="),
    "ionice": Wrapper("t", "cn", "ignore class= classdata="),
    "chrt": Wrapper("bfiorRm", "", "batch fifo idle other rr", 1),
    "taskset": Wrapper("c", "", "cpu-list", 1),
    "time": Wrapper("pv", "", "portability verbose"),
    "command": Wrapper("p"),
    "builtin": Wrapper(),
    "exec": Wrapper("cl", "a"),
    "xargs": Wrapper(
        "0rtpxo", "IdEnPLs",
        "null no-run-if-empty verbose interactive exit open-tty delimiter= max-args= max-procs= max-lines= replace="
        " max-chars= eof=",
        attached="iel",
    ),
    "watch": Wrapper("bcdegtwx", "n", "beep color differences errexit chgexit no-title exec interval="),
}  # fmt: skip


def look_through(found: Found) -> Inner | None:
    """Return what a command runs besides itself; None where it is no wrapper."""
    program, words = found.program(), found.words
    if program in SHELLS:
        return _shell(found)
    if program in ("eval", "trap"):
        return _evaluating(program, words)
    if program == "find":
        return _find(words)
    if program.rstrip("0123456789.") == "python" and [word.text for word in words[1:3]] == ["-m", "pip"]:
        return Inner(guess=words[2:])
    if program in PREFIXES:
        return _unknown(f"{program} may run what follows it", words[1:], _OWN_OPERANDS.get(program, 0))
    wrapper = WRAPPERS.get(program)
    if wrapper is None or (program == "command" and _only_asks(words)):
        return None
    return _wrapped(program, words, wrapper)


def _wrapped(program: str, words: tuple[Word, ...], wrapper: Wrapper) -> Inner | None:
    start, options = _after_options(words, wrapper)
    if start is None and program == "env":  # -S holds words that are split
        split = static(*" ".join(word.text.removeprefix("-S") for word in words[1:]).replace("=", " ").split())
        return _anywhere("what env runs with these options is not known", split)
    if start is None:
        return _unknown(f"what {program} runs with these options is not known", words[1:], wrapper.own)
    start += wrapper.own
    assigned: list[Assignment] = []
    while program in ("env", "time") and start < len(words):
        if not _ASSIGNED.match(words[start].text):
            break
        name, _, value = words[start].text.partition("=")
        assigned.append(Assignment(name.removesuffix("+"), Word(value, words[start].kind)))
        start += 1
    if any(not word.is_static for word in words[1 : start + 1]) and start < len(words):
        return _unknown(f"what {program} runs is not known", words[1:], wrapper.own)
    inner = words[start:]
    if not inner:
        return None if not assigned else Inner(assigned=tuple(assigned))
    if program == "watch" and not options & {"x", "exec"}:
        return _script(program, inner)
    if program == "xargs":
        inner = _fed_words(inner, options)
    if program == "time" and inner[0].text in ("!", "coproc", "time"):
        return _anywhere("time before a word of the shell's own grammar", words[1:])
    return Inner((inner,), assigned=tuple(assigned))


def _fed_words(inner: tuple[Word, ...], options: set[str]) -> tuple[Word, ...]:
    """Return a command of xargs, with what it reads from its input: any words, anywhere with a replacement."""
    if options & {"I", "i", "replace"}:
        return tuple(Word(word.text, "one") for word in inner)
    return (*inner, Word("…", "many"))


def _after_options(words: tuple[Word, ...], wrapper: Wrapper) -> tuple[int | None, set[str]]:
    """Return where the options end, and their names; None for the place where one is not known."""
    given: set[str] = set()
    index = 1
    while index < len(words):
        text = words[index].text
        if not text.startswith("-") or not words[index].is_static or text == "-":
            return index, given
        index += 1
        if text == "--":
            return index, given
        name, equals, _ = text[2:].partition("=")
        if text.startswith("--"):
            known = wrapper.long.split()
            if f"{name}=" in known:
                index += 0 if equals else 1
            elif name not in known or equals:
                return None, given
            given.add(name)
            continue
        for place, letter in enumerate(text[1:], 2):
            given.add(letter)
            if letter in wrapper.attached:
                break
            if letter in wrapper.valued:
                index += 0 if text[place:] else 1
                break
            if letter not in wrapper.flags:
                return None, given
    return index, given


def _shell(found: Found) -> Inner | None:
    """Return the script of `sh -c SCRIPT`, or what a shell is fed."""
    words = found.words
    for index, word in enumerate(words[1:], 1):
        if not word.is_static:
            return _anywhere("the script of a shell is not known", words[1:])
        if re.fullmatch(r"[-+][a-zA-Z]*c[a-zA-Z]*", word.text) and word.text[0] == "-":
            following = index + 1
            if "o" in word.text or following >= len(words):
                return _anywhere("the script of a shell is not known", words[1:])
            return _script(found.program(), words[following : following + 1])
        if not re.fullmatch(r"-[aefhlmuvxCEPT]+|--login|--norc|--noprofile|--posix|-s|-", word.text):
            return None  # a file, or an option that is not known: it is itself what is asked about
    return Inner(scripts=(found.input,)) if found.input is not None else None


def _script(program: str, words: tuple[Word, ...]) -> Inner:
    if not all(word.is_static for word in words):
        return _anywhere(f"the script of {program} is not known", words)
    return Inner(scripts=(" ".join(word.text for word in words),))


def _evaluating(program: str, words: tuple[Word, ...]) -> Inner | None:
    given = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    if program == "trap":
        given = given[:1]
    if not given or (program == "trap" and given[0].is_static and given[0].text in ("", "-", "-l", "-p")):
        return None
    return _script(program, given)


def _find(words: tuple[Word, ...]) -> Inner | None:
    commands: list[tuple[Word, ...]] = []
    kept: list[Word] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word.text not in ("-exec", "-execdir", "-ok", "-okdir"):
            kept.append(word)
            continue
        inner: list[Word] = []
        while index < len(words) and words[index].text not in (";", "+"):
            found = words[index]
            inner.append(Word(found.text, "many") if "{}" in found.text else found)
            index += 1
        index += 1
        if inner:
            commands.append(tuple(inner))
    if not commands:
        return None
    return Inner(tuple(commands), kept=tuple(kept) if all(word.is_static for word in words[:1]) else None)


def _anywhere(trouble: str, words: tuple[Word, ...]) -> Inner:
    return Inner(trouble=trouble, guess=words, may_begin=len(words))


def _unknown(trouble: str, words: tuple[Word, ...], own: int) -> Inner:
    """Return what a wrapper runs whose options are not known: it begins after `own` operands, if not before."""
    for index, word in enumerate(words):
        is_value = index > 0 and words[index - 1].text.startswith("-")
        if is_value or word.kind == "many" or word.text.startswith("-") or _ASSIGNED.match(word.text):
            continue
        name = word.text.rpartition("/")[2]
        if name in ("find", "eval"):
            break
        if name in WRAPPERS or name in PREFIXES:
            own += 1 + (WRAPPERS[name].own if name in WRAPPERS else _OWN_OPERANDS.get(name, 0))
        own -= 1
        if own < 0:
            return Inner(trouble=trouble, guess=words, may_begin=index + 1)
    return _anywhere(trouble, words)


def _only_asks(words: tuple[Word, ...]) -> bool:
    return len(words) > 1 and words[1].text in ("-v", "-V", "-pv", "-pV")


def scripts_among(words: tuple[Word, ...]) -> list[str]:
    """Return the words that may be scripts of a shell which is named before them."""
    found: list[str] = []
    is_shells = False
    for word, following in pairwise(words):
        if word.text == "eval":
            found.append(following.text)
        is_shells = is_shells or word.text.rpartition("/")[2] in _TAKE_A_SCRIPT
        if is_shells and re.fullmatch(r"-[a-zA-Z]*c", word.text):
            found.append(following.text)
    return found
