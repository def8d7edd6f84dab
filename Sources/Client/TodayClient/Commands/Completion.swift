// SPDX-License-Identifier: MIT

import Arguments

/// Prints what a shell needs to complete the words of a command line.
struct Completion: ControlCommand {
    static let command = Command(
        "completion", summary: "print the completion script for a shell",
        positionals: [
            Positional("SHELL", choices: CompletionScript.Shell.allCases.map(\.rawValue), help: "Which shell")
        ],
        examples: [.init("source <(todayctl completion bash)", "Completes in this shell.")])

    let shell: CompletionScript.Shell

    init(_ arguments: ParsedArguments) {
        shell = CompletionScript.Shell(rawValue: arguments.word("SHELL")) ?? .bash
    }

    func run(in context: CommandContext) throws -> ExitCode {
        try context.output.write(CompletionScript(for: TodayControl.command).text(for: shell))
        return .ok
    }
}
