// SPDX-License-Identifier: MIT

import Arguments
import Testing

@testable import TodayClient

@Suite struct CompletionFilesTests {
    @Test(arguments: CompletionScript.Shell.allCases)
    func fileInContribIsWhatTheProgramPrints(shell: CompletionScript.Shell) throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try InputFile.read("/\(root)/contrib/completions/\(shell.rawValue)", upTo: 1 << 20)
        let text = CompletionScript(for: TodayControl.command).text(for: shell)
        #expect(
            String(decoding: file, as: UTF8.self) == text, "todayctl completion \(shell) > contrib/completions/\(shell)"
        )
    }

    @Test func everyCommandHasASummaryAndAName() {
        for type in TodayControl.commands {
            #expect(!type.command.name.isEmpty && !type.command.summary.isEmpty)
        }
        #expect(Set(TodayControl.commands.map { $0.command.name }).count == TodayControl.commands.count)
    }
}
