// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Runner

/// To which run an orphan belongs, how it is ended, and when a run waits for it: on a table of processes in memory, because
/// the orphans of this process are those of all tests.
@Suite struct OrphanTests {
    init() { TestLoop.start() }

    private struct Process {
        var session: pid_t?
        var mark: UInt64?
        var began: Int64 = 100
        var isDead = false
        /// KILL does not end it.
        var isStubborn = false
        /// So many more come, one each time that the last one was reaped.
        var chain = 0
    }

    @LoopActor
    private final class Table: OrphanTable {
        var processes: [pid_t: Process] = [:]
        var ended: [pid_t] = []
        var listings = 0

        var orphans: [pid_t] {
            listings += 1
            return processes.keys.sorted()
        }
        func reap(_ orphan: pid_t) -> Bool {
            guard let process = processes[orphan], process.isDead else { return processes[orphan] == nil }
            processes[orphan] = nil
            if process.chain > 0 {
                var next = process
                next.chain -= 1
                processes[orphan + 1] = next
            }
            return true
        }
        func end(_ orphan: pid_t) {
            ended.append(orphan)
            if processes[orphan]?.isStubborn == false { processes[orphan]?.isDead = true }
        }
        func session(of orphan: pid_t) -> pid_t? { processes[orphan]?.session }
        func mark(of orphan: pid_t) -> UInt64? {
            processes[orphan].flatMap { $0.isDead ? nil : $0.mark }
        }
        func began(_ orphan: pid_t, before time: Int64) -> Bool { processes[orphan].map { $0.began < time } ?? false }
    }

    /// Two runs: 10 with the mark 1 since 100, and 20 with the mark 2 since 200.
    @LoopActor private static func made(
        _ unknown: RunSettings.UnknownOrphans, _ processes: [pid_t: Process]
    ) -> (Leftovers, Table) {
        let table = Table()
        table.processes = processes
        let leftovers = Leftovers(unknown, in: table)
        leftovers.add(10, Leftovers.Run(mark: 1, began: 100))
        leftovers.add(20, Leftovers.Run(mark: 2, began: 200))
        return (leftovers, table)
    }

    private static let owners: [(Process, pid_t?)] = [
        (Process(session: 10), 10), (Process(session: 20), 20), (Process(session: 30), nil), (Process(), nil),
        (Process(session: 30, mark: 1), 10), (Process(mark: 2, began: 200), 20), (Process(mark: 3), nil),
        // The session that the program has led counts for more than what anybody may set as a limit.
        (Process(session: 10, mark: 2, began: 300), 10),
        // A process that was there before the run is none of it.
        (Process(mark: 2, began: 199), nil), (Process(mark: 1, began: 99), nil),
    ]

    @Test(arguments: 0..<10, [RunSettings.UnknownOrphans.reap, .end])
    @LoopActor func itsOwnOrphansEndWithARun(place: Int, unknown: RunSettings.UnknownOrphans) {
        let (process, owner) = Self.owners[place]
        for leader: pid_t in [10, 20] {
            let (leftovers, table) = Self.made(unknown, [5: process])
            let remaining = leftovers.sweep(leader)
            let ends = owner == leader || (owner == nil && unknown == .end)
            #expect(table.ended == (ends ? [5] : []))
            #expect(remaining == (owner == leader ? 1 : 0))
            #expect(table.processes[5]?.isDead == ends)
        }
    }

    /// One sweep ends an orphan, and the next one reaps it. Only the orphan's own run waits for that.
    @Test @LoopActor func aRunWaitsUntilItsOrphansAreReaped() {
        let (leftovers, table) = Self.made(.end, [5: Process(session: 10), 6: Process(mark: 1), 7: Process()])
        #expect(leftovers.sweep(10) == 2)
        #expect(table.ended == [5, 6, 7])
        #expect(leftovers.sweep(10) == 0)
        #expect(table.processes.isEmpty && table.ended == [5, 6, 7])
    }

    /// A dead process has no mark. Its run is remembered until it is reaped.
    @Test @LoopActor func aDeadOrphanStillBelongsToItsRun() {
        let (leftovers, table) = Self.made(.reap, [5: Process(mark: 1, isStubborn: true)])
        #expect(leftovers.sweep(10) == 1)
        table.processes[5]?.mark = nil
        #expect(leftovers.sweep(10) == 1 && leftovers.sweep(20) == 0)
        table.processes[5]?.isDead = true
        #expect(leftovers.sweep(10) == 0 && table.processes.isEmpty)
    }

