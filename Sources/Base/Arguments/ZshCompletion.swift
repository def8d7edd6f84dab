// SPDX-License-Identifier: MIT

/// The completion script of a program for zsh.
struct ZshCompletion {
    let script: CompletionScript

    var text: String {
        """
        #compdef \(script.root.name)
        # zsh completion for \(script.origin).

        # What a command says to the word being completed and those before it.
        \(script.functionName)_answers() {
            local -a answers typed
            typed=(${(Q)${words[2,CURRENT-1]:#-*}})
            answers=(${(f)"$("$@" -- "${(Q)PREFIX}" $typed 2>/dev/null)"})
            # A value follows an equals sign at once.
            compadd -S '' -- ${(M)answers:#*=}
            compadd -- ${answers:#*=}
        }

        \(script.places.map(function).joined(separator: "\n\n"))

        if [[ $funcstack[1] == \(script.functionName) ]]; then
            \(script.functionName) "$@"
        else
            compdef \(script.functionName) \(script.root.name)
        fi

        """
    }

    /// One function for each command. The function of a command with subcommands calls theirs.
    private func function(_ place: CompletionScript.Place) -> String {
        var specifications = place.options.flatMap(self.specifications)
        if place.subcommands.isEmpty {
            specifications += place.command.positionals.enumerated().map(specification)
        } else {
            // (-) stops at the subcommand, whose own function reads the options behind it: read here, they would change
            // the count of words.
            specifications += ["'(-): :->command'", "'(-)*:: :->arguments'"]
        }
        let arguments = specifications.map { "        \($0)" }.joined(separator: " \\\n")
        var lines = ["\(name(place))() {"]
        lines.append("    local curcontext=$curcontext state line")
        lines.append("    typeset -A opt_args")
        lines.append("    _arguments -C -s -S \\\n\(arguments)")
        if !place.subcommands.isEmpty {
            lines.append(dispatch(place))
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private func dispatch(_ place: CompletionScript.Place) -> String {
        let summaries = place.subcommands.map { "            \(script.quoted("\($0.name):\($0.summary)"))" }
        let calls = place.subcommands.map {
            "        \($0.name)) \(name(CompletionScript.Place(lineage: place.lineage + [$0]))) ;;"
        }
        return """
                case $state in
                command)
                    local -a commands=(
            \(summaries.joined(separator: "\n"))
                    )
                    _describe -t commands \(script.quoted("\(place.path) command")) commands
                    ;;
                arguments)
                    case $line[1] in
            \(calls.joined(separator: "\n"))
                    esac
                    ;;
                esac
            """
    }

    private func specifications(_ option: Option) -> [String] {
        let help = escaped(option.help)
        let value = option.valueName.map { ":\(escaped($0)):\(action(option))" } ?? ""
        let long = script.quoted("--\(option.long)\(option.takesValue ? "=" : "")[\(help)]\(value)")
        guard let short = option.short else { return [long] }
        return [long, script.quoted("-\(short)\(option.takesValue ? "+" : "")[\(help)]\(value)")]
    }

    private func specification(_ index: Int, _ positional: Positional) -> String {
        let place = positional.isRepeating ? "*" : "\(index + 1)"
        let colons = positional.isOptional && !positional.isRepeating ? "::" : ":"
        return script.quoted("\(place)\(colons)\(escaped(positional.name)):\(action(positional))")
    }

    private func action(_ value: some CompletableValue) -> String {
        switch value.candidates {
        case .unknown: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .answers(let command): "{\(script.functionName)_answers \(command)}"
        }
    }

    private func name(_ place: CompletionScript.Place) -> String {
        "_" + place.lineage.map { script.identifier($0.name) }.joined(separator: "_")
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, letter in
            if "[]:\\".contains(letter) { escaped += "\\" }
            escaped.append(letter)
        }
    }
}
