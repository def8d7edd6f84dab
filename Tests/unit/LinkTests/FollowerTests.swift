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

@testable import Console
@testable import Link

/// What a host notices of a todayd that hangs.
@Suite struct FollowerTests {
    private static func reply(_ items: [JSON], continues: Bool = true) -> VarlinkReply {
        VarlinkReply(["items": .array(items), "removed": []], continues: continues)
    }

    /// Only what is shown and fresh becomes stale.
    @Test(arguments: [(true, false, 61 as Int64?), (false, false, nil), (true, true, nil), (false, true, nil)])
    func whatIsFreshBecomesStale(isVisible: Bool, isStale: Bool, seconds: Int64?) throws {
        let now = WallTime(microseconds: 1_800_000_000_000_000)
        var item = Wire.item("org.a.a", text: "one").objectValue ?? [:]
        if !isVisible { (item["state"], item["visible"]) = ("hidden", false) }
        item["stale"] = .bool(isStale)
        item["freshUntil"] = .int((now + .minutes(1)).microseconds)
        var items = LiveItems()
        _ = try items.apply(["items": [.object(item)], "removed": []])
        #expect(items.items.nextStaleness(after: now) == seconds.map { .seconds($0) })
        #expect(items.items.nextStaleness(after: now + .minutes(2)) == nil)
    }

    private func service(_ program: Program, timeout: TimeSpan = .seconds(10)) -> ServiceClient {
        let socket = DaemonSocket(path: program.socket, kind: .given)
        return ServiceClient(socket, environment: EnvironmentVariables { _ in nil }, timeout: timeout)
    }

    /// A todayd that is stopped lets its queue run full.
    private func withFullQueue(_ program: Program, _ body: () throws -> Void) rethrows {
        unlink(program.socket)
        let listener = ScriptedService.listen(at: program.socket)
        defer { close(listener) }
        let waiting = (0..<2).map { _ in try? VarlinkConnection(path: program.socket, timeout: .seconds(20)) }
        try withExtendedLifetime(waiting, body)
    }

    private func follower(_ program: Program, heartbeat: TimeSpan) -> Follower {
        let service = service(program)
        return Follower(
            .show([], at: .today), of: service, Follow.Policy(waitsFromStart: true, endsWithStream: true),
            heartbeat: heartbeat)
    }

    /// Reads as a host does until the end, or until there are `count` news.
    private func news(_ follower: Follower, count: Int = .max) throws -> [String] {
        var all: [String] = []
        let end = AwakeTime.now + .seconds(10)
        while .now < end {
            all += try follower.read().map { news in
                switch news {
                case .reply(let reply): reply["items"]?.arrayValue?.isEmpty == true ? "empty" : "items"
                case .lost(let reason): "\(reason)"
                case .end: "end"
                }
            }
            if all.last == "end" || all.count >= count { break }
            var entry = pollfd(reading: follower.descriptor)
            poll(&entry, 1, TimeSpan.pollMilliseconds(follower.pause(at: .now)))
        }
        return all
    }

    @Test func aClosedStreamBeginsAgain() throws {
        let program = Program()
        program.serve(connections: 2) { peer in
            guard peer.receive() != nil else { return }
            peer.send(Self.reply([Wire.item("org.a.b")], continues: false))
        }
        let service = service(program)
        let stream = ReplyStream(ServiceCall("Show"), of: service)
        func next() throws -> String {
            switch try stream.next(within: .seconds(10)) {
            case .reply: "reply"
            case .end: "end"
            case .nothing: "nothing"
            }
        }
        #expect(try [next(), next(), next()] == ["reply", "end", "end"] && stream.isFinished)
        stream.close()
        #expect(stream.descriptor == nil && !stream.isFinished)
        #expect(try [next(), next()] == ["reply", "end"])
    }

    @Test func heartbeatsAreNoNews() throws {
        let program = Program()
        program.serve { peer in
            guard let call = peer.receive(), call.parameters["heartbeat"] == 7 else { return }
            // They arrive together, and are more than are read at once.
            let beats = [VarlinkReply](repeating: Self.reply([]), count: 40)
            let replies = beats + [Self.reply([Wire.item("org.a.b")]), Self.reply([], continues: false)]
            peer.send(replies.flatMap { $0.encoded() })
            _ = peer.receive()
        }
        let follower = follower(program, heartbeat: .seconds(7))
        #expect(!follower.hasMore)
        let start = AwakeTime.now
        #expect(try news(follower) == ["empty", "items", "empty", "end"])
        #expect(!follower.hasMore && AwakeTime.now - start < .seconds(5))
    }

