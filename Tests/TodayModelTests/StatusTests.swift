// SPDX-License-Identifier: MIT
import Testing
import TodayModel
import Varlink

/// What the daemon encodes is what clients decode.
@Suite struct StatusTests {
    private let id = WidgetID("org.example.a")

    @Test func anItemSurvivesTheWire() throws {
        var item = Item(
            id: try #require(id), name: "A", points: [.today, .statusBar], position: 3, state: .failing,
            mode: .expanded, largestMode: .expanded)
        item.content = Content(text: "x")
        item.taken = WallTime(microseconds: 1)
        item.confirmed = WallTime(microseconds: 2)
        item.stale = true
        item.failure = "timed out"
        #expect(try Item(JSONField(root: item.json)) == item)
    }

    static let places: [(state: WidgetState, points: [ExtensionPoint], allowed: Bool, shownAt: [ExtensionPoint])] = [
        (.ready, [.today], false, [.today]),
        (.invalid, [.today, .statusBar], false, [.today, .statusBar]),
        (.hidden, [.today, .lockScreen], true, []),
        (.ready, [.today, .lockScreen], false, [.today]),
        (.ready, [.today, .lockScreen], true, [.today, .lockScreen]),
        (.ready, [.today], true, [.today]),
    ]

    @Test(arguments: places)
    func aLockScreenShowsOnlyWhatTheUserHasAllowed(
        _ state: WidgetState, _ points: [ExtensionPoint], _ allowed: Bool, _ shownAt: [ExtensionPoint]
    ) throws {
        var item = Item(id: try #require(id), name: "A", points: points, position: 0, state: state)
        item.lockScreen = allowed
        #expect(ExtensionPoint.allCases.filter(item.isShown) == ExtensionPoint.allCases.filter(shownAt.contains))
    }

    /// A newer daemon may send more, and what is odd about one widget must not hide the others.
    @Test func whatIsNotUnderstoodIsLeftOutOrSaid() throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        json["new"] = 1
        json["content"] = ["text": "x", "new": 1, "compact": ["type": "text", "text": "y", "glow": true]]
        var read = try Item(JSONField(root: .object(json), isTolerant: true))
        #expect(read.failure == nil)
        #expect(read.content?.compact == .text(.init("y")))
        json["content"] = ["text": "x", "compact": ["type": "hologram"]]
        read = try Item(JSONField(root: .object(json), isTolerant: true))
        #expect(read.content == nil)
        #expect(read.failure?.hasPrefix("its content is not understood here: content.compact.type: expected") == true)
    }

    @Test func aStatusSurvivesTheWire() throws {
        var status = WidgetStatus(id: "org.example.a", name: "A", state: .ready)
        status.complaints = ["a.widget:3: unknown key"]
        status.command = ["/bin/true"]
        status.interval = .minutes(5)
        status.points = [.lockScreen]
        status.activity.isRunning = true
        status.activity.nextRun = WallTime(microseconds: 7)
        status.activity.runs = 4
        status.history = [
            RunRecord(
                started: WallTime(microseconds: 5), duration: .seconds(1), reason: .schedule, result: .failed,
                failure: "why", exit: "exited with status 1", errorOutput: "oops")
        ]
        #expect(try WidgetStatus(JSONField(root: status.json)) == status)
    }

    @Test func theDaemonsStatusSurvivesTheWire() throws {
        var status = DaemonStatus(
            version: "1", instance: .system, pid: 7, started: WallTime(microseconds: 1), socket: "/s",
            stateDirectory: "/d")
        status.storage = "disk full"
        status.storageIsFine = false
        #expect(try DaemonStatus(JSONField(root: status.json)) == status)
    }

    @Test func answersAndEventsSurviveTheWire() throws {
        let answer = UpdateAnswer(
            id: try #require(id), answer: .deferred, reason: "back-off", until: WallTime(microseconds: 9))
        #expect(try UpdateAnswer(JSONField(root: answer.json)) == answer)
        let event = Event(time: WallTime(microseconds: 1), kind: .finished, id: id, text: "noData")
        #expect(try Event(JSONField(root: event.json)) == event)
    }
}
