// SPDX-License-Identifier: MIT

import Files
import Glibc
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Bars

@Suite struct PageTurnTests {
    private let directory = TemporaryDirectory()
    private var environment: EnvironmentVariables { EnvironmentVariables(["XDG_RUNTIME_DIR": directory.path]) }

    private static func turn(_ isForward: Bool) throws -> PageTurn {
        PageTurn(try #require(WidgetID("org.a.b")), isForward: isForward)
    }

    @Test func aMessageIsRead() throws {
        for isForward in [true, false] {
            let turn = try Self.turn(isForward)
            #expect(PageTurn(turn.bytes[...]) == turn)
            #expect(turn.steps == (isForward ? 1 : -1))
        }
        #expect(try String(decoding: Self.turn(true).bytes, as: UTF8.self) == "next org.a.b")
    }

    @Test(arguments: [
        "", "next", "next ", " org.a.b", "next  org.a.b", "next org.a.b ", "next org.a.b x", "press org.a.b",
        "none org.a.b",
        "Next org.a.b", "next ../a", "next org.a.b\n", "next \u{0}",
    ])
    func whatIsNoMessageIsSkipped(text: String) {
        #expect(PageTurn(Array(text.utf8)[...]) == nil)
    }

    @Test func barsOfTheUserGetIt() throws {
        let turn = try Self.turn(true)
        #expect(PageTurnSocket.send(turn, in: environment) == 0)
        let socket = try #require(PageTurnSocket(environment))
        #expect(socket.received().isEmpty)
        #expect(PageTurnSocket.send(turn, in: environment) == 1)
        #expect(try PageTurnSocket.send(Self.turn(false), in: environment) == 1)
        #expect(try socket.received() == [turn, Self.turn(false)])
        #expect(socket.received().isEmpty)
        var status = stat()
        #expect(stat(directory("todayctl-bars"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    /// An earlier process of this number was killed.
    @Test func aFileThatIsLeftIsReplaced() throws {
        try directory.makeDirectory("todayctl-bars")
        chmod(directory("todayctl-bars"), 0o700)
        try directory.write("", to: "todayctl-bars/\(getpid())")
        let socket = try #require(PageTurnSocket(environment))
        #expect(try PageTurnSocket.send(Self.turn(true), in: environment) == 1)
        #expect(try socket.received() == [Self.turn(true)])
    }

    @Test func withoutAPlaceNoDescriptorStays() throws {
        try directory.makeDirectory("todayctl-bars")
        chmod(directory("todayctl-bars"), 0o700)
        try directory.makeDirectory("todayctl-bars/\(getpid())")
        func descriptors() throws -> Int { try DirectoryListing(of: "/proc/self/fd").entries.count }
        let before = try descriptors()
        for _ in 0..<50 { #expect(PageTurnSocket(environment) == nil) }
        // Tests that run beside this one have some, too.
        #expect(try descriptors() < before + 40)
    }

    @Test func aBarThatHasEndedLeavesNothing() throws {
        let descriptor: Int32
        do {
            let socket = try #require(PageTurnSocket(environment))
            descriptor = socket.descriptor
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(fcntl(descriptor, F_GETFD) == -1)
        #expect(access(directory("todayctl-bars/\(getpid())"), F_OK) != 0)
        #expect(try PageTurnSocket.send(Self.turn(true), in: environment) == 0)
    }

    /// A bar that was killed has no time to remove its socket.
    @Test func theSocketOfAKilledBarIsRemoved() throws {
        let dead = directory("todayctl-bars/1")
        #expect(mkdir(directory("todayctl-bars"), 0o700) == 0)
        let address = try #require(UnixSocketAddress(path: dead))
        let killed = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #expect(address.withSocketAddress { bind(killed, $0, $1) } == 0)
        close(killed)
        #expect(access(dead, F_OK) == 0)
        let socket = try #require(PageTurnSocket(environment))
        #expect(access(dead, F_OK) != 0)
        #expect(try PageTurnSocket.send(Self.turn(true), in: environment) == 1)
        #expect(socket.received().count == 1)
    }

    @Test func itNeedsADirectoryOfTheUsers() throws {
        #expect(PageTurnSocket(EnvironmentVariables([:])) == nil)
        #expect(PageTurnSocket(EnvironmentVariables(["XDG_RUNTIME_DIR": "relative"])) == nil)
        #expect(PageTurnSocket(EnvironmentVariables(["XDG_RUNTIME_DIR": directory("none")])) == nil)
        let other = TemporaryDirectory()
        #expect(symlink(other.path, directory("todayctl-bars")) == 0)
        #expect(PageTurnSocket(environment) == nil)
        let long = directory(String(repeating: "x", count: 100))
        #expect(mkdir(long, 0o700) == 0)
        #expect(PageTurnSocket(EnvironmentVariables(["XDG_RUNTIME_DIR": long])) == nil)
    }

    /// A bar that is stopped reads nothing, and the click waits for it no longer than a moment.
    @Test func aFullSocketLosesClicks() throws {
        let socket = try #require(PageTurnSocket(environment))
        let turn = try Self.turn(true)
        for _ in 0..<2_000 { #expect(PageTurnSocket.send(turn, in: environment) == 1) }
        var received = 0
        while true {
            let turns = socket.received()
            if turns.isEmpty { break }
            received += turns.count
        }
        #expect(received > 0 && received < 2_000)
    }
}
