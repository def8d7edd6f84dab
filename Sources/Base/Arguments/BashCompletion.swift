// SPDX-License-Identifier: MIT

/// The completion script of a program for bash.
struct BashCompletion {
    let script: CompletionScript

    var text: String {
        """
        # bash completion for \(script.origin).

        # Adds the lines of standard input that begin with the word being completed; never expands them.
        \(script.functionName)_lines() {
            local line
            while IFS= read -r line; do
                [[ $line == "$current"* ]] && COMPREPLY+=("$line")
            done
        }

        # Adds what a command says to the word being completed and those before it, quoted as it has to be typed.
        \(script.functionName)_answers() {
            local line typed=${current//\\\\/} quote=''
            if [[ $typed == [\\'\\"]* ]]; then
                quote=${typed:0:1} typed=${typed:1}
            fi
            while IFS= read -r line; do
                [[ $line == "$typed"* ]] || continue
                # A value follows at once.
                [[ $line == *= ]] && compopt -o nospace
                # Within quotes nothing is quoted: what a shell would run or end them with is not offered there.
                if [[ -z $quote ]]; then
                    printf -v line %q "$line"
                elif [[ $line == *[\\`\\$\\"\\'\\\\!]* ]]; then
                    continue
                fi
                COMPREPLY+=("$line")
            done < <("$@" -- "$typed" "${words[@]}" 2>/dev/null)
        }

        \(script.functionName)() {
            local current=${COMP_WORDS[COMP_CWORD]} option='' path=\(script.quoted(script.root.name)) position=0 index word words=()
            COMPREPLY=()
            # --name=value arrives as three words: the equals sign breaks words.
            [[ $current == = ]] && current=''
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if [[ $word == = ]]; then
                    continue
                elif [[ -n $option ]]; then
                    option=''
                elif [[ $word == -* ]]; then
                    case "$path:$word" in
        \(arms(valuePatterns, "option=$word"))
                    esac
                else
                    case "$path $word" in
        \(arms(subcommandPatterns, "path+=\" $word\""))
                    *) ((position += 1)); words+=("$word") ;;
                    esac
                fi
            done

            if [[ -n $option ]]; then
                case "$path:$option" in
        \(optionValues)
                esac
                return
            fi
            if [[ $current == -* ]]; then
                case "$path" in
        \(options)
                esac
                return
            fi
            case "$path:$position" in
        \(words)
            esac
        }

        complete -F \(script.functionName) \(script.root.name)

        """
    }

    /// An arm of a `case` needs at least one pattern.
    private func arms(_ patterns: [String], _ body: String) -> String {
        "            \(patterns.isEmpty ? "''" : patterns.joined(separator: " | "))) \(body) ;;"
    }

    /// Each option that takes a value, with the patterns that match its spellings at its own command and all below.
    private var optionsWithValues: [(patterns: [String], option: Option)] {
        script.places.flatMap { place in
            place.command.options.filter(\.takesValue).map { option in
                let spellings = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
                return (spellings.map { "\(script.quoted(place.path))*:\($0)" }, option)
            }
        }
    }

    private var valuePatterns: [String] { optionsWithValues.flatMap(\.patterns) }

    private var subcommandPatterns: [String] { script.places.dropFirst().map { script.quoted($0.path) } }

    private var optionValues: String {
        let lines = optionsWithValues.compactMap { patterns, option in
            action(option).map { "        \(patterns.joined(separator: " | "))) \($0) ;;" }
        }
        return (lines.isEmpty ? ["        *) ;;"] : lines).joined(separator: "\n")
    }

    private var options: String {
        script.places.map { place in
            let words = place.options.map { "--\($0.long)" }
            return "        \(script.quoted(place.path))) \(add(words)) ;;"
        }.joined(separator: "\n")
    }

    private var words: String {
        script.places.flatMap { place -> [String] in
            if !place.subcommands.isEmpty {
                return ["    \(script.quoted(place.path + ":0"))) \(add(place.subcommands.map(\.name))) ;;"]
            }
            return CompletionScript.positions(place.command.positionals).compactMap { position, positionals in
                let pattern =
                    position.map { script.quoted("\(place.path):\($0)") } ?? "\(script.quoted(place.path + ":"))*"
                let actions = positionals.compactMap(action)
                return actions.isEmpty ? nil : "    \(pattern)) \(actions.joined(separator: "; ")) ;;"
            }
        }.joined(separator: "\n")
    }

    private func action(_ value: some CompletableValue) -> String? {
        switch value.candidates {
        case .unknown: nil
        case .words(let words): add(words)
        case .files(let words):
            (words.isEmpty ? "" : add(words) + "; ")
                + "compopt -o filenames; \(script.functionName)_lines < <(compgen -f -- \"$current\")"
        case .answers(let command): "\(script.functionName)_answers \(command)"
        }
    }

    private func add(_ words: [String]) -> String {
        "\(script.functionName)_lines < <(printf '%s\\n' \(words.joined(separator: " ")))"
    }
}
