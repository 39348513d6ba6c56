"""The fish completion: one `complete` line per word and option."""

from codetools.cli.catalogue import CHECK_WORDS, Catalogue, Group
from codetools.cli.reference import Command, Parameter

HEAD = """\
# fish completion for codetools; made by "codetools generate completions"

function __codetools_words
    set -l words
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and break
        set -a words $word
    end
    string join ' ' -- $words | string replace -r '^permissions check (?=.)' ''
end

function __codetools_below
    set -l words (__codetools_words)
    test "$words" = "$argv"
end

function __codetools_in
    set -l words (__codetools_words)
    string match -q -- "$argv *" "$words "
end

complete -c codetools -f
"""


def fish_script(catalogue: Catalogue) -> str:
    """Return the script that fish loads."""
    lines = [HEAD, "complete -c codetools -l help -s h -d 'Show the help page'"]
    lines.append("complete -c codetools -n '__codetools_below' -l version -d 'Print the version'")
    for group in catalogue.groups:
        lines += _group(group)
    top = dict(catalogue.groups[0].below)
    below_check = tuple((word, top[word]) for word in dict.fromkeys(name.split("_")[0] for name in catalogue.tools))
    lines += _group(Group(CHECK_WORDS, "", below_check))
    for command in catalogue.commands:
        if command.words != CHECK_WORDS:
            lines += _command(command, catalogue)
    return "\n".join(lines) + "\n"


def _group(group: Group) -> list[str]:
    condition = _quoted(" ".join(("__codetools_below", *group.words)))
    return [f"complete -c codetools -n {condition} -a {word} -d {_quoted(text)}" for word, text in group.below]


def _command(command: Command, catalogue: Catalogue) -> list[str]:
    start = f"complete -c codetools -n {_quoted(' '.join(('__codetools_in', *command.words)))}"
    lines = [f"{start} {_option(option, catalogue)}" for option in command.options]
    offered = dict(row for argument in command.arguments for row in catalogue.described(argument))
    lines += [f"{start} -a {word} -d {_quoted(text)}" for word, text in offered.items() if text]
    if plain := [word for word, text in offered.items() if not text]:
        lines.append(f"{start} -a {_quoted(' '.join(plain))}")
    if any(argument.completes == "file" for argument in command.arguments):
        lines.append(f"{start} -F")
    elif any(argument.completes == "directory" for argument in command.arguments):
        lines.append(f"{start} -a '(__fish_complete_directories)'")
    return lines


def _option(option: Parameter, catalogue: Catalogue) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.spellings]
    parts = [*names, *(_value(option, catalogue) if option.takes_value else []), f"-d {_quoted(option.help)}"]
    return " ".join(parts)


def _value(option: Parameter, catalogue: Catalogue) -> list[str]:
    if option.completes == "file":
        return ["-r", "-F"]
    if option.completes == "directory":
        return ["-x", "-a '(__fish_complete_directories)'"]
    offered = catalogue.offers(option)
    return ["-x", f"-a {_quoted(' '.join(offered))}"] if offered else ["-x"]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
