// SPDX-License-Identifier: MIT

extension CompletionScript {
    var bash: String {
        """
        # bash completion for \(origin).

        # Adds the lines of standard input that begin with the word being completed; never expands them.
        \(functionName)_lines() {
            local line
            while IFS= read -r line; do
                [[ $line == "$current"* ]] && COMPREPLY+=("$line")
            done
        }

        # Adds what a command says to the word being completed and those before it, quoted as it has to be typed.
        \(functionName)_answers() {
            local line typed=${current//\\\\/} quote=''
            if [[ $typed == [\\'\\"]* ]]; then
                quote=${typed:0:1} typed=${typed:1}
            fi
            while IFS= read -r line; do
                [[ $line == "$typed"* ]] || continue
                # Within quotes nothing is quoted: what a shell would run or end them with is not offered there.
                if [[ -z $quote ]]; then
                    printf -v line %q "$line"
                elif [[ $line == *[\\`\\$\\"\\'\\\\!]* ]]; then
                    continue
                fi
                COMPREPLY+=("$line")
            done < <("$@" -- "$typed" "${words[@]}" 2>/dev/null)
        }

        \(functionName)() {
            local current=${COMP_WORDS[COMP_CWORD]} option='' path=\(quoted(root.name)) position=0 index word words=()
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
        \(arms(bashValuePatterns, "option=$word"))
                    esac
                else
                    case "$path $word" in
        \(arms(places.dropFirst().map { quoted($0.path) }, "path+=\" $word\""))
                    *) ((position += 1)); words+=("$word") ;;
                    esac
                fi
            done

            if [[ -n $option ]]; then
                case "$path:$option" in
        \(bashOptionValues)
                esac
                return
            fi
            if [[ $current == -* ]]; then
                case "$path" in
        \(bashOptions)
                esac
                return
            fi
            case "$path:$position" in
        \(bashWords)
            esac
        }

        complete -F \(functionName) \(root.name)

        """
    }

    private func arms(_ patterns: [String], _ body: String) -> String {
        "            \(patterns.joined(separator: " | "))) \(body) ;;"
    }

    /// The ways to spell each option that takes a value, at its own command and all below.
    private var bashOptionsWithValues: [(patterns: [String], option: Option)] {
        places.flatMap { place in
            place.command.options.filter { $0.takesValue && !$0.isHidden }.map { option in
                let spellings = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
                return (spellings.map { "\(quoted(place.path))*:\($0)" }, option)
            }
        }
    }

    private var bashValuePatterns: [String] {
        // A case needs a pattern, even in a program whose options are all flags.
        let patterns = bashOptionsWithValues.flatMap(\.patterns)
        return patterns.isEmpty ? ["''"] : patterns
    }

    private var bashOptionValues: String {
        let lines = bashOptionsWithValues.compactMap { patterns, option in
            bashAction(option).map { "        \(patterns.joined(separator: " | "))) \($0) ;;" }
        }
        return (lines.isEmpty ? ["        *) ;;"] : lines).joined(separator: "\n")
    }

    private var bashOptions: String {
        places.map { place in
            let words = place.options.map { "--\($0.long)" }
            return "        \(quoted(place.path))) \(bashAdd(words)) ;;"
        }.joined(separator: "\n")
    }

    private var bashWords: String {
        places.flatMap { place -> [String] in
            if !place.subcommands.isEmpty {
                return ["    \(quoted(place.path + ":0"))) \(bashAdd(place.subcommands.map(\.name))) ;;"]
            }
            return place.command.positionals.enumerated().compactMap { index, positional in
                let pattern = positional.isRepeating ? "\(quoted(place.path + ":"))*" : quoted("\(place.path):\(index)")
                return bashAction(positional).map { "    \(pattern)) \($0) ;;" }
            }
        }.joined(separator: "\n")
    }

    private func bashAction(_ value: some CompletableValue) -> String? {
        switch value.candidates {
        case .unknown: nil
        case .words(let words): bashAdd(words)
        case .files: "compopt -o filenames; \(functionName)_lines < <(compgen -f -- \"$current\")"
        case .lines(let command): "\(functionName)_lines < <(\(command) 2>/dev/null)"
        case .answers(let command): "\(functionName)_answers \(command)"
        }
    }

    private func bashAdd(_ words: [String]) -> String {
        "\(functionName)_lines < <(printf '%s\\n' \(words.joined(separator: " ")))"
    }
}
