// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import TestSupport
import Testing

@testable import Reactor

/// Sources whose events come in one batch, and handlers that change what the rest of the batch is about.
@Suite struct PollerTests {
    init() { TestLoop.start() }

    @Test @LoopActor func moreReadyDescriptorsThanABatchAllArrive() async throws {
        let count = Poller.batchSize + 50
        // eventfd(2): readable from the beginning, and one descriptor each.
        let bells = (0..<count).map { _ in OwnedDescriptor(adopting: eventfd(1, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) }
        let arrivals = Arrivals<Int>("bell")
        let sources = try bells.indices.map { index in
            try IOSource(owning: bells[index], events: .readable) { _ in
                var rings: eventfd_t = 0
                eventfd_read(bells[index].number, &rings)
                arrivals.send(index)
            }
        }
        #expect(try await arrivals.next(count).sorted() == Array(0..<count))
        for source in sources { source.cancel() }
    }

    /// A descriptor that stays open is not watched any more, or each round would end at once.
    @Test(arguments: [true, false]) @LoopActor func whatIsCancelledIsNotWatched(hasEvents: Bool) async throws {
        let pipe = try Pipe()
        func isWatched() throws -> Bool {
            let directory = "/proc/self/fdinfo"
            let names = try #require(opendir(directory))
            defer { closedir(names) }
            var found = false
            while let entry = readdir(names) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard let file = fopen("\(directory)/\(name)", "r") else { continue }
                defer { fclose(file) }
                var line = [CChar](repeating: 0, count: 512)
                while fgets(&line, 512, file) != nil {
                    var descriptor: Int32 = -1
                    let isTarget = withUnsafeMutablePointer(to: &descriptor) { place in
                        withVaList([place]) { vsscanf(line, "tfd: %d", $0) } == 1
                    }
                    found = found || isTarget && descriptor == pipe.reading
                }
            }
            return found
        }
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { _ in }
        #expect(try isWatched())
        if !hasEvents { source.events = [] }
        #expect(try isWatched() == hasEvents)
        source.cancel()
        #expect(try !isWatched())
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
