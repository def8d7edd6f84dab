// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

/// Clients decode what the daemon encodes.
@Suite struct StatusTests {
    private let id = WidgetID("org.example.a")

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
        status.dropIns = ["/a.widget.d/b.conf"]
        status.unheld = ["CPUQuota=5% does not hold"]
        (status.contentProtocol, status.containingApp, status.timeout) = ("text", "app", .seconds(7))
        (status.activity.waitingFor, status.activity.failures, status.activity.skipped) = ("its turn", 3, 5)
        (status.activity.joined, status.activity.failuresInARow, status.activity.isRunning) = (6, 2, false)
        (status.freshUntil, status.changes) = (WallTime(microseconds: 8), WallTime(microseconds: 9))
        status.cure = .setHasContent
        status.printed = Printed(Array("hi".utf8), keeping: 1)
        status.history = [
            RunRecord(
                started: WallTime(microseconds: 5), duration: .seconds(1), reason: .boot, result: .noData, failure: nil,
                exit: nil, errorOutput: "")
        ]
        #expect(try WidgetStatus(JSONField(root: status.json)) == status)
        for memory in [nil, ByteSize("12M")] {
            status.history[0].usage = RunUsage(processor: .milliseconds(35), memory: memory)
            #expect(try WidgetStatus(JSONField(root: status.json)) == status)
        }
        var stream = StreamStatus()
        status.stream = stream
        #expect(try WidgetStatus(JSONField(root: status.json)) == status)
        (stream.isRunning, stream.started, stream.restarts, stream.updates) = (true, WallTime(microseconds: 4), 5, 6)
        (stream.lastEnd, stream.lastEndAt) = ("killed by SIGKILL", WallTime(microseconds: 3))
        status.stream = stream
        #expect(try WidgetStatus(JSONField(root: status.json)) == status)
    }

    @Test func theDaemonsStatusSurvivesTheWire() throws {
        var status = DaemonStatus(
            version: "1", instance: .system, pid: 7, started: WallTime(microseconds: 1), socket: "/s",
            stateDirectory: "/d")
        status.storage = "disk full"
        status.storageIsFine = false
        status.pluginDirectories = ["/p"]
        (status.widgetDirectories, status.complaints) = (["/a", "/b"], ["c"])
        (status.widgets, status.running, status.waiting, status.concurrency) = (1, 2, 3, 4)
        (status.connections, status.subscribers) = (5, 6)
        #expect(try DaemonStatus(JSONField(root: status.json)) == status)
        for limited: Set<RunResource> in [[], [.memory, .processor], Set(RunResource.allCases)] {
            status.limited = limited
            #expect(try DaemonStatus(JSONField(root: status.json)) == status)
        }
    }

    private static let unheld: [(limited: Set<RunResource>?, words: [String])] = [
        (
            nil,
            [
                "MemoryMax=1M is of each process, not of all together", "TasksMax=7 does not hold",
                "CPUQuota=20% does not hold",
            ]
        ),
        ([.memory], ["TasksMax=7 does not hold", "CPUQuota=20% does not hold"]),
        ([.tasks, .processor], ["MemoryMax=1M is of each process, not of all together"]),
        (Set(RunResource.allCases), []),
    ]

    @Test(arguments: unheld.indices) func limitsThatDoNotHoldAreNamed(index: Int) {
        let (limited, words) = Self.unheld[index]
        var limits = RunLimits()
        #expect(limits.unheld(limited: limited) == [], "the default is no one's wish")
        (limits.memory, limits.tasks, limits.processor) = (ByteSize("1M"), 7, 20)
        #expect(limits.unheld(limited: limited) == words)
    }

    @Test func aCallHasWhatWasTakenSinceItBegan() {
        let usage = RunUsage(processor: .milliseconds(50), memory: ByteSize("1M"))
        #expect(usage.since(nil) == usage)
        let earlier = RunUsage(processor: .milliseconds(20), memory: nil)
        #expect(usage.since(earlier) == RunUsage(processor: .milliseconds(30), memory: ByteSize("1M")))
    }

    @Test func aDaemonBeginsWithNothing() {
        let status = DaemonStatus(
            version: "1", instance: .user, pid: 7, started: WallTime(microseconds: 5), socket: "/s",
            stateDirectory: "/d")
        #expect([status.widgets, status.running, status.waiting, status.connections, status.subscribers].max() == 0)
        #expect(status.storageIsFine && status.complaints.isEmpty)
    }

    @Test func answersAndEventsSurviveTheWire() throws {
        let answer = UpdateAnswer(id: try #require(id), answer: .deferred, reason: "waits for a free place")
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
