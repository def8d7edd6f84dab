// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

/// Clients decode what the daemon encodes.
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

    @Test func allOfAnItemSurvivesTheWire() throws {
        var item = Item(id: try #require(id), name: "A", points: [.lockScreen], position: 0, state: .ready)
        (item.lockScreen, item.allowsEditing, item.isEdited) = (true, true, true)
        (item.urlSchemes, item.size) = (["https", "agenda"], Size(columns: 80, rows: 7))
        (item.source, item.pushedBy, item.expires) = (.pushed, "user 7", WallTime(microseconds: 9))
        #expect(try Item(JSONField(root: item.json)) == item)
        #expect(item.isVisible)
    }

    /// Clients compute with these numbers, so they must be in range.
    @Test(arguments: [(-5, 4), (19, 4), (501, 4), (.max, 4), (60, 0), (60, 201), (60, -1)])
    func aSizeIsOneThatTodaydMayHave(columns: Int, rows: Int) throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        (json["columns"], json["rows"]) = (JSON(columns), JSON(rows))
        let changed = json
        #expect(throws: JSONMismatch.self) { _ = try Item(JSONField(root: .object(changed))) }
    }

    /// An older daemon sends fewer members.
    @Test func whatAnOlderDaemonDoesNotSayIsLeftAsItIs() throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        for key in ["allowsEditing", "editing", "urlSchemes", "columns"] { json[key] = nil }
        #expect(try Item(JSONField(root: .object(json))) == item)
        json["source"] = "hologram"
        #expect(try Item(JSONField(root: .object(json))) == item)
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

    /// A newer daemon may send more members. One strange widget must not hide the others.
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
        (status.description, status.reason, status.shows) = ("d", "hidden by the widget", .placeholder)
        (status.pushedBy, status.expires, status.source) = ("user 7", WallTime(microseconds: 3), "/a.widget")
        (status.contentProtocol, status.containingApp, status.timeout) = ("text", "app", .seconds(7))
        (status.activity.waitingFor, status.activity.failures, status.activity.skipped) = ("its turn", 3, 5)
        (status.activity.joined, status.activity.failuresInARow, status.activity.isRunning) = (6, 2, false)
        status.history = [
            RunRecord(
                started: WallTime(microseconds: 5), duration: .seconds(1), reason: .boot, result: .noData, failure: nil,
                exit: nil, errorOutput: "")
        ]
        #expect(try WidgetStatus(JSONField(root: status.json)) == status)
    }

    @Test func theDaemonsStatusSurvivesTheWire() throws {
        var status = DaemonStatus(
            version: "1", instance: .system, pid: 7, started: WallTime(microseconds: 1), socket: "/s",
            stateDirectory: "/d")
        status.storage = "disk full"
        status.storageIsFine = false
        (status.widgetDirectories, status.runner, status.complaints) = (["/a", "/b"], "processes", ["c"])
        (status.widgets, status.running, status.waiting, status.concurrency) = (1, 2, 3, 4)
        (status.connections, status.subscribers) = (5, 6)
        #expect(try DaemonStatus(JSONField(root: status.json)) == status)
    }

    @Test func aDaemonBeginsWithNothing() {
        let status = DaemonStatus(
            version: "1", instance: .user, pid: 7, started: WallTime(microseconds: 5), socket: "/s",
            stateDirectory: "/d")
        #expect([status.widgets, status.running, status.waiting, status.connections, status.subscribers].max() == 0)
        #expect(status.storageIsFine && status.complaints.isEmpty)
    }

    @Test func answersAndEventsSurviveTheWire() throws {
        let answer = UpdateAnswer(
            id: try #require(id), answer: .deferred, reason: "back-off", until: WallTime(microseconds: 9))
        #expect(try UpdateAnswer(JSONField(root: answer.json)) == answer)
        var opening = UpdateAnswer(id: try #require(id), answer: .newData)
        opening.open = "https://example.org"
        #expect(try UpdateAnswer(JSONField(root: opening.json)) == opening)
        let storage = Event(time: WallTime(microseconds: 1), kind: .storage, text: "ok")
        #expect(try Event(JSONField(root: storage.json)) == storage)
        let event = Event(time: WallTime(microseconds: 1), kind: .finished, id: id, text: "noData")
        #expect(try Event(JSONField(root: event.json)) == event)
    }
}
