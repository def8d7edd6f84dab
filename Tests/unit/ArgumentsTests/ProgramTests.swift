// SPDX-License-Identifier: MIT
import Arguments
import Testing

@Suite struct ProgramTests {
    private struct Failure: Error, CustomStringConvertible { let description = "no room" }

    /// The status of a program, and what it reports.
    private func run(_ request: () throws -> ProgramRequest<Int>, _ body: (Int) throws -> Int32 = { Int32($0) }) -> (
        status: Int32, reports: [String]
    ) {
        var reports: [String] = []
        let status = Program.run(request, report: { reports.append($0) }, body)
        return (status, reports)
    }

    @Test func theStatusSaysHowItEnded() {
        #expect(run { .run(7) } == (7, []))
        #expect(run { .print("") } == (0, []))
        #expect(run { throw UsageError(commands: ["demo"], reason: "a test of wrong usage") } == (2, []))
        #expect(run { throw Failure() } == (1, ["no room"]))
        #expect(run({ .run(7) }, { _ in throw Failure() }) == (1, ["no room"]))
    }
}
