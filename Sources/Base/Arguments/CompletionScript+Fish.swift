// SPDX-License-Identifier: MIT

extension CompletionScript {
    var fish: String {
        """
        # fish completion for \(origin).

        # True at word POSITION (or any, for *) behind the commands that follow it.
        function _\(functionName)_at --argument-names position
            set -l path $argv[2..-1]
            set -l words
            for word in (commandline -opc)[2..-1]
                string match --quiet -- '-*' $word; or set --append words $word
            end
            test (count $words) -ge (count $path); or return 1
            set -l index 0
            for name in $path
                set index (math $index + 1)
                test "$words[$index]" = $name; or return 1
            end
            test $position = '*'; or test (count $words) -eq (math $index + $position)
        end

        complete -c \(root.name) -f
        \(places.map(fishLines).joined(separator: "\n"))

        """
    }

    private func fishLines(_ place: Place) -> String {
        let path = place.lineage.dropFirst().map { " " + $0.name }.joined()
        let anywhere = path.isEmpty ? "" : "-n \"_\(functionName)_at '*'\(path)\" "
        var lines = place.command.options.filter { !$0.isHidden }.map { anywhere + fishOption($0) }
        if path.isEmpty { lines.append(fishOption(.help)) }
        func condition(_ position: String) -> String { "-n \"_\(functionName)_at \(position)\(path)\" " }
        lines += place.subcommands.map { "\(condition("0"))-a \($0.name) -d \(quoted($0.summary))" }
        if place.subcommands.isEmpty {
            lines += place.command.positionals.enumerated().compactMap { index, positional in
                let position = positional.isRepeating ? "'*'" : "\(index)"
                return fishCandidates(positional).map { condition(position) + $0 }
            }
        }
        return lines.map { "complete -c \(root.name) \($0)" }.joined(separator: "\n")
    }

    private func fishOption(_ option: Option) -> String {
        var words = ["-l \(option.long)"]
        if let short = option.short { words.append("-s \(short)") }
        if option.takesValue { words.append(["-r", fishCandidates(option)].compactMap { $0 }.joined(separator: " ")) }
        words.append("-d \(quoted(option.help))")
        return words.joined(separator: " ")
    }

    private func fishCandidates(_ value: some CompletableValue) -> String? {
        switch value.candidates {
        case .unknown: nil
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        case .files: "-F"
        case .lines(let command): "-a \(quoted("(\(command) 2>/dev/null)"))"
        }
    }
}
