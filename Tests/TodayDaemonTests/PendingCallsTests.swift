// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// What apps leave while no todayd runs, as a value, and how its files are found and locked.
@Suite struct PendingCallsTests {
    private func read(_ lines: String) -> PendingCalls {
        PendingCalls(of: "group.g", Array(lines.utf8), path: "/p/pending") { $0 == WidgetID("org.test.a") }
    }

    @Test func callsAreChanges() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let calls = read(
            """
            {"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.a","hasContent":true}}
            {"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":[1]}}}

            {"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k"}}
            """)
        #expect(
            calls.changes == [
                .choice(widget, .hasContent(true)), .defaults(group: "group.g", key: "k", value: [1]),
                .defaults(group: "group.g", key: "k", value: nil),
            ])
        #expect(calls.complaints.isEmpty)
    }

    /// Five wrong lines are reported one by one; the others only as a number.
    @Test(arguments: [(0, 0, nil), (5, 5, nil), (6, 6, "1"), (9, 6, "4")] as [(Int, Int, String?)])
    func furtherWrongLinesAreCounted(_ row: (bad: Int, complaints: Int, others: String?)) {
        let calls = read(String(repeating: "nonsense\n", count: row.bad))
        #expect(calls.complaints.count == row.complaints)
        #expect(calls.complaints.prefix(5).enumerated().allSatisfy { $1.hasPrefix("/p/pending:\($0 + 1): ") })
        if let others = row.others {
            #expect(calls.complaints.last == "/p/pending: \(others) more lines cannot be done")
        }
    }

    @Test(arguments: [27, 28, 29, 30, 31, 32])
    func theDepthOfACallIsLimited(depth: Int) throws {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let line =
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":"#
            + value + "}}}"
        let isFine = (try? JSON.parse(Array(line.utf8), maxDepth: 32)) != nil
        #expect(read(line).changes.count == (isFine ? 1 : 0))
    }

    /// The limit is exactly 64 KiB.
    @Test(arguments: [0, 1]) func theSizeOfAFileIsLimited(excess: Int) throws {
        let directory = TemporaryDirectory()
        let good = #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k"}}"# + "\n"
        let text = good + String(repeating: "\n", count: 65_536 + excess - good.utf8.count)
        try directory.write(text, to: "groups/group.g/pending")
        let calls = PendingCalls.found(in: directory.path, belongs: { _, _ in true }, isKnown: { _ in true })
        #expect(calls.map(\.isReadable) == [excess == 0])
        #expect(calls.first?.changes.count == 1 - excess)
        #expect(
            calls.first?.complaints.first?.contains("has 65537 bytes, more than 65536") == (excess == 0 ? nil : true))
    }

    static let refused: [(line: String, reason: String)] = [
        (
            #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.b","hasContent":true}}"#,
            "org.test.b is no widget of group.g"
        ),
        (
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.h","key":"k"}}"#,
            "parameters.group: is not group.g"
        ),
        (#"{"method":"org.todayd.Today.Enable","parameters":{"id":"org.test.a"}}"#, "cannot be called later"),
        (#"{"method":"org.todayd.Today.SetHasContent"}"#, "parameters"),
        ("nonsense", "/p/pending:1: "), ("[[[[", "/p/pending:1: "),
    ]

    @Test(arguments: refused) func aCallAboutAnotherGroupIsRefusedAlone(_ row: (line: String, reason: String)) {
        let good = #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k"}}"#
        let calls = read("\(row.line)\n\(good)\n")
        #expect(calls.changes.count == 1)
        #expect(calls.complaints.count == 1)
        #expect(calls.complaints.first?.contains(row.reason) == true, "\(calls.complaints)")
    }

    /// Which files below a state directory are removed, and which stay.
    @Test func onlyFilesThatCanBeReadAreRemoved() throws {
        let directory = TemporaryDirectory()
        let good = #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k"}}"#
        try directory.write(good + "\n", to: "groups/group.g/pending")
        try directory.write(String(repeating: "x\n", count: 30), to: "groups/group.bad/pending")
        try directory.write(String(repeating: "y", count: 70_000), to: "groups/group.large/pending")
        try directory.makeDirectory("groups/group.link")
        try directory.link("groups/group.link/pending", to: directory("groups/group.g/pending"))
        try directory.makeDirectory("groups/group.pipe")
        try directory.makePipe("groups/group.pipe/pending")
        try directory.write(good, to: "groups/group.unknown/pending")
        let found = PendingCalls.found(
            in: directory.path, belongs: { _, _ in true }, isKnown: { $0.text != "group.unknown" })
        #expect(found.map(\.group.text) == ["group.bad", "group.g", "group.large", "group.link", "group.pipe"])
        #expect(found.map(\.changes.count) == [0, 1, 0, 0, 0])
        // Many wrong lines do not each get a line in the journal.
        #expect(found.map(\.complaints.count) == [6, 0, 1, 1, 1])
        for calls in found { calls.remove() }
        let left = ["bad", "g", "large", "link", "pipe", "unknown"].filter {
            var status = stat()
            return lstat(directory("groups/group.\($0)/pending"), &status) == 0
        }
        #expect(left == ["large", "link", "pipe", "unknown"])
    }

    /// An app that appends to the file waits for the lock, and then finds the file gone.
    @Test func aFileIsLockedUntilItIsRemoved() throws {
        let directory = TemporaryDirectory()
        let path = try directory.write("x\n", to: "groups/group.g/pending")
        let app = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        try #require(app >= 0)
        defer { close(app) }
        do {
            let found = PendingCalls.found(in: directory.path, belongs: { _, _ in true }, isKnown: { _ in true })
            #expect(found.count == 1 && flock(app, LOCK_EX | LOCK_NB) != 0)
            found.first?.remove()
        }
        var status = stat()
        #expect(flock(app, LOCK_EX | LOCK_NB) == 0 && fstat(app, &status) == 0 && status.st_nlink == 0)
    }

    /// A process that holds the lock for ever must not block the start of the daemon.
    @Test func aLockedFileIsReportedAsBusy() throws {
        let directory = TemporaryDirectory()
        let path = try directory.write("x\n", to: "groups/group.g/pending")
        let holder = open(path, O_RDONLY | O_CLOEXEC)
        try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        var busy: [String] = []
        let found = PendingCalls.found(
            in: directory.path, belongs: { _, _ in true }, isKnown: { _ in true }, onBusy: { busy.append($0.text) })
        #expect(found.isEmpty && busy == ["group.g"])
        #expect(try directory.read("groups/group.g/pending") == "x\n")
    }
}
