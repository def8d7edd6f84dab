// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

struct RunsInProgressTests {
    /// An update of widget a has seen revision 5 of the group; then others write. The last column is what it has seen
    /// at its end.
    private static let a = WidgetID("org.test.a")
    private static let b = WidgetID("org.test.b")

    static let rows: [(writers: [[WidgetID?]], isUpdate: Bool, seen: Int64)] = [
        ([[a]], true, 6), ([[a, a], [a]], true, 8), ([[b]], true, 5), ([[nil]], true, 5),
        // The widget may not have read a change that came between its own changes.
        ([[a, b, a]], true, 6), ([[b, a]], true, 5), ([[a], [b], [a]], true, 6),
        // After a button, an update must follow, whichever client has written.
        ([[a]], false, 5),
    ]

    @Test(arguments: rows)
    func aWidgetKnowsWhatItChangesItselfWhileItUpdates(_ row: (writers: [[WidgetID?]], isUpdate: Bool, seen: Int64))
        throws
    {
        let widget = try #require(Self.a)
        var premises = Premises()
        premises.groups["group.g"] = 5
        var runs = RunsInProgress()
        runs.began(1, of: widget, isUpdate: row.isUpdate, from: premises)
        #expect(runs.isRunning(widget))
        var revision: Int64 = 5
        for writers in row.writers {
            revision += Int64(writers.count)
            runs.changed("group.g", to: revision, by: writers)
        }
        let (seen, again) = (runs.ended(1), runs.ended(1))
        #expect(seen?.groups["group.g"] == row.seen)
        #expect(again == nil)
        #expect(!runs.isRunning(widget))
    }

    @Test func theFirstChangeOfAGroupCountsToo() throws {
        var runs = RunsInProgress()
        runs.began(1, of: try #require(Self.a), isUpdate: true, from: Premises())
        runs.changed("group.g", to: 1, by: [Self.a])
        let seen = runs.ended(1)
        #expect(seen?.groups["group.g"] == 1)
    }
}

struct WidgetContextsTests {
    @Test func theNewestContextSpeaksForItsWidget() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let contexts = WidgetContexts()
        var answers = [contexts.choose(7, of: widget)]
        contexts.began(7, of: widget)
        answers.append(contexts.choose(7, of: widget))
        #expect(answers == [false, true])
        contexts.began(9, of: widget)
        // The old process chooses a mode late, and ends.
        answers = [contexts.choose(7, of: widget), contexts.ended(7, of: widget)]
        #expect(answers == [false, false])
        answers = [contexts.choose(9, of: widget), contexts.ended(9, of: widget), contexts.ended(9, of: widget)]
        #expect(answers == [true, true, false])
    }

    /// Processes get their numbers in the order in which they start.
    @Test func anOlderContextThatBeginsLateIsNotTheNewest() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let contexts = WidgetContexts()
        contexts.began(9, of: widget)
        contexts.began(7, of: widget)
        let answers = [contexts.choose(7, of: widget), contexts.choose(9, of: widget)]
        #expect(answers == [false, true])
    }

    /// The context begins twice: the choice that it made counts.
    @Test func aContextBeginsOnce() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let contexts = WidgetContexts()
        #expect(!contexts.isServed(widget))
        contexts.began(1, of: widget)
        #expect(contexts.isServed(widget))
        var answers = [contexts.choose(1, of: widget)]
        contexts.began(1, of: widget)
        answers += [contexts.ranWithoutChoice(widget), contexts.ended(1, of: widget)]
        #expect(answers == [true, false, true])
        #expect(!contexts.isServed(widget))
    }

    @Test func aProcessThatChoosesNothingInItsFirstRunHasSaidSo() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let contexts = WidgetContexts()
        var answers = [contexts.ranWithoutChoice(widget)]
        contexts.began(1, of: widget)
        answers += [contexts.ranWithoutChoice(widget), contexts.ranWithoutChoice(widget)]
        #expect(answers == [false, true, false])
        contexts.began(2, of: widget)
        answers = [contexts.choose(2, of: widget), contexts.ranWithoutChoice(widget)]
        #expect(answers == [true, false])
    }
}

struct PendingCallsTests {
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
    func manyThatCannotBeDoneAreCounted(_ row: (bad: Int, complaints: Int, others: String?)) {
        let calls = read(String(repeating: "nonsense\n", count: row.bad))
        #expect(calls.complaints.count == row.complaints)
        #expect(calls.complaints.prefix(5).enumerated().allSatisfy { $1.hasPrefix("/p/pending:\($0 + 1): ") })
        if let others = row.others {
            #expect(calls.complaints.last == "/p/pending: \(others) more lines cannot be done")
        }
    }

    @Test(arguments: [27, 28, 29, 30, 31, 32])
    func aCallIsAsDeepAsAnyOther(depth: Int) throws {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let line =
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":"#
            + value + "}}}"
        let isFine = (try? JSON.parse(Array(line.utf8), maxDepth: 32)) != nil
        #expect(read(line).changes.count == (isFine ? 1 : 0))
    }

    /// The limit is exactly 64 KiB.
    @Test(arguments: [0, 1]) func aNoteIsNoLongerThanItMayBe(excess: Int) throws {
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

    @Test(arguments: refused) func whatIsNotTheGroupsIsRefusedAndTheRestIsMade(_ row: (line: String, reason: String)) {
        let good = #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k"}}"#
        let calls = read("\(row.line)\n\(good)\n")
        #expect(calls.changes.count == 1)
        #expect(calls.complaints.count == 1)
        #expect(calls.complaints.first?.contains(row.reason) == true, "\(calls.complaints)")
    }

    /// Which files below a state directory are removed, and which stay.
    @Test func onlyWhatCanBeReadIsTakenAway() throws {
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
    @Test func aFileIsLockedUntilItHasServed() throws {
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
    @Test func aFileThatIsLockedIsBusy() throws {
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
