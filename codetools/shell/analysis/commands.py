"""Every command that a script may run: those in its text, and those that its wrappers and inner shells run."""

import re

from codetools.shell.analysis.found import SEPARATOR, Found, Redirect, Word, static
from codetools.shell.analysis.words import MOST_COMMANDS, Refused, Script, Simple, parse
from codetools.shell.analysis.wrappers import Inner, look_through, scripts_among

MOST_SCANNED_CHARS = 50_000
MAX_DEPTH = 8  # of scripts within scripts, wrappers within wrappers
_WORD = re.compile(r"[^\s;|&()<>'\"`$\\]+")


def commands_of(script: str, parsed: Script | None = None) -> list[Found]:
    """Return the commands of a script; `parsed` is what the tiny grammar made of it, if it did.

    A text that is not understood comes back as a command without words, with the trouble, and after it everything that
    it may run, as guesses.
    """
    found: list[Found] = []
    _add_script(found, script, None, 0, parsed, is_guess=False)
    return found


def fed_by(before: Found, shell: Found) -> Found:
    """Return a command with what it reads from the one before it in a pipe, where that is known."""
    words = before.static_words()
    if before.program() not in ("echo", "printf") or words is None or shell.input is not None:
        return shell
    return shell.but(input=" ".join(word for word in words[1:] if word not in ("-e", "-n", "-E")))


def _add_script(
    found: list[Found],
    script: str,
    within: int | None,
    depth: int,
    parsed: Script | None = None,
    *,
    is_guess: bool,
) -> None:
    if depth > MAX_DEPTH:
        found.append(Found(text=script, trouble="commands stand within commands too deep to follow", within=within))
        return
    if len(script) > MOST_SCANNED_CHARS:
        found.append(Found(text=script, trouble="it is too long to be understood", within=within, is_guess=is_guess))
        found += _words_of(script)
        return
    try:
        commands: list[Found] = _plain(parsed or parse(script))
    except Refused:
        from codetools.shell.analysis.tree_checks import GaveUp

        try:
            from codetools.shell.analysis.tree import extract

            commands = extract(script)
            if len(found) + len(commands) > MOST_COMMANDS:
                raise GaveUp(f"it holds more than {MOST_COMMANDS} commands")
        except GaveUp as trouble:
            found.append(Found(text=script, trouble=str(trouble), within=within, is_guess=is_guess))
            commands = _guesses(script)
    if len(found) + len(commands) > MOST_COMMANDS:
        too_many = f"it holds more than {MOST_COMMANDS} commands"
        found.append(Found(text=script, trouble=too_many, within=within, is_guess=is_guess))
        commands = _merged(commands)
    for command in commands:
        _add(found, command.but(within=within, is_guess=is_guess or command.is_guess), depth)


def _add(found: list[Found], command: Found, depth: int) -> None:
    place = len(found)
    found.append(command)
    inner = look_through(command)
    if inner is None:
        return
    if depth > MAX_DEPTH:
        found[place] = command.but(trouble=command.trouble or "wrappers stand within wrappers too deep to follow")
        return
    found[place] = command.but(
        trouble=command.trouble or inner.trouble,
        runs_others=bool(inner.commands or inner.scripts) and not inner.trouble,
        kept=inner.kept,
    )
    _add_inner(found, inner, command, place, depth + 1)


def _add_inner(found: list[Found], inner: Inner, command: Found, place: int, depth: int) -> None:
    if inner.assigned:
        found[place] = found[place].but(assigned=(*command.assigned, *inner.assigned))
    for words in inner.commands:
        wrapped = Found(words, text=command.text, within=place, is_guess=command.is_guess, input=command.input)
        _add(found, wrapped, depth)
    for script in inner.scripts:
        _add_script(found, script, place, depth, is_guess=command.is_guess)
    if inner.guess:
        guess = Found(inner.guess, text=command.text, within=place, is_guess=True, may_begin=inner.may_begin)
        found.append(guess)
        for script in scripts_among(command.words):
            _add_script(found, script, place, depth, is_guess=True)


def _merged(commands: list[Found]) -> list[Found]:
    """Return one guess that holds the words of many commands: it is searched for what is refused, word by word."""
    words: list[Word] = []
    redirects: dict[Redirect, None] = {}
    for command in commands:
        words += [*command.words, Word(SEPARATOR)]
        for script in scripts_among(command.words):
            words += [*static(*_WORD.findall(script)), Word(SEPARATOR)]
        redirects |= dict.fromkeys(command.redirects)
    return [Found(tuple(words), redirects=tuple(redirects), is_guess=True, may_begin=len(words))]


def _plain(script: Script) -> list[Found]:
    found: list[Found] = []
    for index, simple in enumerate(script.commands):
        command = _from_simple(simple)
        if index and script.joints[index - 1] == "|":
            command = fed_by(found[-1], command)
        found.append(command)
    return found


def _from_simple(simple: Simple) -> Found:
    redirects = (Redirect(Word(simple.stdin), "read"),) if simple.stdin is not None else ()
    return Found(static(*simple.words), redirects=redirects, text=" ".join(simple.words))


def _words_of(script: str) -> list[Found]:
    """Return all words of a text that is too long for more, as one guess: each of them may be a program."""
    from codetools.shell.analysis.documents import without_documents

    texts = _WORD.findall(without_documents(script))
    words = {text: Word(text) for text in dict.fromkeys(texts)}
    return [Found(tuple(map(words.__getitem__, texts)), is_guess=True, may_begin=len(texts))]


def _guesses(script: str) -> list[Found]:
    from codetools.shell.analysis.documents import without_documents
    from codetools.shell.analysis.loose import loose_commands

    return [
        Found(
            static(*guess.words),
            redirects=tuple(Redirect(Word(target), "edit") for target in guess.written),
            text=" ".join(guess.words),
            is_guess=True,
        )
        for guess in dict.fromkeys(loose_commands(without_documents(script)))
    ]
