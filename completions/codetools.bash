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

_codetools_known() {
    words='' options='' taking='' files='' directories='' repeats=0 arguments=()
    case $1 in
        '') words='answer bash batch call completions config delete diff doctor edit exec find generate gitignore glob grep help history jobs ls mcp mkdir move patch permissions read tools tree undo write' options='--help --version' ;;
        ' config') words='check path show trust' options='--help' ;;
        ' gitignore') words='add check' options='--help' ;;
        ' jobs') words='kill list output prune wait' options='--help' ;;
        ' mcp') words='call config list prompts read resources serve tools' options='--help' ;;
        ' permissions') words='allow approve check deny list wait' options='--help' ;;
        ' tools') words='activate list reset schema search show' options='--help' ;;
        ' permissions check') words='bash delete diff edit exec find gitignore glob grep history jobs ls mkdir move patch read tools tree undo write' options='--help' ;;
        ' answer')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -f --format --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars -f --format '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' bash')
            options='-t --timeout-seconds --run-in-background --working-dir --stdin --stdin-file --sandbox --description --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --stream --color --help'
            taking=' -t --timeout-seconds --working-dir --stdin --stdin-file --sandbox --description --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --working-dir --stdin-file --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' batch')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --unordered --stream --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' call')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('bash delete diff edit exec find gitignore_add gitignore_check glob grep history jobs_kill jobs_list jobs_output jobs_prune jobs_wait ls mkdir move patch read tools_search tree undo write' '')
            ;;
        ' completions')
            options='--json --color --help'
            taking=' --color '
            arguments=('bash zsh fish')
            ;;
        ' config check')
            options='--root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' config path')
            options='--root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('user allowed project state')
            ;;
        ' config show')
            options='--changed --root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' config trust')
            options='-y --yes --remove --root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' delete')
            options='-r --recursive --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            repeats=1
            ;;
        ' diff')
            options='--session --path --root -C --directory --add-dir --config --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --session --path --root -C --directory --add-dir --config --approve --allow --deny --max-chars --color '
            files=' --path --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' doctor')
            options='--root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' edit')
            options='--old-string --old-string-file --new-string --new-string-file -a --replace-all --edits --edits-file --partial --count --near-line --encoding --expect-sha256 --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --old-string --old-string-file --new-string --new-string-file --edits --edits-file --count --near-line --encoding --expect-sha256 --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --old-string-file --new-string-file --edits-file --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>' '' '')
            ;;
        ' exec')
            options='-t --timeout-seconds --run-in-background --working-dir --stdin --stdin-file --sandbox --description --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --stream --color --help'
            taking=' -t --timeout-seconds --working-dir --stdin --stdin-file --sandbox --description --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --working-dir --stdin-file --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' find')
            options='--name -t --kind -s --size --newer --older --max-depth --min-depth --empty --regex -i --case-insensitive --iname --mtime --mmin --sort --include-ignored -L --follow -0 --null --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --name -t --kind -s --size --newer --older --max-depth --min-depth --regex --iname --mtime --mmin --sort --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('' '<file>')
            ;;
        ' generate')
            options='--check --json --color --help'
            taking=' --color '
            arguments=('man completions readme')
            repeats=1
            ;;
        ' gitignore add')
            options='--path --root -C --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --path --root -C --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --path --root -C --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' gitignore check')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            repeats=1
            ;;
        ' glob')
            options='--include-ignored -L --follow -0 --null --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('' '<file>')
            ;;
        ' grep')
            options='-e --pattern --pattern-file -g --glob -t --type --output-mode -l --files-with-matches -c --count -C --context -B --before -A --after -i --case-insensitive -S --smart-case -w --word -F --literal -U --multiline -m --head-limit --offset --sort --mark --include-ignored --follow -n --line-numbers --no-line-numbers -v --invert-match -q --quiet -0 --null --dialect -E --extended-regexp --recursion -r --recursive -R --dereference-recursive --root --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' -e --pattern --pattern-file -g --glob -t --type --output-mode -C --context -B --before -A --after -m --head-limit --offset --sort --dialect --recursion --root --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --pattern-file --config '
            directories=' --root --directory --add-dir '
            arguments=('' '<file>' '<file>')
            repeats=1
            ;;
        ' help')
            options='--json --color --help'
            taking=' --color '
            arguments=('answer bash batch call completions config delete diff doctor edit exec find generate gitignore glob grep help history jobs ls mcp mkdir move patch permissions read tools tree undo write')
            repeats=1
            ;;
        ' history')
            options='--session -a --all -n --limit --root -C --directory --add-dir --config --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --session -n --limit --root -C --directory --add-dir --config --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            ;;
        ' jobs kill')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --stream --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' jobs list')
            options='-a --all --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' jobs output')
            options='--cursor -n --tail -f --follow -t --timeout-seconds --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --cursor -n --tail -t --timeout-seconds --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' jobs prune')
            options='--keep --days --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --stream --color --help'
            taking=' --keep --days --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' jobs wait')
            options='-t --timeout-seconds --any --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' -t --timeout-seconds --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' ls')
            options='-a --include-ignored -l --long --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            ;;
        ' mcp call')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('' '' '')
            ;;
        ' mcp config')
            options='--root --read-only --json --color --help'
            taking=' --root --color '
            directories=' --root '
            arguments=('claude-code claude-desktop codex cursor gemini-cli vscode zed')
            ;;
        ' mcp list')
            options='--root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' mcp prompts')
            options='--root -C --directory --add-dir --config --deny --json --color --help'
            taking=' --root -C --directory --add-dir --config --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('' '' '')
            ;;
        ' mcp read')
            options='--root -C --directory --add-dir --config --deny --json --color --help'
            taking=' --root -C --directory --add-dir --config --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('' '')
            ;;
        ' mcp resources')
            options='--root -C --directory --add-dir --config --deny --json --color --help'
            taking=' --root -C --directory --add-dir --config --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' mcp serve')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --all --http --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --http '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' mcp tools')
            options='--root -C --directory --add-dir --config --deny --json --color --help'
            taking=' --root -C --directory --add-dir --config --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' mkdir')
            options='-p --parents --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<directory>')
            ;;
        ' move')
            options='-f --overwrite --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>' '<file>')
            ;;
        ' patch')
            options='--patch --patch-file --file-path --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --patch --patch-file --file-path --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --patch-file --file-path --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' permissions allow')
            options='--remove --root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' permissions approve')
            options='--json --color --help'
            taking=' --color '
            arguments=('')
            ;;
        ' permissions deny')
            options='--remove --root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            repeats=1
            ;;
        ' permissions list')
            options='--root -C --directory --add-dir --config --session --yolo --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' permissions wait')
            options='-t --timeout-seconds --json --color --help'
            taking=' -t --timeout-seconds --color '
            arguments=('')
            ;;
        ' read')
            options='-o --offset -l --limit -p --pages -N --no-number --raw --base64 --totals --encoding --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' -o --offset -l --limit -p --pages --encoding --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            ;;
        ' tools activate')
            options='--root -C --directory --add-dir --config --session --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('bash delete diff edit exec find gitignore_add gitignore_check glob grep history jobs_kill jobs_list jobs_output jobs_prune jobs_wait ls mkdir move patch read tools_search tree undo write')
            repeats=1
            ;;
        ' tools list')
            options='--read-only --allowed --active --all --root -C --directory --add-dir --config --session --deny --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('bash delete diff edit exec find gitignore_add gitignore_check glob grep history jobs_kill jobs_list jobs_output jobs_prune jobs_wait ls mkdir move patch read tools_search tree undo write')
            repeats=1
            ;;
        ' tools reset')
            options='--root -C --directory --add-dir --config --session --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            ;;
        ' tools schema')
            options='--read-only --allowed --active --all -f --format --indent --root -C --directory --add-dir --config --session --deny --json --color --help'
            taking=' -f --format --root -C --directory --add-dir --config --session --deny --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('bash delete diff edit exec find gitignore_add gitignore_check glob grep history jobs_kill jobs_list jobs_output jobs_prune jobs_wait ls mkdir move patch read tools_search tree undo write')
            repeats=1
            ;;
        ' tools search')
            options='--limit --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' --limit --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' tools show')
            options='--root -C --directory --add-dir --config --json --color --help'
            taking=' --root -C --directory --add-dir --config --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('bash delete diff edit exec find gitignore_add gitignore_check glob grep history jobs_kill jobs_list jobs_output jobs_prune jobs_wait ls mkdir move patch read tools_search tree undo write')
            ;;
        ' tree')
            options='-L --depth -a --include-ignored -l --follow --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars --json --color --help'
            taking=' -L --depth --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>')
            ;;
        ' undo')
            options='--root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --config '
            directories=' --root -C --directory --add-dir '
            arguments=('')
            ;;
        ' write')
            options='--content --content-file --expect-sha256 --encoding --root -C --directory --add-dir --config --session --yolo --approve --allow --deny --read-only --max-chars -n --dry-run --json --color --help'
            taking=' --content --content-file --expect-sha256 --encoding --root -C --directory --add-dir --config --session --approve --allow --deny --max-chars --color '
            files=' --content-file --config '
            directories=' --root -C --directory --add-dir '
            arguments=('<file>' '')
            ;;
    esac
}

