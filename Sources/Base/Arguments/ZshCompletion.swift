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
            specifications += CompletionScript.positions(place.command.positionals).map(specification)
        } else {
            // (-) stops at the subcommand, whose own function reads the options after it: read here, they would change
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

    private func specification(_ position: Int?, _ positionals: [Positional]) -> String {
        let place = position.map { "\($0 + 1)" } ?? "*"
        let colons = positionals.allSatisfy { $0.isOptional && !$0.isRepeating } ? "::" : ":"
        let names = positionals.map { escaped($0.name) }.joined(separator: " or ")
        if positionals.count == 1 { return script.quoted("\(place)\(colons)\(names):\(action(positionals[0]))") }
        // _alternative of zshcompsys(1): each with a tag of its own.
        let all = positionals.enumerated().map { #""\#($0)\:\#(escaped($1.name))\:\#(action($1))""# }.joined(
            separator: " ")
        return script.quoted("\(place)\(colons)\(names):{_alternative \(all)}")
    }

    private func action(_ value: some CompletableValue) -> String {
        switch value.candidates {
        case .unknown: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files(let words):
            words.isEmpty
                ? "_files" : #"{_alternative "0\:word\:(\#(words.joined(separator: " ")))" "1\:file\:_files"}"#
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
