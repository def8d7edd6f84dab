// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

/// Every kind of source lets go of its handler, whether it is cancelled or dropped, and wherever that happens. One after
/// the other, as a signal has one source.
@Suite(.serialized) struct SourceReleaseTests {
    enum Kind: CaseIterable {
        case io, timer, signal, child, directory, turn
    }

    /// A source of any kind, and how to cancel it.
    private struct Source: Sendable {
        let object: any Sendable
        let cancel: @LoopActor () -> Void
    }

    private let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    @Test(arguments: Kind.allCases)
    @LoopActor func cancelReleasesTheHandler(kind: Kind) throws {
        let canary = Canary()
        let reference = Weak(canary)
        let source = try make(kind, consume canary)
        #expect(reference.value != nil)
        source.cancel()
        #expect(reference.value == nil)
        source.cancel()
    }

    @Test(arguments: Kind.allCases)
    @LoopActor func droppingReleasesTheHandler(kind: Kind) throws {
        let canary = Canary()
        let reference = Weak(canary)
        do { _ = try make(kind, consume canary) }
        #expect(reference.value == nil)
    }

    @Test(arguments: Kind.allCases)
    func droppingElsewhereReleasesTheHandlerSoon(kind: Kind) async throws {
        let canary = Canary()
        let reference = Weak(canary)
        do { _ = try await make(kind, consume canary) }
        try await eventually("release of the handler") { reference.value == nil }
    }

    @LoopActor
    private func make(_ kind: Kind, _ canary: Canary) throws -> Source {
        switch kind {
        case .io:
            let pipe = try Pipe()
            let descriptor = OwnedDescriptor(adopting: dup(pipe.reading))
            let source = try IOSource(owning: descriptor, events: .readable) { _ in
                _ = (canary.name, pipe)
            }
            return Source(object: source) { source.cancel() }
        case .timer:
            let source = try TimerSource(.boottime) { _ = canary.name }
            return Source(object: source) { source.cancel() }
        case .signal:
            let source = try SignalSource(SIGURG) { _ = canary.name }
            return Source(object: source) { source.cancel() }
        case .child:
            let source = try ChildSource(pid: getpid()) { _ in _ = canary.name }
            return Source(object: source) { source.cancel() }
        case .directory:
            let source = try DirectorySource(path: directory.path, mask: .created) { _ in _ = canary.name }
            return Source(object: source) { source.cancel() }
        case .turn:
            let source = try EndOfRound { _ = canary.name }
            return Source(object: source) { source.cancel() }
        }
    }
}
