// SPDX-License-Identifier: MIT

/// The completion script of a program for fish.
struct FishCompletion {
    let script: CompletionScript

    var text: String {
        """
        # fish completion for \(script.origin).

        # True at word POSITION (or any, for *) after the commands that follow it.
        function _\(script.functionName)_at --argument-names position
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

        # What a command says to the word being completed and those before it, after the names of DEPTH commands.
        function _\(script.functionName)_answers --argument-names depth
            set -l current (commandline -ct)
            set -l words
            for word in (commandline -opc)[2..-1]
                string match --quiet -- '-*' $word; or set --append words $word
            end
            set --erase words[1..$depth]
            $argv[2] $argv[3..-1] -- "$current" $words 2>/dev/null
        end

        complete -c \(script.root.name) -f
        \(script.places.map(lines).joined(separator: "\n"))

        """
    }

    private func lines(_ place: CompletionScript.Place) -> String {
        let path = place.lineage.dropFirst().map { " " + $0.name }.joined()
        let anywhere = path.isEmpty ? "" : "-n \"_\(script.functionName)_at '*'\(path)\" "
        let depth = place.lineage.count - 1
        var lines = place.command.options.map { anywhere + option($0, depth: depth) }
        if path.isEmpty { lines.append(option(.help)) }
        func condition(_ position: String) -> String { "-n \"_\(script.functionName)_at \(position)\(path)\" " }
        lines += place.subcommands.map { "\(condition("0"))-a \($0.name) -d \(script.quoted($0.summary))" }
        if place.subcommands.isEmpty {
            lines += CompletionScript.positions(place.command.positionals).flatMap { position, positionals in
                positionals.compactMap { candidates($0, depth: depth) }.map {
                    condition(position.map(String.init) ?? "'*'") + $0
                }
            }
        }
        return lines.map { "complete -c \(script.root.name) \($0)" }.joined(separator: "\n")
    }

    private func option(_ option: Option, depth: Int = 0) -> String {
        var words = ["-l \(option.long)"]
        if let short = option.short { words.append("-s \(short)") }
        if option.takesValue {
            words.append(["-r", candidates(option, depth: depth)].compactMap { $0 }.joined(separator: " "))
        }
        words.append("-d \(script.quoted(option.help))")
        return words.joined(separator: " ")
    }

    private func candidates(_ value: some CompletableValue, depth: Int) -> String? {
        switch value.candidates {
        case .unknown: nil
        case .words(let words): "-a \(script.quoted(words.joined(separator: " ")))"
        case .files(let words): words.isEmpty ? "-F" : "-F -a \(script.quoted(words.joined(separator: " ")))"
        case .answers(let command): "-a \(script.quoted("(_\(script.functionName)_answers \(depth) \(command))"))"
        }
    }
}
