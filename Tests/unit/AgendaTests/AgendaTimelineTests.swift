// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayKit
import TodayModel

/// The timeline of the real agenda-widget, in the time zone UTC.
@Suite struct AgendaTimelineTests {
    private let directory = TemporaryDirectory()

    private static let group = "todayd/groups/group.org.todayd.agenda"
    private var environment: [String: String] {
        [
            "TODAYD": "1", "TODAY_STATE_DIRECTORY": directory.path, "TZ": "UTC0",
            "TODAY_GROUP_DIRECTORY_GROUP_ORG_TODAYD_AGENDA": directory(Self.group),
        ]
    }

    /// Runs the app without a todayd.
    private func agenda(_ arguments: String...) throws {
        let environment = ["XDG_STATE_HOME": directory.path, "TODAYD_SOCKET": "/nonexistent", "TZ": "UTC0"]
        let ending = try WidgetProgram("agenda", arguments, environment: environment).finish()
        #expect(ending.status == 0, "\(ending.errors)")
    }

    private var today: CivilDay { CivilDay(number: time(nil) / 86_400) }

    /// Fills the agenda and runs the widget. Starts over if the day ends meanwhile.
    private func update(_ items: [(title: String, inDays: Int)]) throws -> (today: CivilDay, content: Content?) {
        while true {
            let before = today
            try? directory.delete(Self.group + "/agenda.sqlite")
            try agenda()
            for item in items { try agenda("add", "--due", before.advanced(by: item.inDays).text, item.title) }
            let widget = try WidgetProgram(
                "agenda-widget",
                environment: environment, isService: true)
            let request: JSONObject = [
                "reason": "schedule", "mode": "compact", "columns": 60, "rows": 4, "known": false, "editing": false,
            ]
            let update = try widget.call("PerformUpdate", ["request": .object(request)])["update"]
            #expect(widget.finish().status == 0)
            if today == before {
                return (before, try update?["content"].map { try Content(JSONField(root: $0)) })
            }
        }
    }

    @Test func anItemOfTomorrowAppearsAtMidnight() throws {
        let (today, content) = try update([("Call Ada", 1)])
        let shown = try #require(content)
        #expect(shown.isEmpty, "nothing is due yet, but there is something to come")
        let timeline = try #require(shown.timeline)
        #expect(timeline.entries.count == 7)
        let midnights = timeline.entries.map { Int($0.date.microseconds / 1_000_000) }
        #expect(midnights == (1...7).map { (today.number + $0) * 86_400 })
        let contents = timeline.entries.map(\.content)
        #expect(contents.allSatisfy { $0.text == "Call Ada" && !$0.isEmpty })
        #expect(contents[0].tooltip == "Call Ada, today" && contents[0].severity == .info)
        #expect(contents[1].tooltip == "Call Ada, since yesterday" && contents[1].severity == .warning)
        #expect(timeline.policy == .end)
    }

    @Test func eachEntryHasTheItemsThatAreDueByItsDay() throws {
        let (_, content) = try update([("Pay the rent", 0), ("Call Ada", 3), ("Far away", 20)])
        let shown = try #require(content)
        #expect(shown.text == "Pay the rent")
        // Each item is a row: a button that marks it done, its title, and its day at the end.
        guard case .stack(let row)? = shown.compact else {
            Issue.record("\(String(describing: shown.compact)) is no row")
            return
        }
        #expect(row.axis == .horizontal && row.children.count == 4 && row.children[2] == .spacer)
        #expect(row.children[0] == .button(.init(title: "○", action: "done 1")))
        let texts = row.children.compactMap { if case .text(let text) = $0 { text.text } else { nil } }
        #expect(texts == ["Pay the rent", "today"] && shown.expanded == nil)
        let shorts = try #require(shown.timeline).entries.map(\.content.short)
        #expect(shorts == ["1", "1", "2", "2", "2", "2", "2"])
    }

    @Test func withOnlyFarItemsTodaydAsksAgainInAWeek() throws {
        let (today, content) = try update([("Far away", 20)])
        let timeline = try #require(content?.timeline)
        #expect(timeline.entries.allSatisfy { $0.content.isEmpty })
        #expect(timeline.asksAgain?.microseconds == Int64(today.number + 7) * 86_400_000_000)
    }

    @Test func withNothingToDoThereIsNoTimeline() throws {
        let (_, content) = try update([])
        #expect(content?.isEmpty == true)
        #expect(content?.timeline == nil)
    }

    /// An earlier process has drawn items: a new one replaces them by an empty snapshot, once.
    @Test func anEmptyAgendaReplacesItemsOnce() throws {
        try agenda("add", "--due", "1970-01-01", "Call Ada")
        #expect(try result() == "newData")
        try agenda("remove", "1")
        #expect(try result() == "newData")
        #expect(try result() == "noData")
    }

    /// What a process of its own answers while todayd has a snapshot.
    private func result() throws -> String? {
        let widget = try WidgetProgram(
            "agenda-widget",
            environment: environment, isService: true)
        let request: JSONObject = [
            "reason": "schedule", "mode": "compact", "columns": 60, "rows": 4, "known": true, "editing": false,
        ]
        defer { _ = widget.finish() }
        return try widget.call("PerformUpdate", ["request": .object(request)])["update"]?["result"]?.stringValue
    }
}
