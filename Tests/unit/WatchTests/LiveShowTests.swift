// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands
@testable import Link
@testable import Watch

@Suite struct LiveShowTests {
    @Test func followedViewPrintsEveryChange() throws {
        let program = Program()
        program.serve([
            "Show": [
                VarlinkReply(["items": [Wire.item("org.a.b", text: "one")], "removed": []], continues: true),
                VarlinkReply(["items": [Wire.item("org.a.b", text: "two")], "removed": []], continues: false),
            ]
        ])
        let output = try program.run(["watch"]).output
        #expect(
            output.split(separator: "\n\n").count == 2 && output.contains(" one ") && output.contains(" two "),
            "\(output)")
    }

    @Test func followedJSONIsOneObjectALine() throws {
        let program = Program()
        let first = VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []], continues: true)
        let second = VarlinkReply(["items": [], "removed": ["org.a.b"]], continues: false)
        program.serve(["Show": [first, second]])
        let lines = try program.run(["show", "--follow", "--json"]).output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            try lines.map { try JSON.parse(Array($0.utf8)) } == [.object(first.parameters), .object(second.parameters)])
    }

    /// The socket of systemd accepts for a todayd that is still starting.
    @Test func aTodaydThatIsSlowToAnswerIsWaitedForInSleep() throws {
        let program = Program()
        let slow = Mutex(false)
        program.serve(connections: 2) { peer in
            guard peer.receive() != nil else { return }
            let isSecond = slow.withLock { isSecond in
                defer { isSecond = true }
                return isSecond
            }
            if isSecond { usleep(500_000) }
            let item = Wire.item("org.a.b", text: isSecond ? "two" : "one")
            peer.send(VarlinkReply(["items": [item], "removed": []], continues: !isSecond))
        }
        let before = Self.processorTime
        let result = try program.run(["watch"])
        #expect(result.output.contains("two") && result.errors.contains("connected again"))
        #expect(Self.processorTime - before < 100_000_000, "it does not ask again and again")
    }

    /// Its manifest has gone while todayd was away, and comes back.
    @Test func aWidgetThatGoesAndComesBackIsFollowed() throws {
        let program = Program()
        let count = Mutex(0)
        // Each connection has one call: Show, Show, the Status of the complaints, Show.
        program.serve(connections: 4) { peer in
            guard peer.receive() != nil else { return }
            let number = count.withLock {
                $0 += 1; return $0
            }
            switch number {
            case 1:
                peer.send(VarlinkReply(["items": [Wire.item("org.a.b", text: "one")], "removed": []], continues: true))
            case 2: peer.send(VarlinkReply(Wire.noSuchWidget("org.a.b")))
            case 3: peer.send(VarlinkReply(Wire.noSuchWidget("org.a.b")))
            default:
                peer.send(
                    VarlinkReply(["items": [Wire.item("org.a.b", text: "two")], "removed": []], continues: false))
            }
        }
        let result = try program.run(["watch", "org.a.b"])
        #expect(result.code == .ok && result.output.contains(" one ") && result.output.contains(" two "))
        #expect(result.errors.contains("connected again"))
    }

    /// Of a pipe, as in `todayctl watch org.a.b | head -1`.
    @Test func theViewEndsWithItsReader() throws {
        let program = Program()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(writing) }
        let isOver = Mutex(false)
        let hadToEnd = Mutex(false)
        program.serve { peer in
            guard peer.receive() != nil else { return }
            peer.send(VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []], continues: true))
            var byte: UInt8 = 0
            _ = read(reading, &byte, 1)
            close(reading)
            for _ in 0..<500 where !isOver.withLock({ $0 }) { usleep(10_000) }
            if isOver.withLock({ $0 }) { return }
            hadToEnd.withLock { $0 = true }
            peer.send(VarlinkReply(["items": [], "removed": []], continues: false))
        }
        let variables = program.environment
        let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(errors) }
        let code = TodayControl.run(
            ["--socket", program.socket, "watch"], environment: EnvironmentVariables { variables[$0] },
            output: writing, errors: errors)
        isOver.withLock { $0 = true }
        let wasLeft = hadToEnd.withLock { $0 }
        #expect(code == 0 && !wasLeft)
    }

    /// Of this thread, in nanoseconds.
    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    // MARK: Items

    @Test func changesKeepTheUsersOrder() throws {
        var live = LiveItems()
        _ = try live.apply(
            ["items": [Wire.item("org.a.b", position: 1), Wire.item("org.a.a", position: 0)], "removed": []])
        #expect(live.items.map(\.id.text) == ["org.a.a", "org.a.b"])
        let changed = try live.apply(["items": [Wire.item("org.a.b", position: -1, text: "new")]])
        #expect(changed.map(\.id.text) == ["org.a.b"])
        #expect(live.items.map(\.id.text) == ["org.a.b", "org.a.a"])
        #expect(live.items.first?.content?.text == "new")
    }

    /// Named widgets keep the order in which the user names them, whatever their positions are.
    @Test func namedWidgetsKeepTheirOrder() throws {
        var live = LiveItems(areNamed: true)
        let (a, b) = (Wire.item("org.a.a", position: 0), Wire.item("org.a.b", position: 1))
        _ = try live.apply(["items": [b, a], "removed": []])
        #expect(live.items.map(\.id.text) == ["org.a.b", "org.a.a"])
        _ = try live.apply(["items": [a], "removed": ["org.a.b"]])
        _ = try live.apply(["items": [b], "removed": []])
        #expect(live.items.map(\.id.text) == ["org.a.b", "org.a.a"])
        live.lose()
        _ = try live.apply(["items": [a, b], "removed": []])
        #expect(live.items.map(\.id.text) == ["org.a.a", "org.a.b"])
    }

    @Test func removedItemsDisappear() throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b"), Wire.item("org.a.c")]])
        _ = try live.apply(["items": [], "removed": ["org.a.b"]])
        #expect(live.items.map(\.id.text) == ["org.a.c"])
    }

    @Test func theFirstReplyReplacesAllItems() throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b")]])
        #expect(live.isCurrent)
        live.lose()
        #expect(!live.isCurrent)
        #expect(live.items.map(\.id.text) == ["org.a.b"])
        _ = try live.apply(["items": [Wire.item("org.a.c")]])
        #expect(live.items.map(\.id.text) == ["org.a.c"])
    }

    @Test(arguments: [
        (0, 60), (59, 1), (61, 59), (3_599, 1), (3_600, 3_600), (7_201, 3_599), (90_000, 82_800), (-5, 5),
    ])
    func theNextChangeOfAnAgeIsKnown(age: Int64, seconds: Int64) throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b")]])
        #expect(live.nextAgeChange(after: WallTime(microseconds: age * 1_000_000)) == .seconds(seconds))
    }
}
