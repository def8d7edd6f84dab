// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct PipeReaderTests {
    private let writing: OwnedDescriptor
    private let reading: OwnedDescriptor

    init() throws {
        TestLoop.start()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (reading, writing) = (OwnedDescriptor(adopting: ends[0]), OwnedDescriptor(adopting: ends[1]))
    }

    @LoopActor private func write(_ text: String) -> Int { Glibc.write(writing.number, text, text.utf8.count) }

    /// A reader that gets the pipe's only reading end.
    @LoopActor private func reader(_ arrivals: Arrivals<String>) throws -> PipeReader {
        let copy = fcntl(reading.number, F_DUPFD_CLOEXEC, 3)
        // What was opened first goes, so that the reader's is the last.
        try #require(dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), reading.number) == reading.number)
        return PipeReader(
            OwnedDescriptor(adopting: copy),
            onBytes: { arrivals.send(String(decoding: $0, as: UTF8.self)) }, onEnd: { arrivals.send("end") })
    }

    @Test @LoopActor func bytesArriveAsTheyAreWritten() async throws {
        let arrivals = Arrivals<String>("bytes")
        let reader = try reader(arrivals)
        try reader.watch()
        try reader.watch()
        #expect(write("one") == 3)
        #expect(try await arrivals.next() == "one")
        reader.pause()
        #expect(write("two") == 3)
        try await turns(3)
        #expect(arrivals.taken() == [])
        reader.resume()
        #expect(try await arrivals.next() == "two")
        #expect(write("three") == 5)
        reader.readOnce()
        #expect(arrivals.taken() == ["three"])
        reader.close()
    }

    /// While the reader is still there, its writers get EPIPE.
    @Test @LoopActor func aClosedPipeHasNoReader() async throws {
        for isWatched in [true, false] {
            let tests = try PipeReaderTests()
            let arrivals = Arrivals<String>("end")
            let reader = try tests.reader(arrivals)
            if isWatched { try reader.watch() }
            #expect(tests.write("unread") == 6)
            reader.close()
            #expect(tests.write("more") == -1 && errno == EPIPE)
            reader.drain()
            try await turns(3)
            #expect(arrivals.taken() == [])
            withExtendedLifetime(reader) {}
        }
    }
}