    /// The first answer says which widget was meant, and the next connection asks for it.
    @Test func aStreamIsCorrectedAFewTimesOnly() throws {
        let program = Program()
        let asked = Mutex<[String]>([])
        program.serve(connections: 20) { peer in
            guard let call = peer.receive(), let id = call.parameters["id"]?.stringValue else { return }
            asked.withLock { $0.append(id) }
            let isKnown = id == "org.a.disk"
            peer.send(isKnown ? Self.reply([]) : VarlinkReply(Wire.noSuchWidget(id, candidates: ["org.a.\(id)"])))
            _ = peer.receive()
        }
        /// Whether there is a reply.
        func isAnswered(_ id: String) throws -> Bool {
            let service = service(program)
            let stream = ReplyStream(ServiceCall("Show", ["id": .string(id)]), of: service)
            for _ in 0..<10 { if case .reply = try stream.next(within: .seconds(2)) { return true } }
            return false
        }
        #expect(try isAnswered("disk"))
        #expect(throws: ClientError.self) { _ = try isAnswered("x") }
        let expected = ["disk", "org.a.disk", "x", "org.a.x", "org.a.org.a.x", "org.a.org.a.org.a.x"]
        #expect(asked.withLock { $0 } == expected)
    }

    /// A command waits for its first connection, and a host that has had one looks again later.
    @Test func onlyTheFirstConnectionIsWaitedFor() throws {
        let program = Program()
        let service = service(program, timeout: .seconds(2))
        func command() -> Follower { Follower(.show([], at: .today), of: service, Follow.Policy(endsWithStream: true)) }
        let start = AwakeTime.now
        withFullQueue(program) { #expect(throws: ClientError.self) { _ = try command().read() } }
        #expect(AwakeTime.now - start > .seconds(1))

        program.serve { peer in
            _ = peer.receive()
            peer.send(Self.reply([]))
        }
        let connected = command()
        #expect(try news(connected, count: 2).count == 2)
        withFullQueue(program) {
            for _ in 0..<3 {
                poll(nil, 0, TimeSpan.pollMilliseconds(connected.pause(at: .now)))
                let start = AwakeTime.now
                _ = try? connected.read()
                #expect(AwakeTime.now - start < .seconds(1))
            }
        }
    }

    @Test func aCallAfterALostConnectionConnectsAgain() throws {
        let program = Program()
        program.serve(connections: 2) { peer in if peer.receive() != nil { peer.send(VarlinkReply([:])) } }
        let service = service(program)
        _ = try service.call(ServiceCall("Reload"))
        #expect(throws: ClientError.self) { _ = try service.call(ServiceCall("Reload")) }
        _ = try service.call(ServiceCall("Reload"))
    }

    @Test func withoutATodaydABarWaitsAndACommandEnds() throws {
        let program = Program()
        let lost = try news(follower(program, heartbeat: .seconds(30)), count: 1)
        #expect(lost.count == 1 && lost[0].contains("todayd is not running"), "\(lost)")
        let result = try program.run(["watch"])
        #expect(result.code == .unreachable && result.errors.contains("todayd is not running"))
    }

    @Test func aServiceThatFallsSilentIsLost() throws {
        let program = Program()
        program.serve(connections: 2) { peer in
            guard peer.receive() != nil else { return }
            peer.send(Self.reply([]))
            _ = peer.receive()
        }
        let all = try news(follower(program, heartbeat: .milliseconds(200)), count: 3)
        #expect(all.count == 3 && all[0] == "empty" && all[1].contains("within 400 ms") && all[2] == "empty")
    }

    /// A host that stays looks again later, and waits for nothing.
    @Test func aFullQueueHoldsNoHostUp() throws {
        let program = Program()
        try withFullQueue(program) {
            let start = AwakeTime.now
            let lost = try news(follower(program, heartbeat: .seconds(30)), count: 1)
            #expect(lost.count == 1 && lost[0].contains("its queue is full; todayd is stopped"), "\(lost)")
            #expect(AwakeTime.now - start < .seconds(5))
        }
    }

    /// genmon runs the command again and again, so it ends.
    @Test func aPolledBarShowsThatTodaydIsSilent() throws {
        let program = Program()
        program.serve { peer in while peer.receive() != nil {} }
        let result = try program.run(["--timeout=1", "bar", "genmon"])
        #expect(result.code == .ok && result.output.contains("todayd") && result.errors.contains("no answer from"))
    }

    @Test func aViewThatNeverBeganTimesOut() throws {
        let program = Program()
        program.serve { peer in while peer.receive() != nil {} }
        let result = try program.run(["--timeout=1", "watch"])
        #expect(result.code == .timedOut && result.output == "")
    }

    @Test func anIgnoredSignalStaysIgnored() throws {
        func isIgnored() -> Bool {
            let before = signal(SIGUSR2, SIG_IGN)
            defer { _ = signal(SIGUSR2, before) }
            return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        }
        _ = signal(SIGUSR2, SIG_IGN)
        defer { _ = signal(SIGUSR2, SIG_DFL) }
        do {
            let pipe = try SignalPipe([SIGUSR2, SIGUSR1])
            pipe.leave(SIGUSR2) { #expect(isIgnored()) }
            // The signals of the loop are blocked in the threads of a test.
            var (both, before) = (sigset_t(), sigset_t())
            sigemptyset(&both)
            sigaddset(&both, SIGUSR1)
            sigaddset(&both, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &both, &before)
            raise(SIGUSR2)
            raise(SIGUSR1)
            pthread_sigmask(SIG_SETMASK, &before, nil)
            #expect(pipe.received() == [SIGUSR1])
        }
        #expect(isIgnored())
    }
}
