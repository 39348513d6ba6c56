"""The bash completion, which also works in the bash of macOS (3.2) and without the bash-completion package."""

from codetools.cli.catalogue import CHECK_WORDS, Catalogue
from codetools.cli.reference import Command, Parameter

HEAD = """\
# bash completion for codetools; made by "codetools generate completions"

_codetools() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local path='' index=1 place=0 ended='' word words options taking files directories repeats arguments
    COMPREPLY=()
    _codetools_known ''
    while [[ -n $words ]] && ((index < COMP_CWORD)); do
        path+=" ${COMP_WORDS[index]}"
        [[ $path == ' permissions check '* ]] && path=${path#' permissions check'}
        ((index++))
        _codetools_known "$path"
    done
    if [[ -n $words ]]; then
        [[ $cur == -* ]] && words=$options
        _codetools_offer -W "$words"
        return
    fi
    while ((index < COMP_CWORD)); do
        word=${COMP_WORDS[index]}
        if [[ -n $ended || $word != -?* ]]; then
            ((place++))
        elif [[ $word == -- ]]; then
            ended=1
        elif [[ $taking == *" $word "* ]]; then
            [[ ${COMP_WORDS[index + 1]} == '=' ]] && ((index++))
            ((index++))
        fi
        ((index++))
    done
    if [[ $cur == '=' ]]; then
        cur=''
    elif [[ $before == '=' ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [[ -z $ended && $taking == *" $before "* ]]; then
        if [[ $files == *" $before "* ]]; then
            _codetools_offer -f
        elif [[ $directories == *" $before "* ]]; then
            _codetools_offer -d
        else
            _codetools_choices "$path $before"
            _codetools_offer -W "$words"
        fi
        return
    fi
    if [[ -z $ended && $cur == -* ]]; then
        _codetools_offer -W "$options"
        return
    fi
    ((repeats && place >= ${#arguments[@]})) && place=$((${#arguments[@]} - 1))
    case ${arguments[place]} in
        '<file>') _codetools_offer -f ;;
        '<directory>') _codetools_offer -d ;;
        *) _codetools_offer -W "${arguments[place]}" ;;
    esac
}

_codetools_offer() {
    local item
    [[ $1 == -W ]] || compopt -o filenames 2>/dev/null
    while IFS= read -r item; do
        COMPREPLY+=("$item")
    done < <(compgen "$@" -- "$cur")
}
"""


def bash_script(catalogue: Catalogue) -> str:
    """Return the script that bash sources."""
    known = [
        "",
        "_codetools_known() {",
        "    words='' options='' taking='' files='' directories='' repeats=0 arguments=()",
    ]
    known.append("    case $1 in")
    for group in catalogue.groups:
        options = "--help --version" if not group.words else "--help"
        words = " ".join(word for word, _ in group.below)
        known.append(f"        {_path(group.words)}) words={_quoted(words)} options='{options}' ;;")
    tools = sorted({words.split("_")[0] for words in catalogue.tools})
    known.append(f"        {_path(CHECK_WORDS)}) words={_quoted(' '.join(tools))} options='--help' ;;")
    choices = ["", "_codetools_choices() {", "    words=''", "    case $1 in"]
    for command in catalogue.commands:
        if command.words != CHECK_WORDS:
            known += _known(command, catalogue)
            choices += _choices(command, catalogue)
    end = ["    esac", "}"]
    return HEAD + "\n".join([*known, *end, *choices, *end, "", "complete -F _codetools codetools", ""])


def _known(command: Command, catalogue: Catalogue) -> list[str]:
    taking = [option for option in command.options if option.takes_value]
    every = " ".join(spelling for option in command.options for spelling in option.spellings)
    lines = [f"        {_path(command.words)})", f"            options={_quoted(every + ' --help')}"]
    for name, options in (
        ("taking", taking),
        ("files", [option for option in taking if option.completes == "file"]),
        ("directories", [option for option in taking if option.completes == "directory"]),
    ):
        if options:
            spellings = " ".join(spelling for option in options for spelling in option.spellings)
            lines.append(f"            {name}={_quoted(f' {spellings} ')}")
    if command.arguments:
        kinds = " ".join(_quoted(_kind(argument, catalogue)) for argument in command.arguments)
        lines.append(f"            arguments=({kinds})")
        if command.arguments[-1].repeats:
            lines.append("            repeats=1")
    return [*lines, "            ;;"]


def _kind(argument: Parameter, catalogue: Catalogue) -> str:
    if argument.completes in ("file", "directory"):
        return f"<{argument.completes}>"
    return " ".join(catalogue.offers(argument))


def _choices(command: Command, catalogue: Catalogue) -> list[str]:
    lines = []
    for option in command.options:
        if option.takes_value and (offered := catalogue.offers(option)):
            cases = "|".join(_quoted(f"{_plain(command.words)} {spelling}") for spelling in option.spellings)
            lines.append(f"        {cases}) words={_quoted(' '.join(offered))} ;;")
    return lines


def _path(words: tuple[str, ...]) -> str:
    return _quoted(_plain(words))


def _plain(words: tuple[str, ...]) -> str:
    return "".join(f" {word}" for word in words)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
