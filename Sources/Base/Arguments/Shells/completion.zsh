#compdef @NAME@
# zsh completion for @NAME@, made by '@ORIGIN@'.

_@FUNCTION@() {
    local line value
    local -a values open
    local -i result=1
    for line in ${(f)"$(@ASK@ "${(Q)PREFIX}" "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)"}; do
        if [[ $line == $'\t'files ]]; then
            compset -P '--*='
            _files && result=0
            continue
        fi
        value=${line%%$'\t'*}
        line=${${value//\\/\\\\}//:/\\:}${${line#"$value"}/$'\t'/:}
        # A value follows an equals sign at once.
        if [[ $value == *= ]]; then open+=("$line"); else values+=("$line"); fi
    done
    _describe -t values value values && result=0
    _describe -t values value open -S '' && result=0
    return result
}

if [[ $funcstack[1] == _@FUNCTION@ ]]; then
    _@FUNCTION@ "$@"
else
    compdef _@FUNCTION@ @NAME@
fi
