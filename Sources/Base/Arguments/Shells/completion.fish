# fish completion for @NAME@, made by '@ORIGIN@'.

function _@FUNCTION@_candidates
    # Within quotes, the token has only the opening one.
    set -l current (string replace --all --regex '[\\\\"\']' '' -- (commandline -ct))
    set -l words (commandline -opc)
    for line in (@ASK@ "$current" $words[2..-1] 2>/dev/null)
        if test "$line" = \tfiles
            set -l option (string match -r '^--[^=]*=' -- "$current")
            for file in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current"))
                echo "$option$file"
            end
        else
            echo $line
        end
    end
end

complete -c @NAME@ -f -a '(_@FUNCTION@_candidates)'
