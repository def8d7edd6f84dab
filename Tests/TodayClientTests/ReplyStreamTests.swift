// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Platform
import Testing
import TodayModel
import Varlink

@testable import TodayClient

/// What a host notices of a todayd that hangs.
@Suite struct ReplyStreamTests {
    private func stream(_ program: Program, timeout: TimeSpan, heartbeat: TimeSpan?) -> ReplyStream {
        let socket = DaemonSocket(path: program.socket, kind: .given)
        let service = ServiceClient(socket, environment: EnvironmentVariables { _ in nil }, timeout: timeout)
        return ReplyStream(.show([], at: .today), of: service, heartbeat: heartbeat)
    }

    private static func reply(_ items: [JSON], continues: Bool = true) -> VarlinkReply {
        VarlinkReply(["items": .array(items), "removed": []], continues: continues)
    }

    private func text(_ event: ReplyStream.Event) -> String {
        switch event {
        case .reply(let reply): reply["items"]?.arrayValue?.isEmpty == true ? "empty" : "items"
        case .end: "end"
        case .nothing: "nothing"
        }
    }

    @Test func heartbeatsAreNoNews() throws {
        let program = Program()
        program.serve { peer in
            guard let call = peer.receive(), call.parameters["heartbeat"] == 7 else { return }
            peer.send(Self.reply([]))
            for _ in 0..<3 { peer.send(Self.reply([])) }
            peer.send(Self.reply([Wire.item("org.a.b")]))
            peer.send(Self.reply([], continues: false))
        }
        let stream = stream(program, timeout: .seconds(10), heartbeat: .seconds(7))
        let events = try (0..<4).map { _ in text(try stream.next(within: .seconds(10))) }
        #expect(events == ["empty", "items", "empty", "end"])
    }

    @Test func aServiceThatFallsSilentTimesOut() throws {
        let program = Program()
        program.serve { peer in
            guard peer.receive() != nil else { return }
            peer.send(Self.reply([]))
            _ = peer.receive()
        }
        let stream = stream(program, timeout: .seconds(30), heartbeat: .milliseconds(200))
        #expect(text(try stream.next(within: .seconds(10))) == "empty")
        #expect(text(try stream.next(within: .milliseconds(100))) == "nothing")
        do {
            _ = try stream.next(within: .milliseconds(400))
            Issue.record("it waits on")
        } catch let error as ClientError {
            #expect(error.code == .timedOut && error.description.contains("within 400 ms"))
        }
        stream.close()
    }

    @Test func withoutAHeartbeatAServiceMayBeSilent() throws {
        let program = Program()
        program.serve { peer in
            guard peer.receive() != nil else { return }
            _ = peer.receive()
        }
        let stream = stream(program, timeout: .milliseconds(100), heartbeat: nil)
        #expect(text(try stream.next(within: .milliseconds(300))) == "nothing")
        stream.close()
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
