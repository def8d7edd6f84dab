// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn

/// What runs leave behind, and whose it is.
///
/// Whatever a program starts and leaves becomes a child of ours when its parent ends, because we are a subreaper. It is
/// known by its session, which the program led, or by the mark in its environment. A process loses both only on purpose: it
/// is an unknown orphan then. So is one that shows the mark of a run which began after it.
///
/// One list for the process, not for a runner: orphans come to the process.
@LoopActor
enum Leftovers {
    struct Run {
        let mark: String
        /// Before its program was launched, in microseconds of the boot-time clock.
        let began: Int64
    }

    /// The runs that go on, by the process ids of their programs, which stay the names of their sessions until no process
    /// is left in them.
    private static var runs: [pid_t: Run] = [:]
    /// Orphans that were killed and are not reaped yet, and for which run. The dead have no environment to look at.
    private static var condemned: [pid_t: pid_t] = [:]
    /// Orphans that no run waits for any longer, because even KILL did not end them.
    private static var abandoned: Set<pid_t> = []
    private static let orphans = Orphans()
    private static var count: UInt64 = 0

    /// A mark that no other run of this process has or had.
    static func newMark() -> String {
        count += 1
        return "\(getpid()).\(count)"
    }

    static func add(_ leader: pid_t, _ run: Run) { runs[leader] = run }

    static func remove(_ leader: pid_t, abandoning: Bool, unknown: RunSettings.UnknownOrphans) {
        runs[leader] = nil
        guard abandoning else { return }
        abandoned.formUnion(condemned.filter { $0.value == leader }.keys)
        // What it goes on starting belongs to nobody now, and no run may come that would find it.
        sweepUnowned(unknown)
    }

    /// Ends what belongs to no run, again and again until nothing is left of it. Also for when no process can be made:
    /// what stands in the way may be that.
    static func sweepUnowned(_ unknown: RunSettings.UnknownOrphans) { _ = sweep(nobody, unknown: unknown) }

    private static func sweepAgain(_ unknown: RunSettings.UnknownOrphans) {
        let timer = again ?? (try? TimerSource(.monotonic) { sweepUnowned(unknown) })
        again = timer
        timer?.arm(after: restBetweenSweeps, slack: restBetweenSweeps / 10)
    }

    /// Chains of processes that fork and end fill the process table with their dead as long as these are not reaped.
    private static let restBetweenSweeps: Int64 = 10_000

    private static let nobody: pid_t = 0
    private static var again: TimerSource?

    /// Ends what is left of a run whose program has ended, and how much of it is still there. The first thing that
    /// happens is one read of one file; for a run that left nothing it is the only one.
    ///
    /// What belongs to no run is ended on the way and not counted: the run that is swept has nothing to do with it, and
    /// does not wait for it.
    static func sweep(_ leader: pid_t, unknown: RunSettings.UnknownOrphans) -> Int {
        var own = Tally()
        var strangers = Tally()
        // One that was reaped may have left us its child in the meantime. Who forks on and on is met as often as the
        // loop can bear, and then again after a pause.
        for _ in 0..<passesPerSweep {
            (own, strangers) = (Tally(), Tally())
            for orphan in orphans.current() {
                // The dead first, and without a question: a chain of processes leaves thousands a second.
                if unknown != .leave, reap(orphan) {
                    strangers.add(.reaped)
                    continue
                }
                let owner = owner(of: orphan)
                let dealt = deal(with: orphan, of: owner, for: leader, unknown: unknown)
                if owner == leader { own.add(dealt) } else { strangers.add(dealt) }
            }
            if own.reaped == 0, strangers.reaped == 0 { break }
        }
        // A run sweeps again by itself as long as anything of its own is there.
        let unwatched = leader == nobody ? own.remaining + strangers.remaining : strangers.remaining
        if unwatched > 0 { sweepAgain(unknown) }
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

    private static func deal(
        with orphan: pid_t, of owner: pid_t?, for leader: pid_t, unknown: RunSettings.UnknownOrphans
    ) -> Dealt {
        let fate = Fate(owner: owner, sweeping: leader, unknown: unknown)
        if fate == .leave { return .nothing }
        if reap(orphan) { return .reaped }
        guard fate == .end, !abandoned.contains(orphan) else { return .nothing }
        condemned[orphan] = owner == leader ? leader : nobody
        end(orphan)
        return .ending
    }

    private static func reap(_ orphan: pid_t) -> Bool {
        guard ProcessTree.reap(orphan) else { return false }
        condemned[orphan] = nil
        abandoned.remove(orphan)
        return true
    }

    /// The whole process group dies at once, in which nobody can fork any more. The orphan itself keeps the group's
    /// number from being given to anybody else: it is our child and not reaped yet.
    private static func end(_ orphan: pid_t) {
        let group = getpgid(orphan)
        if group <= 1 || group == getpgrp() || kill(-group, SIGKILL) != 0 { kill(orphan, SIGKILL) }
    }

    /// Sends a signal to everything a run has started so far.
    ///
    /// A process may end, and its number go to another, between the look and the signal: that takes the kernel's
    /// counting once around all numbers in some microseconds.
    static func signal(_ process: ChildProcess, _ signal: Int32) {
        process.sendToGroup(signal)
        var others = process.isRunning ? ProcessTree.descendants(of: process.pid) : []
        for orphan in orphans.current() where owner(of: orphan) == process.pid {
            others += [orphan] + ProcessTree.descendants(of: orphan)
        }
        for other in Set(others) where getpgid(other) != process.pid { kill(other, signal) }
    }

    private static func owner(of orphan: pid_t) -> pid_t? {
        if let leader = condemned[orphan] { return leader }
        if let session = ProcessTree.session(of: orphan), runs[session] != nil { return session }
        guard let mark = ProcessTree.environmentVariable(RunEnvironment.mark, of: orphan),
            let (leader, run) = runs.first(where: { $0.value.mark == mark }),
            !ProcessTree.began(orphan, before: run.began)
        else { return nil }
        return leader
    }
}

// MARK: - A daemon that was killed

extension Leftovers {
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