    /// Its number may go to another process, which is asked anew.
    @Test @LoopActor func aNumberThatWasReapedIsForgotten() {
        let (leftovers, table) = Self.made(.reap, [5: Process(mark: 1)])
        #expect(leftovers.sweep(10) == 1 && leftovers.sweep(10) == 0)
        table.processes[5] = Process(mark: 2, began: 300)
        #expect(leftovers.sweep(10) == 0 && table.processes[5]?.isDead == false)
        #expect(leftovers.sweep(20) == 1)
    }

    /// One listing for each link, and one that finds nothing; at most eight in one sweep.
    @Test(arguments: [(0, 2), (1, 3), (5, 7), (6, 8), (7, 8), (100, 8)])
    @LoopActor func aChainIsFollowedAFewLinks(chain: Int, listings: Int) {
        for unknown in [RunSettings.UnknownOrphans.reap, .end] {
            let (leftovers, table) = Self.made(unknown, [5: Process(isDead: true, chain: chain)])
            #expect(leftovers.sweep(10) == 0)
            #expect(table.listings == listings)
        }
    }

    /// In the end nothing is left, though no run sweeps.
    @Test @LoopActor func orphansOfNoRunAreSweptAgain() async throws {
        let (leftovers, table) = Self.made(.end, [5: Process(isDead: true, chain: 100), 300: Process()])
        #expect(leftovers.sweep(10) == 0)
        try await eventually("nothing left") { table.processes.isEmpty }
        #expect(table.ended == [300])
        let listings = table.listings
        leftovers.sweepUnowned()
        #expect(table.listings == listings + 1)
        try await Task.sleep(for: .milliseconds(40))
        #expect(table.listings == listings + 1)
    }

    @Test @LoopActor func deadOrphansOfNoRunAreReaped() {
        let (leftovers, table) = Self.made(.reap, [5: Process(isDead: true), 6: Process()])
        leftovers.sweepUnowned()
        #expect(table.processes.keys.sorted() == [6])
        #expect(table.ended.isEmpty)
    }

    /// A process that even KILL does not end is given up with its run: another run, whose program has got the same number,
    /// does not wait for it.
    @Test(arguments: [false, true]) @LoopActor func anOrphanThatSurvivesSIGKILLIsGivenUp(isAbandoned: Bool) {
        let (leftovers, table) = Self.made(.end, [5: Process(session: 10, isStubborn: true)])
        #expect(leftovers.sweep(10) == 1)
        leftovers.remove(10, abandoning: isAbandoned)
        #expect(leftovers.sweep(20) == 0)
        #expect(table.ended == [5])
        leftovers.add(10, Leftovers.Run(mark: 4, began: 900))
        #expect(leftovers.sweep(10) == (isAbandoned ? 0 : 1))
        // Once it is gone, its number is any other's.
        table.processes[5]?.isDead = true
        _ = leftovers.sweep(20)
        table.processes[5] = Process(session: 10)
        table.ended = []
        #expect(leftovers.sweep(10) == 1)
        #expect(table.ended == [5])
    }

    /// An abandoned run may go on starting processes, which are ended at once.
    @Test @LoopActor func theProcessesOfAnAbandonedRunAreEnded() {
        let (leftovers, table) = Self.made(.end, [5: Process(session: 10)])
        leftovers.remove(10, abandoning: true)
        #expect(table.ended == [5])
        let (others, another) = Self.made(.end, [5: Process(session: 10)])
        others.remove(10, abandoning: false)
        #expect(another.ended.isEmpty && another.listings == 0)
    }

    @Test @LoopActor func everyMarkIsNew() {
        let (leftovers, _) = Self.made(.reap, [:])
        let marks = [leftovers.newMark(), leftovers.newMark()]
        #expect(marks.map(\.text) == ["\(getpid()).1", "\(getpid()).2"])
        #expect(marks[0].limit == marks[1].limit + 1 && marks[0].limit < 1 << 62)
    }
}
