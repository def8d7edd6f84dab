// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

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
        #expect(Descriptor.readAll(reading) == bytes)
        close(reading)
        #expect(writer.result())
    }

    /// One chunk more than the limit says that there is more.
    @Test func aReaderStopsBehindItsLimit() throws {
        let zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        defer { close(zero) }
        let bytes = try #require(Descriptor.readAll(zero, upTo: 100_000))
        #expect((100_001...200_000).contains(bytes.count) && bytes.allSatisfy { $0 == 0 })
    }

    @Test func aWholeFileIsReadOrNothing() throws {
        let directory = TemporaryDirectory()
        try directory.write("text", to: "file")
        try directory.write("", to: "empty")
        #expect(Descriptor.contents(of: directory("file")) == Array("text".utf8))
        #expect(Descriptor.contents(of: directory("empty"))?.isEmpty == true)
        #expect(Descriptor.contents(of: "/proc/self/stat")?.isEmpty == false)
        #expect(Descriptor.contents(of: directory("missing")) == nil)
        #expect(Descriptor.contents(of: directory.path) == nil && errno == EISDIR)
        #expect(Descriptor.readAll(-1) == nil && errno == EBADF)
    }

    /// A writer that asks again and again would take a processor until the reader comes.
    @Test func aFullPipeIsWaitedForWithoutWork() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let bytes = [UInt8](repeating: 1, count: 100_000)
        let began = clock()
        let writer = Writer { Descriptor.writeAll(bytes, to: writing) && close(writing) == 0 }
        usleep(300_000)
        let worked = Double(clock() - began) / Double(CLOCKS_PER_SEC)
        var buffer = [UInt8](repeating: 0, count: 200_000)
        while read(reading, &buffer, buffer.count) > 0 {}
        close(reading)
        #expect(writer.result())
        #expect(worked < 0.15, "\(worked) s of 0.3 s")
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

    @Test func aLinkHasAnIdentityOfItsOwn() throws {
        let path = try directory.write("one", to: "file")
        symlink("file", directory("link"))
        #expect(FileIdentity(ofLink: directory("link")) != FileIdentity(of: path))
        symlink("nothing", directory("dangling"))
        #expect(FileIdentity(of: directory("dangling")) == nil)
        #expect(FileIdentity(ofLink: directory("dangling")) != nil)
    }

    @Test func aMissingFileHasNoIdentity() {
        #expect(FileIdentity(of: directory("none")) == nil)
        #expect(FileIdentity(ofLink: directory("none")) == nil)
        #expect(FileIdentity(of: Int32(-1)) == nil)
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
