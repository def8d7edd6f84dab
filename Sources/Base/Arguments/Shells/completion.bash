# bash completion for @NAME@, made by '@ORIGIN@'.

_@FUNCTION@() {
    local current=${COMP_WORDS[COMP_CWORD]} line quote='' typed words=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
    # NAME=VALUE arrives as three words, and NAME= as two.
    [[ $current == = ]] && words+=(=) current=''
    typed=${current//\\/}
    if [[ $typed == [\'\"]* ]]; then
        quote=${typed:0:1} typed=${typed:1}
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == $'\t'files ]]; then
            compopt -o filenames
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen -f -- "$current")
            continue
        fi
        line=${line%%$'\t'*}
        # A value follows at once.
        [[ $line == *= ]] && compopt -o nospace
        # Within quotes nothing is quoted: what a shell would run or end them with is not offered there.
        if [[ -z $quote ]]; then
            printf -v line %q "$line"
        elif [[ $line == *[\`\$\"\'\\!]* ]]; then
            continue
        fi
        COMPREPLY+=("$line")
    done < <(@ASK@ "$typed" "${words[@]}" 2>/dev/null)
}

complete -F _@FUNCTION@ @NAME@
