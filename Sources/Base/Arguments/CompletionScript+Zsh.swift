// SPDX-License-Identifier: MIT

extension CompletionScript {
    var zsh: String {
        """
        #compdef \(root.name)
        # zsh completion for \(origin).

        # What a command says to the word being completed and those before it.
        \(functionName)_answers() {
            local -a answers typed
            typed=(${(Q)${words[2,CURRENT-1]:#-*}})
            answers=(${(f)"$("$@" -- "${(Q)PREFIX}" $typed 2>/dev/null)"})
            compadd -- $answers
        }

        \(places.map(zshFunction).joined(separator: "\n\n"))

        if [[ $funcstack[1] == \(functionName) ]]; then
            \(functionName) "$@"
        else
            compdef \(functionName) \(root.name)
        fi

        """
    }

    /// One function for each command; that of a command with subcommands hands on to theirs.
    private func zshFunction(_ place: Place) -> String {
        var specifications = place.options.flatMap(zshSpecifications)
        if place.subcommands.isEmpty {
            specifications += place.command.positionals.enumerated().map(zshSpecification)
        } else {
            // Options behind the name of a command are left for its own function: here they would hide how many words there are.
            specifications += ["'(-): :->command'", "'(-)*:: :->arguments'"]
        }
        let arguments = specifications.map { "        \($0)" }.joined(separator: " \\\n")
        var lines = ["\(zshName(place))() {"]
        lines.append("    local curcontext=$curcontext state line")
        lines.append("    typeset -A opt_args")
        lines.append("    _arguments -C -s -S \\\n\(arguments)")
        if !place.subcommands.isEmpty {
            lines.append(zshDispatch(place))
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private func zshDispatch(_ place: Place) -> String {
        let summaries = place.subcommands.map { "            \(quoted("\($0.name):\($0.summary)"))" }
        let calls = place.subcommands.map {
            "        \($0.name)) \(zshName(Place(lineage: place.lineage + [$0]))) ;;"
        }
        return """
                case $state in
                command)
                    local -a commands=(
            \(summaries.joined(separator: "\n"))
                    )
                    _describe -t commands \(quoted("\(place.path) command")) commands
                    ;;
                arguments)
                    case $line[1] in
            \(calls.joined(separator: "\n"))
                    esac
                    ;;
                esac
            """
    }

    private func zshSpecifications(_ option: Option) -> [String] {
        let help = zshEscaped(option.help)
        let value = option.valueName.map { ":\(zshEscaped($0)):\(zshAction(option))" } ?? ""
        let long = quoted("--\(option.long)\(option.takesValue ? "=" : "")[\(help)]\(value)")
        guard let short = option.short else { return [long] }
        return [long, quoted("-\(short)\(option.takesValue ? "+" : "")[\(help)]\(value)")]
    }

    private func zshSpecification(_ index: Int, _ positional: Positional) -> String {
        let place = positional.isRepeating ? "*" : "\(index + 1)"
        let colons = positional.isOptional && !positional.isRepeating ? "::" : ":"
        return quoted("\(place)\(colons)\(zshEscaped(positional.name)):\(zshAction(positional))")
    }

    private func zshAction(_ value: some CompletableValue) -> String {
        switch value.candidates {
        case .unknown: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .lines(let command): "{compadd -- ${(f)\"$(\(command) 2>/dev/null)\"}}"
        case .answers(let command): "{\(functionName)_answers \(command)}"
        }
    }

    private func zshName(_ place: Place) -> String {
        "_" + place.lineage.map { identifier($0.name) }.joined(separator: "_")
    }

    private func zshEscaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, letter in
            if "[]:\\".contains(letter) { escaped += "\\" }
            escaped.append(letter)
        }
    }
}
