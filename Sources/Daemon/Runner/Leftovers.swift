// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn

/// What runs leave behind, and whose it is.
///
/// Whatever a program starts and leaves becomes a child of ours when its parent ends, because we are a subreaper. It is
/// known by its session, which the program led, or by the mark in its environment. A process loses both only on purpose: it
/// is an unknown orphan then. So is one that shows the mark of a run which began after it.
@LoopActor
final class Leftovers {
    struct Run {
        let mark: String
        /// Before its program was launched, in microseconds of the boot-time clock.
        let began: Int64
    }

    private let table: any OrphanTable
    private let unknown: RunSettings.UnknownOrphans
    /// The runs that go on, by the process ids of their programs, which stay the names of their sessions until no process
    /// is left in them.
    private var runs: [pid_t: Run] = [:]
    /// Orphans that were killed and are not reaped yet, and for which run. The dead have no environment to look at.
    private var condemned: [pid_t: pid_t] = [:]
    /// Orphans that no run waits for any longer, because even KILL did not end them.
    private var abandoned: Set<pid_t> = []
    private var count: UInt64 = 0
    private var again: TimerSource?

    init(_ unknown: RunSettings.UnknownOrphans, in table: any OrphanTable) {
        self.unknown = unknown
        self.table = table
    }

    /// A mark that no other run of this runner has or had.
    func newMark() -> String {
        count += 1
        return "\(getpid()).\(count)"
    }

    func add(_ leader: pid_t, _ run: Run) { runs[leader] = run }

    func remove(_ leader: pid_t, abandoning: Bool) {
        runs[leader] = nil
        guard abandoning else { return }
        abandoned.formUnion(condemned.filter { $0.value == leader }.keys)
        // What it goes on starting belongs to no run now, and no run may come that would find it.
        sweepUnowned()
    }

    /// Ends what belongs to no run, again and again until nothing is left of it. Also for when no process can be made:
    /// what stands in the way may be that.
    func sweepUnowned() { _ = sweep(Self.nobody) }

    private func sweepAgain() {
        let timer = again ?? (try? TimerSource(.monotonic) { [weak self] in self?.sweepUnowned() })
        again = timer
        timer?.arm(after: Self.restBetweenSweeps, slack: Self.restBetweenSweeps / 10)
    }

    /// Chains of processes that fork and end fill the process table with their dead as long as these are not reaped.
    private static let restBetweenSweeps: Int64 = 10_000

    private static let nobody: pid_t = 0

    /// Ends what is left of a run whose program has ended, and how much of it is still there. The first thing that
    /// happens is one read of one file; for a run that left nothing it is the only one.
    ///
    /// What belongs to no run is ended on the way and not counted: the run that is swept has nothing to do with it, and
    /// does not wait for it.
    func sweep(_ leader: pid_t) -> Int {
        var own = Tally()
        var strangers = Tally()
        // One that was reaped may have left us its child in the meantime. A process that forks on and on is met as often
        // as the loop can bear, and then again after a pause.
        for _ in 0..<Self.passesPerSweep {
            (own, strangers) = (Tally(), Tally())
            for orphan in table.orphans {
                // The dead first, and without a question: a chain of processes leaves thousands a second.
                if unknown != .leave, reap(orphan) {
                    strangers.add(.reaped)
                    continue
                }
                let owner = owner(of: orphan)
                let dealt = deal(with: orphan, of: owner, for: leader)
                if owner == leader { own.add(dealt) } else { strangers.add(dealt) }
            }
            if own.reaped == 0, strangers.reaped == 0 { break }
        }
        // A run sweeps again by itself as long as anything of its own is there.
        let unwatched = leader == Self.nobody ? own.remaining + strangers.remaining : strangers.remaining
        if unwatched > 0 { sweepAgain() }
        return own.remaining
    }

    private static let passesPerSweep = 8

    enum Dealt { case nothing, reaped, ending }

    /// What a pass over all orphans has met.
    struct Tally {
        private(set) var reaped = 0
        private var ending = 0
        /// Of a chain that goes on after the last look there is one at least.
        var remaining: Int { max(ending, min(reaped, 1)) }

        mutating func add(_ dealt: Dealt) {
            switch dealt {
            case .nothing: break
            case .reaped: reaped += 1
            case .ending: ending += 1
            }
        }
    }

    private func deal(with orphan: pid_t, of owner: pid_t?, for leader: pid_t) -> Dealt {
        let fate = Fate(owner: owner, sweeping: leader, unknown: unknown)
        if fate == .leave { return .nothing }
        if reap(orphan) { return .reaped }
        guard fate == .end, !abandoned.contains(orphan) else { return .nothing }
        condemned[orphan] = owner == leader ? leader : Self.nobody
        table.end(orphan)
        return .ending
    }

    private func reap(_ orphan: pid_t) -> Bool {
        guard table.reap(orphan) else { return false }
        condemned[orphan] = nil
        abandoned.remove(orphan)
        return true
    }

    /// Sends a signal to everything a run has started so far.
    ///
    /// A process may end, and its number go to another, between the look and the signal: that takes the kernel's
    /// counting once around all numbers in some microseconds.
    func signal(_ process: ChildProcess, _ signal: Int32) {
        process.sendToGroup(signal)
        var others = process.isRunning ? ProcessTree.descendants(of: process.pid) : []
        for orphan in table.orphans where owner(of: orphan) == process.pid {
            others += [orphan] + ProcessTree.descendants(of: orphan)
        }
        for other in Set(others) where getpgid(other) != process.pid { kill(other, signal) }
    }

    private func owner(of orphan: pid_t) -> pid_t? {
        if let leader = condemned[orphan] { return leader }
        if let session = table.session(of: orphan), runs[session] != nil { return session }
        guard let mark = table.mark(of: orphan), let (leader, run) = runs.first(where: { $0.value.mark == mark }),
            !table.began(orphan, before: run.began)
        else { return nil }
        return leader
    }

    /// Ends the processes of runs of a daemon with the same state, which cannot be there any more: the database has one user.
    /// They are children of init by now, and known by their environment.
    ///
    /// - Returns: how many there were.
    static func endPredecessors(stateDirectory: String) -> Int {
        var ended: Set<pid_t> = []
        // One that forks is met again as its child.
        for _ in 0..<passesPerSweep {
            let found = ProcessTree.processes { variable in
                variable(RunEnvironment.mark) != nil
                    && variable("TODAY_STATE_DIRECTORY")?.hasPrefix("\(stateDirectory)/widgets/") == true
            }
            for pid in found { kill(pid, SIGKILL) }
            let new = Set(found).subtracting(ended)
            if new.isEmpty { break }
            ended.formUnion(new)
        }
        return ended.count
    }
}

/// What happens to an orphan at the end of a run.
enum Fate: Sendable {
    case leave
    /// Only taken off the process table, once it is dead.
    case reap
    case end

    /// - Parameter owner: the run it is known to belong to, if that is still going on.
    init(owner: pid_t?, sweeping leader: pid_t, unknown: RunSettings.UnknownOrphans) {
        self =
            switch (owner, unknown) {
            case (leader, _): .end
            case (.some, _): .reap
            case (nil, .leave): .leave
            case (nil, .reap): .reap
            case (nil, .end): .end
            }
    }
}
