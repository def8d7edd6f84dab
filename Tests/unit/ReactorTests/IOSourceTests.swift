// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct IOSourceTests {
    init() { TestLoop.start() }

    @Test @LoopActor func aBytePendingIsReadable() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("byte")
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { events in
            arrivals.send(events)
            _ = pipe.read()
        }
        pipe.write("x")
        #expect(try await arrivals.next() == .readable)
        pipe.write("y")
        #expect(try await arrivals.next() == .readable)
        source.cancel()
    }

    @Test @LoopActor func anEmptyPipeIsWritable() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("room")
        let source = try IOSource(descriptor: pipe.writing, events: .writable) { arrivals.send($0) }
        #expect(try await arrivals.next() == .writable)
        source.cancel()
    }

    @Test @LoopActor func aHangupIsReportedUnasked() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("hang-up")
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { arrivals.send($0) }
        pipe.closeWriting()
        #expect(try await arrivals.next().contains(.hangup))
        source.cancel()
    }

    @Test @LoopActor func eventsCanBeChanged() async throws {
        let pair = try Pipe(sockets: ())
        let arrivals = Arrivals<IOEvents>("event")
        let source = try IOSource(descriptor: pair.reading, events: .readable) { arrivals.send($0) }
        source.events = [.readable, .writable]
        #expect(try await arrivals.next() == .writable)
        source.cancel()
    }

    /// Without events not even a hang-up is reported, which would otherwise spin.
    @Test @LoopActor func withoutEventsNothingIsReported() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("hang-up")
        let source = try IOSource(descriptor: pipe.reading, events: []) { arrivals.send($0) }
        pipe.closeWriting()
        try await turns(3)
        #expect(arrivals.taken() == [])
        source.events = .readable
        #expect(try await arrivals.next().contains(.hangup))
        source.events = []
        _ = arrivals.taken()
        try await turns(3)
        #expect(arrivals.taken() == [])
        source.cancel()
    }

    @Test @LoopActor func aRegularFileIsRefused() throws {
        let directory = TemporaryDirectory()
        let file = open(try directory.write("text", to: "file"), O_RDONLY)
        defer { close(file) }
        #expect(throws: ReactorError("watch descriptor \(file)", code: EPERM)) {
            try IOSource(descriptor: file, events: .readable) { _ in }
        }
    }

    @Test @LoopActor func aHandlerMayCancelItsSource() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<String>("byte")
        let box = Box<IOSource>()
        let captured = Canary()
        box.value = try IOSource(descriptor: pipe.reading, events: .readable) { _ in
            box.value?.cancel()
            box.value?.cancel()
            box.value = nil
            arrivals.send(captured.name)
        }
        pipe.write("x")
        #expect(try await arrivals.next() == "alive")
        try await turns(3)
        #expect(arrivals.taken() == [])
    }

    @Test @LoopActor func anOwnedDescriptorIsClosedWithItsSource() throws {
        let pipe = try Pipe()
        let copy = dup(pipe.reading)
        let source = try IOSource(owning: OwnedDescriptor(adopting: copy), events: .readable) { _ in }
        #expect(fcntl(copy, F_GETFD) >= 0)
        source.cancel()
        // Another test may have got the number already; then it names another file.
        #expect(!isSameFile(copy, pipe.reading))
    }
}
