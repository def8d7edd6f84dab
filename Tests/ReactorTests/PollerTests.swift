// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

/// Sources whose events come in one batch, and handlers that change what the rest of the batch is about.
@Suite struct PollerTests {
    init() { TestLoop.start() }

    @Test @LoopActor func moreReadyDescriptorsThanABatchAllArrive() async throws {
        let pipes = try (0..<200).map { _ in try Pipe() }
        let arrivals = Arrivals<Int>("byte")
        let sources = try pipes.indices.map { index in
            try IOSource(descriptor: pipes[index].reading, events: .readable) { _ in
                _ = pipes[index].read()
                arrivals.send(index)
            }
        }
        for pipe in pipes { pipe.write("x") }
        #expect(try await arrivals.next(200).sorted() == Array(0..<200))
        for source in sources { source.cancel() }
    }

    @Test @LoopActor func aHandlerMayCancelTheOthersOfItsBatch() async throws {
        let pipes = try (0..<10).map { _ in try Pipe() }
        let arrivals = Arrivals<Int>("byte")
        let sources = Box<[IOSource]>()
        sources.value = try pipes.indices.map { index in
            try IOSource(descriptor: pipes[index].reading, events: .readable) { _ in
                arrivals.send(index)
                sources.value?.forEach { $0.cancel() }
                sources.value = nil
            }
        }
        for pipe in pipes { pipe.write("x") }
        _ = try await arrivals.next()
        try await turns(3)
        #expect(arrivals.taken() == [])
    }

    @Test @LoopActor func aHandlerMaySilenceTheOthersOfItsBatch() async throws {
        let pipes = try (0..<10).map { _ in try Pipe() }
        let arrivals = Arrivals<Int>("byte")
        let sources = Box<[IOSource]>()
        sources.value = try pipes.indices.map { index in
            try IOSource(descriptor: pipes[index].reading, events: .readable) { _ in
                arrivals.send(index)
                sources.value?.forEach { $0.events = [] }
            }
        }
        for pipe in pipes { pipe.write("x") }
        _ = try await arrivals.next()
        try await turns(3)
        #expect(arrivals.taken() == [])
        sources.value = nil
    }

    /// The event of the old file must not reach the handler of the new one that got its number.
    @Test @LoopActor func aNumberReusedWithinABatchStartsAfresh() async throws {
        let pipes = try (0..<2).map { _ in try Pipe() }
        let quiet = try Pipe()
        let arrivals = Arrivals<String>("event")
        let sources = Box<[IOSource]>()
        sources.value = try [0, 1].map { index in
            try IOSource(descriptor: pipes[index].reading, events: .readable) { _ in
                let other = 1 - index
                sources.value?.forEach { $0.cancel() }
                #expect(dup2(quiet.reading, pipes[other].reading) == pipes[other].reading)
                let fresh = try? IOSource(descriptor: pipes[other].reading, events: .readable) { _ in
                    arrivals.send("the quiet pipe")
                }
                sources.value = fresh.map { [$0] }
                arrivals.send("byte")
            }
        }
        for pipe in pipes { pipe.write("x") }
        #expect(try await arrivals.next() == "byte")
        try await turns(3)
        #expect(arrivals.taken() == [])
        quiet.write("y")
        #expect(try await arrivals.next() == "the quiet pipe")
        sources.value = nil
    }

    @Test @LoopActor func watchingADescriptorTwiceIsRefused() throws {
        let pipe = try Pipe()
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { _ in }
        #expect(throws: ReactorError("watch descriptor \(pipe.reading)", code: EEXIST)) {
            try IOSource(descriptor: pipe.reading, events: .readable) { _ in }
        }
        source.cancel()
    }

    @Test @LoopActor func anInvalidDescriptorIsRefused() {
        #expect(throws: ReactorError("watch descriptor -1", code: EBADF)) {
            try IOSource(descriptor: -1, events: .readable) { _ in }
        }
    }
}
