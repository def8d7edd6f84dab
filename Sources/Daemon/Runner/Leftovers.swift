// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn

/// What all processes of one run have.
struct RunMark {
    /// The value of TODAY_RUN.
    let text: String
    /// The resource limit.
    let limit: UInt64
}

/// Ends the processes that runs leave behind, and knows which run each belongs to.
///
/// The daemon is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER): when a process ends, the daemon inherits its children. An
/// orphan belongs to a run if it is in the session that the run's program led, or has the run's mark, which is a resource limit
/// (`ResourceLimits.mark`). The mark does not count if the process is older than the run: any process can lower its own limit. An
/// orphan without session and mark has got rid of them on purpose, and is unknown.
@LoopActor
final class Leftovers {
    struct Run {
        let mark: UInt64
        /// A time before its program was launched, in microseconds of CLOCK_BOOTTIME.
        let began: Int64
    }

    private let table: any OrphanTable
    private let unknown: RunSettings.UnknownOrphans
    /// The runs in progress by the process ids of their programs. The id is also that of the session, and the kernel does
    /// not reuse it while a process is left in the session.
    private var runs: [pid_t: Run] = [:]
    /// Orphans that were killed and are not reaped yet, with the run they belong to.
    private var killed: [pid_t: pid_t] = [:]
    /// Orphans that SIGKILL did not end; no run waits for them any more.
    private var unkillable: Set<pid_t> = []
    private var lastMark: UInt64 = 0
    private let largestMark = ProcessTree.largestMark
    private var sweepTimer: TimerSource?

    init(_ unknown: RunSettings.UnknownOrphans, in table: any OrphanTable) {
        self.unknown = unknown
        self.table = table
    }

    /// A mark that this runner gives to one run only.
    func newMark() -> RunMark {
        lastMark += 1
        return RunMark(text: "\(getpid()).\(lastMark)", limit: largestMark - lastMark)
    }

    func add(_ leader: pid_t, _ run: Run) { runs[leader] = run }

    func remove(_ leader: pid_t, abandoning: Bool) {
        runs[leader] = nil
        guard abandoning else { return }
        unkillable.formUnion(killed.filter { $0.value == leader }.keys)
        // The processes that these still start belong to no run, so no later run would sweep them.
        sweepUnowned()
    }

    /// Ends the orphans that belong to no run, again until none is left. Also called when a launch fails, because they may
    /// have filled the process table.
    func sweepUnowned() { _ = sweep(Self.noRun) }

    private func sweepAgain() {
        let timer = sweepTimer ?? (try? TimerSource(.monotonic) { [weak self] in self?.sweepUnowned() })
        sweepTimer = timer
        timer?.arm(after: Self.pauseBetweenSweeps, slack: Self.pauseBetweenSweeps / 10)
    }

    /// In microseconds. Dead processes fill the process table until they are reaped, and a process that forks and exits in
    /// a chain leaves thousands a second.
    private static let pauseBetweenSweeps: Int64 = 10_000

    /// The owner of orphans that belong to no run.
    private static let noRun: pid_t = 0

    /// Ends the processes that are left of a run whose program has exited. Returns how many remain. A run that left none
    /// costs one read of one file.
    ///
    /// Orphans that belong to no run are ended too but not counted, so that the run does not wait for them.
    func sweep(_ leader: pid_t) -> Int {
        // How many processes of the run, and how many others, have got SIGKILL and are not reaped yet.
        var (own, unowned) = (0, 0)
        // The daemon inherits the children of a process when it is reaped, so each pass may find others. A process that
        // forks without end is swept again after a pause, so that the loop serves others meanwhile.
        for _ in 0..<Self.passesPerSweep {
            (own, unowned) = (0, 0)
            var hasReaped = false
            for orphan in table.orphans {
                // Reap the dead first, without looking for their owners: there may be thousands.
                if reap(orphan) {
                    hasReaped = true
                    continue
                }
                let owner = owner(of: orphan)
                guard end(orphan, of: owner, sweeping: leader) else { continue }
                if owner == leader { own += 1 } else { unowned += 1 }
            }
            if !hasReaped { break }
            // What was reaped in the last pass may have left a child.
            unowned = max(unowned, 1)
        }
        // RunStateMachine sweeps again while processes of the run remain; nothing else does for the others.
        let unswept = leader == Self.noRun ? own + unowned : unowned
        if unswept > 0 { sweepAgain() }
        return own
    }

    private static let passesPerSweep = 8

    /// Kills an orphan of the swept run, and an unknown one where those are ended. Returns whether it did.
    private func end(_ orphan: pid_t, of owner: pid_t?, sweeping leader: pid_t) -> Bool {
        let isToEnd = owner.map { $0 == leader } ?? (unknown == .end)
        guard isToEnd, !unkillable.contains(orphan) else { return false }
        killed[orphan] = owner == leader ? leader : Self.noRun
        table.end(orphan)
        return true
    }

    private func reap(_ orphan: pid_t) -> Bool {
        guard table.reap(orphan) else { return false }
        killed[orphan] = nil
        unkillable.remove(orphan)
        return true
    }

    /// Sends a signal to all processes of a run.
    ///
    /// Between the listing and the signal, a process id could be reused only if the kernel went through all ids (pid_max in
    /// proc_sys_kernel(5), 32,768 by default) in some microseconds.
    func signal(_ process: ChildProcess, _ signal: Int32) {
        process.sendToGroup(signal)
        var others = process.isRunning ? ProcessTree.descendants(of: process.pid) : []
        for orphan in table.orphans where owner(of: orphan) == process.pid {
            others += [orphan] + ProcessTree.descendants(of: orphan)
        }
        for other in Set(others) where getpgid(other) != process.pid { kill(other, signal) }
    }

    private func owner(of orphan: pid_t) -> pid_t? {
        if let leader = killed[orphan] { return leader }
        if let session = table.session(of: orphan), runs[session] != nil { return session }
        guard let mark = table.mark(of: orphan), let (leader, run) = runs.first(where: { $0.value.mark == mark }),
            !table.began(orphan, before: run.began)
        else { return nil }
        return leader
    }

    /// Kills the processes of runs of an earlier daemon with the same state directory, which was killed itself. Process 1 has
    /// inherited them, so they are found by their environment. That daemon is gone: the database allows one user.
    ///
    /// - Returns: how many processes were killed.
    static func endPredecessors(stateDirectory: String) -> Int {
        var ended: Set<pid_t> = []
        // A process that forks may leave a child, which the next pass finds.
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
