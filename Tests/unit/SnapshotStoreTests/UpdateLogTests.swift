// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import SnapshotStore

struct UpdateLogTests {
    @Test func reasonsAreBounded() {
        var log = UpdateLog()
        var record = outcome("a", .failed(String(repeating: "x", count: 1_000_000))).logEntry
        record.exit = String(repeating: "y", count: 1_000_000)
        _ = log.append(record)
        #expect(log.last?.failure?.utf8.count == StoreLimits.reasonBytes + 3)
        #expect(log.last?.exit?.utf8.count == StoreLimits.reasonBytes + 3)
    }

    private func record(_ number: Int, errorOutput: String = "oops") -> RunRecord {
        outcome("a", .failed("run \(number)"), errorOutput: errorOutput).logEntry
    }

    @Test func theNewestRecordsAreKept() {
        var log = UpdateLog()
        for number in 1...60 { _ = log.append(record(number)) }
        #expect(log.records.map(\.failure) == (11...60).map { "run \($0)" })
        #expect(log.entries.map(\.number) == Array(11...60))
        #expect(log.last?.failure == "run 60")
    }

    @Test func theLastUpdateStaysHoweverManyButtonsArePressed() {
        var log = UpdateLog()
        _ = log.append(record(1))
        _ = log.append(record(2))
        var press = outcome("a", .newData(Content(text: "x"))).logEntry
        press.reason = .action
        for _ in 0..<200 { _ = log.append(press) }
        #expect(log.lastUpdate?.failure == "run 2")
        #expect(log.records.count == StoreLimits.runsPerWidget)
        _ = log.append(record(3))
        #expect(log.lastUpdate?.failure == "run 3")
        #expect(log.records.filter { $0.failure != nil }.map(\.failure) == ["run 3"])
    }

    @Test func onlyTheNewestKeepTheirErrorOutput() {
        var log = UpdateLog()
        for number in 1...8 { _ = log.append(record(number)) }
        #expect(log.records.map(\.errorOutput) == ["", "", "", "oops", "oops", "oops", "oops", "oops"])
    }

    @Test func errorOutputIsCutAtACharacter() {
        var log = UpdateLog()
        let entry = log.append(record(1, errorOutput: "x" + String(repeating: "é", count: 4_000)))
        #expect(entry.record.errorOutput == String(repeating: "é", count: 2_048))
        let odd = log.append(record(2, errorOutput: String(repeating: "é", count: 4_000) + "x"))
        #expect(odd.record.errorOutput == String(repeating: "é", count: 2_047) + "x")
    }
}
