// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct SystemClockTests {
    @Test(arguments: SystemClock.allCases) func aClockCountsInThreeUnits(clock: SystemClock) {
        let before = (clock.nanoseconds, clock.microseconds, clock.seconds)
        usleep(2_000)
        let after = clock.nanoseconds
        #expect((2_000_000..<10_000_000_000).contains(after - before.0))
        #expect((0...after / 1_000 - before.0 / 1_000).contains(before.1 - before.0 / 1_000))
        #expect((0...1).contains(before.2 - Int(before.0 / 1_000_000_000)))
    }

    @Test func theWallClockIsThatOfTheCLibrary() {
        #expect(abs(SystemClock.realtime.seconds - time(nil)) <= 1)
    }
}

@Suite struct EnvironmentVariablesTests {
    @Test func anEmptyVariableIsUnset() {
        let variables = EnvironmentVariables(["SET": "1", "EMPTY": ""])
        #expect(variables["SET"] == "1")
        #expect(variables["EMPTY"] == nil)
        #expect(variables["NONE"] == nil)
    }

    @Test func aProcessHasItsOwn() {
        setenv("PLATFORM_TESTS", "here", 1)
        defer { unsetenv("PLATFORM_TESTS") }
        #expect(EnvironmentVariables.process["PLATFORM_TESTS"] == "here")
    }
}

@Suite struct DescriptorTests {
    /// The pipe holds less than the text, so the writer has to wait for the reader, blocking or not.
    @Test(arguments: [0, O_NONBLOCK]) func allBytesArriveAtASlowReader(flag: Int32) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(fcntl(ends[1], F_SETFL, flag) == 0)
        try expectAllBytes(from: ends[0], to: ends[1], Descriptor.writeAll)
    }

    @Test func allBytesArriveAtASlowSocket() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #expect(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        try expectAllBytes(from: ends[0], to: ends[1], Descriptor.sendAll)
    }

    private func expectAllBytes(
        from reading: Int32, to writing: Int32, _ send: @escaping @Sendable ([UInt8], Int32) -> Bool
    ) throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let writer = Writer { send(bytes, writing) && close(writing) == 0 }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 10_000)
        while case let count = read(reading, &buffer, buffer.count), count > 0 { received += buffer[..<count] }
        close(reading)
        #expect(writer.result())
        #expect(received == bytes)
    }

    @Test func anErrorIsInErrno() {
        #expect(!Descriptor.writeAll([1], to: -1))
        #expect(errno == EBADF)
        #expect(Descriptor.writeAll([], to: -1))
    }

    /// SIGPIPE would end the tests.
    @Test func aClosedSocketIsAnErrorAndNoSignal() {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        close(ends[0])
        #expect(!Descriptor.sendAll([1], to: ends[1]))
        #expect(errno == EPIPE)
        close(ends[1])
    }
}

/// A thread that runs one function, and its result.
private final class Writer: @unchecked Sendable {
    private let body: @Sendable () -> Bool
    private var thread = pthread_t()
    private var succeeded = false

    init(_ body: @escaping @Sendable () -> Bool) {
        self.body = body
        pthread_create(
            &thread, nil,
            { context in
                // Unsafe: the reference that passRetained has made.
                if let writer = context.map({ Unmanaged<Writer>.fromOpaque($0).takeRetainedValue() }) {
                    writer.succeeded = writer.body()
                }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    /// Waits for the end of the thread.
    func result() -> Bool {
        pthread_join(thread, nil)
        return succeeded
    }
}

@Suite struct FileIdentityTests {
    private let directory = TemporaryDirectory()

    @Test func allNamesOfAFileAreOneFile() throws {
        let path = try directory.write("one", to: "file")
        let file = try #require(FileIdentity(of: path))
        link(path, directory("second"))
        symlink("file", directory("link"))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(FileIdentity(of: directory("second")) == file)
        #expect(FileIdentity(of: directory("link")) == file)
        #expect(FileIdentity(of: descriptor) == file)
        #expect(FileIdentity(ofLink: path) == file)
        try directory.write("another", to: "file")
        #expect(FileIdentity(ofLink: path) == FileIdentity(of: path))
    }

    @Test func aLinkIsAFileItself() throws {
        let path = try directory.write("one", to: "file")
        symlink("file", directory("link"))
        #expect(FileIdentity(ofLink: directory("link")) != FileIdentity(of: path))
        symlink("nothing", directory("dangling"))
        #expect(FileIdentity(of: directory("dangling")) == nil)
        #expect(FileIdentity(ofLink: directory("dangling")) != nil)
    }

    @Test func nothingHasNoIdentity() {
        #expect(FileIdentity(of: directory("none")) == nil)
        #expect(FileIdentity(ofLink: directory("none")) == nil)
        #expect(FileIdentity(of: Int32(-1)) == nil)
    }
}

@Suite struct StableHashTests {
    /// The vectors of the FNV specification.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func aTextHasTheHashOfFNV1a(text: String, hash: UInt64) {
        #expect(StableHash(text.utf8).value == hash)
    }

    @Test func partsHashAsTheWhole() {
        var hash = StableHash("foo".utf8)
        hash.combine(UInt8(ascii: "b"))
        hash.combine("ar".utf8)
        #expect(hash == StableHash("foobar".utf8))
    }
}

@Suite struct InvalidUTF8Tests {
    private struct Rule: Sendable {
        let bytes: [UInt8]
        let offset: Int?
    }

    private static let rules: [Rule] = [
        Rule(bytes: [], offset: nil), Rule(bytes: Array("aé€😀".utf8), offset: nil),
        Rule(bytes: [0xff], offset: 0), Rule(bytes: [0x61, 0x80], offset: 1),
        // A euro sign without its last byte, at the end and before a letter.
        Rule(bytes: [0x61, 0xe2, 0x82], offset: 1), Rule(bytes: [0x61, 0xe2, 0x82, 0x61], offset: 1),
        // An overlong slash, half of a surrogate pair, and beyond the last scalar.
        Rule(bytes: [0xc0, 0xaf], offset: 0), Rule(bytes: [0xc3, 0xa9, 0xed, 0xa0, 0x80], offset: 2),
        Rule(bytes: [0xf4, 0x90, 0x80, 0x80], offset: 0),
    ]

    @Test(arguments: rules) private func theFirstInvalidByteIsFound(_ rule: Rule) {
        #expect(InvalidUTF8.firstOffset(in: rule.bytes[...]) == rule.offset)
        // Offsets count from the start of the slice.
        #expect(InvalidUTF8.firstOffset(in: ([0x61, 0x61] + rule.bytes)[2...]) == rule.offset)
    }
}