_codetools_choices() {
    words=''
    case $1 in
        ' answer -f'|' answer --format') words='anthropic openai openai-responses gemini' ;;
        ' bash --sandbox') words='none workspace require' ;;
        ' bash --color') words='auto always never' ;;
        ' completions --color') words='auto always never' ;;
        ' config check --color') words='auto always never' ;;
        ' config path --color') words='auto always never' ;;
        ' config show --color') words='auto always never' ;;
        ' config trust --color') words='auto always never' ;;
        ' delete --color') words='auto always never' ;;
        ' diff --color') words='auto always never' ;;
        ' doctor --color') words='auto always never' ;;
        ' edit --color') words='auto always never' ;;
        ' exec --sandbox') words='none workspace require' ;;
        ' exec --color') words='auto always never' ;;
        ' find -t'|' find --kind') words='file directory link other f d l' ;;
        ' find --sort') words='newest name' ;;
        ' find --color') words='auto always never' ;;
        ' generate --color') words='auto always never' ;;
        ' gitignore add --color') words='auto always never' ;;
        ' gitignore check --color') words='auto always never' ;;
        ' glob --color') words='auto always never' ;;
        ' grep -t'|' grep --type') words='asm awk bat bazel c clojure cmake config cpp csharp css csv dart diff docker elixir erlang fish go gradle graphql h haskell html java js json julia jupyter kotlin less log lua make markdown md nix objc ocaml perl php protobuf ps py python r rst ruby rust sass scala sh sql svelte swift tex tf toml ts txt typescript vim vue xml yaml zig zsh' ;;
        ' grep --output-mode') words='content files_with_matches count' ;;
        ' grep --sort') words='path modified' ;;
        ' grep --dialect') words='extended_regexp' ;;
        ' grep --recursion') words='recursive dereference_recursive' ;;
        ' grep --color') words='auto always never' ;;
        ' help --color') words='auto always never' ;;
        ' history --color') words='auto always never' ;;
        ' jobs kill --color') words='auto always never' ;;
        ' jobs list --color') words='auto always never' ;;
        ' jobs output --color') words='auto always never' ;;
        ' jobs prune --color') words='auto always never' ;;
        ' jobs wait --color') words='auto always never' ;;
        ' ls --color') words='auto always never' ;;
        ' mcp call --color') words='auto always never' ;;
        ' mcp config --color') words='auto always never' ;;
        ' mcp list --color') words='auto always never' ;;
        ' mcp prompts --color') words='auto always never' ;;
        ' mcp read --color') words='auto always never' ;;
        ' mcp resources --color') words='auto always never' ;;
        ' mcp tools --color') words='auto always never' ;;
        ' mkdir --color') words='auto always never' ;;
        ' move --color') words='auto always never' ;;
        ' patch --color') words='auto always never' ;;
        ' permissions allow --color') words='auto always never' ;;
        ' permissions approve --color') words='auto always never' ;;
        ' permissions deny --color') words='auto always never' ;;
        ' permissions list --color') words='auto always never' ;;
        ' permissions wait --color') words='auto always never' ;;
        ' read --color') words='auto always never' ;;
        ' tools activate --color') words='auto always never' ;;
        ' tools list --color') words='auto always never' ;;
        ' tools reset --color') words='auto always never' ;;
        ' tools schema -f'|' tools schema --format') words='openai openai-responses openai-strict anthropic gemini mcp json markdown' ;;
        ' tools schema --color') words='auto always never' ;;
        ' tools search --color') words='auto always never' ;;
        ' tools show --color') words='auto always never' ;;
        ' tree --color') words='auto always never' ;;
        ' undo --color') words='auto always never' ;;
        ' write --color') words='auto always never' ;;
    esac
}

complete -F _codetools codetools
