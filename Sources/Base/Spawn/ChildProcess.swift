// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform
import Reactor

/// A running program: its process id, the ends of its pipes, and the report of its end.
@LoopActor
package final class ChildProcess {
    package nonisolated let pid: pid_t
    private var output: OwnedDescriptor?
    private var error: OwnedDescriptor?
    private var source: ChildSource?

    /// The running programs that this process has started. The kernel has reparented every other child to this process.
    package private(set) static var running: Set<pid_t> = []

    /// Starts a program. `onExit` is called once, when the process has ended and was reaped, even if the value was dropped.
    /// Dropping the value does not end the program.
    package static func launch(
        _ plan: LaunchPlan, onExit: @escaping @LoopActor (ExitStatus) -> Void
    ) throws(SpawnError) -> ChildProcess {
        let streams = try Streams(for: plan)
        let pid = try start(plan, streams)
        let process = ChildProcess(pid: pid, streams)
        running.insert(pid)
        do {
            process.source = try ChildSource(pid: pid) { status in
                running.remove(pid)
                process.source = nil
                onExit(status)
            }
        } catch {
            running.remove(pid)
            kill(pid, SIGKILL)
            while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
            throw SpawnError(step: .watch, path: plan.executable, code: error.code)
        }
        return process
    }

    private init(pid: pid_t, _ streams: Streams) {
        self.pid = pid
        output = streams.output?.ours
        error = streams.error?.ours
    }

    /// The ends of the pipes that the plan asked for, non-blocking. Each can be taken once; its new owner closes it.
    package func takeOutput() -> OwnedDescriptor? {
        defer { output = nil }
        return output
    }

    package func takeError() -> OwnedDescriptor? {
        defer { error = nil }
        return error
    }

    /// Whether the process has not been reaped. Until then the kernel gives its process id, group and session to no
    /// other process.
    package var isRunning: Bool { source != nil }

    /// - Returns: false when the process has been reaped.
    @discardableResult
    package func send(_ signal: Int32) -> Bool { source?.send(signal) ?? false }

    /// Sends a signal to the whole process group.
    ///
    /// - Returns: false when the process has been reaped: its number may then be another group's.
    @discardableResult
    package func sendToGroup(_ signal: Int32) -> Bool { isRunning && kill(-pid, signal) == 0 }

    /// Unsafe: pointers into the strings and arrays of the plan are valid during the call. The child does not need them
    /// longer, because vfork(2) returns only after the child's execve(2).
    private static func start(_ plan: LaunchPlan, _ streams: Streams) throws(SpawnError) -> pid_t {
        var arguments = CStrings()
        var environment = CStrings()
        // Loops instead of closures, because each call of a closure of the actor checks the thread, in 340 instructions.
        var isValid = true
        for word in plan.arguments { isValid = arguments.append(word) && isValid }
        for (name, value) in plan.environment { isValid = environment.append(variable: name, value) && isValid }
        for variable in plan.passedVariables { isValid = environment.append(variable) && isValid }
        guard isValid else { throw SpawnError(step: .plan, path: plan.executable, code: EINVAL) }
        let descriptors = streams.theirs + plan.passed.map(\.descriptor)
        let limits = plan.limits.asC
        var launch = clinux_launch()
        launch.descriptor_count = Int32(descriptors.count)
        launch.limit_count = Int32(limits.count)
        launch.group = plan.group?.descriptor ?? 0
        launch.ruleset = plan.walls?.descriptor ?? 0
        launch.without_network = plan.walls?.hasNetwork == false ? 1 : 0
        launch.new_session = plan.newSession ? 1 : 0
        launch.parent_death_signal = plan.parentDeathSignal ?? 0
        var failure = clinux_launch_failure()
        let pid = withExtendedLifetime(streams) {
            arguments.withPointers { arguments in
                environment.withPointers { environment in
                    descriptors.withUnsafeBufferPointer { descriptors in
                        limits.withUnsafeBufferPointer { limits in
                            launch.arguments = arguments
                            launch.environment = environment
                            launch.own_pid = plan.placeOfOwnPID(in: environment, plan.environment.count)
                            launch.descriptors = descriptors.baseAddress
                            launch.limits = limits.baseAddress
                            return vfork(&launch, plan, &failure)
                        }
                    }
                }
            }
        }
        guard pid > 0 else { throw SpawnError(failure, plan: plan) }
        return pid
    }

    private static func vfork(
        _ launch: inout clinux_launch, _ plan: LaunchPlan, _ failure: inout clinux_launch_failure
    ) -> pid_t {
        plan.executable.withCString { executable in
            launch.executable = executable
            guard let directory = plan.directory else { return clinux_launch(&launch, &failure) }
            return directory.withCString {
                launch.directory = $0
                return clinux_launch(&launch, &failure)
            }
        }
    }
}
