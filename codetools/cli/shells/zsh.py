"""The zsh completion: one `_arguments` call per command."""

from codetools.cli.catalogue import CHECK_WORDS, Catalogue, Group
from codetools.cli.reference import Command, Parameter

HEAD = """\
#compdef codetools
# zsh completion for codetools; made by "codetools generate completions"
"""
TAIL = """
if [ "$funcstack[1]" = _codetools ]; then
    _codetools "$@"
else
    compdef _codetools codetools
fi
"""


def zsh_script(catalogue: Catalogue) -> str:
    """Return the function that zsh autoloads or sources."""
    parts = [HEAD]
    parts += [_group(group) for group in catalogue.groups]
    parts.append(_group(_check_group(catalogue)))
    parts += [_command(command, catalogue) for command in catalogue.commands if command.words != CHECK_WORDS]
    return "\n".join(parts) + TAIL


def _check_group(catalogue: Catalogue) -> Group:
    top = dict(catalogue.groups[0].below)
    words = dict.fromkeys(name.split("_")[0] for name in catalogue.tools)
    return Group(CHECK_WORDS, "", tuple((word, top[word]) for word in words))


def _group(group: Group) -> str:
    rows = "\n".join(f"        {_quoted(f'{word}:{_described(text)}')}" for word, text in group.below)
    above = () if group.words == CHECK_WORDS else group.words
    cases = "\n".join(f"        {word}) {_function((*above, word))} ;;" for word, _ in group.below)
    return f"""{_function(group.words)}() {{
    local -a commands
    commands=(
{rows}
    )
    if ((CURRENT == 2)); then
        _describe -t commands 'codetools command' commands
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
{cases}
    esac
}}
"""


def _command(command: Command, catalogue: Catalogue) -> str:
    specs = [_option(option, catalogue) for option in command.options]
    specs.append(_quoted("(- *)--help[Show the help page]"))
    for place, argument in enumerate(command.arguments, 1):
        position = "*" if argument.repeats else str(place)
        colon = ":" if argument.is_required or argument.repeats else "::"
        specs.append(_quoted(f"{position}{colon}{_spec(argument.metavar)}:{_action(argument, catalogue)}"))
    lines = " \\\n        ".join(specs)
    return f"{_function(command.words)}() {{\n    _arguments -s -S \\\n        {lines}\n}}\n"


def _option(option: Parameter, catalogue: Catalogue) -> str:
    again = "*" if option.repeats else f"({' '.join(option.spellings)})"
    value = f":{_spec(option.metavar)}:{_action(option, catalogue)}" if option.takes_value else ""
    text = f"[{_spec(option.help)}]{value}"
    names = [_named(spelling, option) for spelling in option.spellings]
    if len(names) == 1:
        return _quoted(f"{again}{names[0]}{text}")
    return f"{_quoted(again)}{{{','.join(names)}}}{_quoted(text)}"


def _named(spelling: str, option: Parameter) -> str:
    if not option.takes_value:
        return spelling
    return f"{spelling}=" if spelling.startswith("--") else f"{spelling}+"


def _action(parameter: Parameter, catalogue: Catalogue) -> str:
    if parameter.completes == "file":
        return "_files"
    if parameter.completes == "directory":
        return "_files -/"
    offered = catalogue.offers(parameter)
    return f"({' '.join(offered)})" if offered else " "


def _function(words: tuple[str, ...]) -> str:
    return "_".join(("_codetools", *words))


def _described(text: str) -> str:
    return text.replace("\\", "\\\\").replace(":", "\\:")


def _spec(text: str) -> str:
    for letter in "\\[]:":
        text = text.replace(letter, f"\\{letter}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
