// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TodayModel

/// Holds the processes of runs together, and ends those that a run leaves behind.
///
/// If a control group is delegated to the daemon, each run is born in a group of its own, and the kernel ends all processes in
/// it. Otherwise a run has the session that its program leads. The daemon is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER):
/// when a process ends, the daemon inherits its children. Such an orphan that is in no run's session and in no run's group has
/// left them on purpose, and ends with the next run that does.
@LoopActor
final class Leftovers {
    /// Nil if none is delegated.
    let groups: DelegatedGroup?
    /// Whether orphans that belong to no run are ended. The daemon as process 1 of a container inherits others, too.
    private let endsStrays: Bool
    private let orphans = Orphans()
    /// The runs in progress by the process ids of their programs. The id is also that of the session, and the kernel does
    /// not reuse it while a process is left in the session.
    private var runs: [pid_t: ControlGroup?] = [:]
    private var sweepTimer: TimerSource?

    init(in groups: DelegatedGroup?, endingStrays endsStrays: Bool) {
        self.groups = groups
        self.endsStrays = endsStrays
    }

    /// The group in which the program of a run starts; nil if none is delegated.
    func makeGroup(for request: RunRequest) throws(ControlGroup.Failure) -> ControlGroup? {
        guard let groups else { return nil }
        let group = try ControlGroup(at: "\(groups.group.path)/\(request.run)-\(request.widget)")
        do throws(ControlGroup.Failure) {
            for (file, value) in request.manifest.limits.files(for: groups.controllers) {
                try group.write(value, to: file)
            }
        } catch {
            group.remove()
            throw error
        }
        return group
    }

    func add(_ leader: pid_t, _ group: ControlGroup?) { runs[leader] = .some(group) }

    func remove(_ leader: pid_t) { runs[leader] = nil }

    /// Ends the orphans that belong to no run, repeatedly until none is left. Also called when a launch fails, because they may
    /// have filled the process table.
    func sweepStrays() { _ = sweep(Self.noRun) }

    private func sweepAgain() {
        let timer = sweepTimer ?? (try? TimerSource(.monotonic) { [weak self] in self?.sweepStrays() })
        sweepTimer = timer
        timer?.arm(after: Self.pauseBetweenSweeps, slack: Self.pauseBetweenSweeps / 10)
    }

    /// In microseconds. Dead processes fill the process table until they are reaped.
    private static let pauseBetweenSweeps: Int64 = 10_000

    private static let noRun: pid_t = 0

    /// Ends the remaining processes of a run whose program has exited. Returns how many are still left at least. A run that
    /// left none costs one read of one file, and one more if it has a group.
    ///
    /// Orphans that belong to no run are ended too but not counted, so that the run does not wait for them.
    func sweep(_ leader: pid_t) -> Int {
        var (own, hasStrays) = (0, false)
        let group = runs[leader] ?? nil
        let isPopulated = group?.isPopulated == true
        if isPopulated { group?.kill() }
        // The daemon inherits the children of a process when it is reaped, so each pass may find others. A process that
        // forks without end is swept again after a pause, so that the loop serves others meanwhile.
        for _ in 0..<Self.passesPerSweep {
            (own, hasStrays) = (0, false)
            var hasReaped = false
            for orphan in orphans.current() {
                // Reap the dead first, without looking for their owners: there may be thousands.
                if ProcessTree.reap(orphan) {
                    hasReaped = true
                    continue
                }
                let owner = owner(of: orphan)
                if owner == leader {
                    own += 1
                } else if owner == nil, endsStrays {
                    hasStrays = true
                } else {
                    continue
                }
                end(orphan)
            }
            if !hasReaped { break }
            // A process reaped in the last pass may have left a child.
            hasStrays = endsStrays
        }
        // RunStateMachine sweeps again while processes of the run remain; nothing else does for the others.
        if hasStrays { sweepAgain() }
        return max(own, isPopulated ? 1 : 0)
    }

    private static let passesPerSweep = 8

    /// Kills the whole process group at once, so that no process in it can fork any more. The number of the group cannot be
    /// reused meanwhile: the orphan is a child of this process and not reaped yet.
    private func end(_ orphan: pid_t) {
        let group = getpgid(orphan)
        if group <= 1 || group == getpgrp() || kill(-group, SIGKILL) != 0 { kill(orphan, SIGKILL) }
    }

    /// Sends a signal to all processes of a run.
    ///
    /// Between the listing and the signal, a process id could be reused only if the kernel went through all ids (pid_max in
    /// proc_sys_kernel(5), 32,768 by default) in some microseconds.
    func signal(_ process: ChildProcess, _ signal: Int32, sparingLeader: Bool = false) {
        let group = runs[process.pid] ?? nil
        if signal == SIGKILL { group?.kill() }
        if !sparingLeader { process.sendToGroup(signal) }
        var others = group?.processes ?? []
        if group == nil {
            others = process.isRunning ? ProcessTree.descendants(of: process.pid) : []
            for orphan in orphans.current() where owner(of: orphan) == process.pid {
                others += [orphan] + ProcessTree.descendants(of: orphan)
            }
        }
        for other in Set(others) where other != process.pid && (sparingLeader || getpgid(other) != process.pid) {
            kill(other, signal)
        }
    }

    /// The program of the run that an orphan belongs to: by its session, which no process can enter from outside (setsid(2)),
    /// or by its group.
    private func owner(of orphan: pid_t) -> pid_t? {
        if let session = ProcessTree.session(of: orphan), runs.keys.contains(session) { return session }
        guard groups != nil, let path = ControlGroup.path(of: orphan) else { return nil }
        return runs.first { $0.value.map { path.isInside($0.path) } ?? false }?.key
    }
}

extension String {
    /// Whether a path from a root of its own, such as that of /proc/PID/cgroup, leads to a directory or below it.
    ///
    /// - Parameter directory: from another root. Its last component is a name that only one run has.
    fileprivate func isInside(_ directory: String) -> Bool {
        guard let name = directory.split(separator: "/").last else { return false }
        return split(separator: "/").contains(name)
    }
}

extension RunLimits {
    /// The limits written into the files of a run's control group. If the processes together exceed the memory, the kernel ends
    /// all of them.
    func files(for controllers: Set<DelegatedGroup.Controller>) -> [(String, String)] {
        var files: [(String, String)] = []
        if let memory, controllers.contains(.memory) {
            files += [("memory.max", "\(memory.bytes)"), ("memory.oom.group", "1")]
        }
        if let tasks, controllers.contains(.pids) { files.append(("pids.max", "\(tasks)")) }
        if let processor, controllers.contains(.cpu) {
            files.append(("cpu.max", "\(processor * Self.period / 100) \(Self.period)"))
        }
        return files
    }

    /// In microseconds: the kernel's own.
    private static let period = 100_000
}
