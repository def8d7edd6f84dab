// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Another program that this one starts and waits for, without an event loop. The daemon's children, which need limits and
/// a reaper, are Spawn's.
package final class SpawnedProgram {
    /// What to start. By default the program gets the environment, the directory, the session and the standard error of this
    /// process, and /dev/null as standard input.
    package struct Plan: Equatable {
        package enum Input: Equatable {
            /// /dev/null
            case nothing
            /// A descriptor of this process.
            case descriptor(Int32)
            /// At most what a pipe holds, 64 KiB: pipe(7). They are written before the program starts.
            case bytes([UInt8])
        }

        package enum Output: Equatable {
            /// A descriptor of this process.
            case descriptor(Int32)
            /// A pipe, which `read` reads.
            case pipe
        }

        /// Is not searched for in PATH. A relative one is relative to `directory`.
        package var path: String
        /// Without the program's name.
        package var arguments: [String]
        package var output: Output
        package var input = Input.nothing
        /// Standard error goes where standard output goes.
        package var joinsErrors = false
        package var directory: String?
        /// Variables in addition to those of this process, which they override.
        package var environment: [String: String] = [:]
        /// The program has no controlling terminal, so that it stays when this process is interrupted: setsid(2).
        package var hasOwnSession = false

        package init(_ path: String, _ arguments: [String], output: Output = .descriptor(STDOUT_FILENO)) {
            self.path = path
            self.arguments = arguments
            self.output = output
        }
    }

    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// The program, or the directory that could not be entered.
        package let path: String
        package let code: Int32
        package var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    /// How a program ended: wait(2).
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(Int32)
    }

    package let pid: pid_t
    /// The reading end of its standard output; nil if it has no pipe.
    package private(set) var output: Int32?
    private var isReaped = false

    package init(_ plan: Plan) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        if plan.output == .pipe, clinux_pipe(&ends) != 0 { throw Failure(path: plan.path, code: errno) }
        defer { if ends[1] >= 0 { close(ends[1]) } }
        do throws(Failure) {
            var input: Int32 = -1
            if case .bytes(let bytes) = plan.input { input = try Self.pipe(holding: bytes, for: plan) }
            if case .descriptor(let number) = plan.input { input = number }
            defer { if case .bytes = plan.input { close(input) } }
            pid = try Self.start(plan, input: input, pipe: ends[1])
        } catch {
            if ends[0] >= 0 { close(ends[0]) }
            throw error
        }
        output = plan.output == .pipe ? ends[0] : nil
    }

    /// Unsafe: the pointers into the strings are valid during the call. The child does not need them longer, because vfork(2)
    /// returns only after the child's execve(2).
    private static func start(_ plan: Plan, input: Int32, pipe: Int32) throws(Failure) -> pid_t {
        var words = CStrings()
        guard words.append(plan.path), plan.arguments.allSatisfy({ words.append($0) }),
            var variables = Self.variables(with: plan.environment)
        else { throw Failure(path: plan.path, code: EINVAL) }
        let output =
            switch plan.output {
            case .descriptor(let number): number
            case .pipe: pipe
            }
        let descriptors = [input, output, plan.joinsErrors ? output : STDERR_FILENO]
        var failure = clinux_launch_failure()
        let pid = words.withPointers { words in
            variables.withPointers { variables in
                descriptors.withUnsafeBufferPointer { descriptors in
                    plan.path.withCString { path in
                        var launch = clinux_launch()
                        launch.executable = path
                        launch.arguments = words
                        launch.environment = variables
                        launch.descriptors = descriptors.baseAddress
                        launch.descriptor_count = Int32(descriptors.count)
                        launch.new_session = plan.hasOwnSession ? 1 : 0
                        guard let directory = plan.directory else { return clinux_launch(&launch, &failure) }
                        return directory.withCString {
                            launch.directory = $0
                            return clinux_launch(&launch, &failure)
                        }
                    }
                }
            }
        }
        guard pid > 0 else {
            let isDirectory = failure.step == Int32(CLINUX_STEP_DIRECTORY.rawValue)
            throw Failure(path: isDirectory ? plan.directory ?? plan.path : plan.path, code: failure.error)
        }
        return pid
    }

    private static func pipe(holding bytes: [UInt8], for plan: Plan) throws(Failure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Failure(path: plan.path, code: errno) }
        defer { close(ends[1]) }
        guard bytes.count <= 65_536, write(ends[1], bytes, bytes.count) == bytes.count else {
            close(ends[0])
            throw Failure(path: plan.path, code: EMSGSIZE)
        }
        return ends[0]
    }

    /// The variables of this process with others.
    private static func variables(with others: [String: String]) -> CStrings? {
        var variables = CStrings()
        var next = environ
        while let variable = next.pointee {
            // The name: what is before `=`.
            if others.isEmpty || others[String(String(cString: variable).prefix { $0 != "=" })] == nil {
                variables.append(copyOf: variable)
            }
            next += 1
        }
        return others.allSatisfy { variables.append("\($0.key)=\($0.value)") } ? variables : nil
    }

    deinit {
        closeOutput()
        if !isReaped { _ = wait() }
    }

    package func signal(_ number: Int32) { if !isReaped { kill(pid, number) } }

    /// Reads what is on its standard output, waiting for something; nil at the end.
    package func read() -> [UInt8]? {
        guard let output else { return nil }
        while true {
            let (bytes, code) = Descriptor.readOnce(output, upTo: 65_536)
            if !bytes.isEmpty { return bytes }
            if code != EINTR { return nil }
        }
    }

    /// Waits for its end. Call it once.
    package func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return ending(status)
    }

    /// How it ended, if it has. Call it until then.
    package func endingNow() -> Ending? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? ending(status) : nil
    }

    private func ending(_ status: Int32) -> Ending {
        isReaped = true
        // WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2).
        return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .killed(status & 0x7f)
    }

    /// Leaves the program to process 1, because this process is about to end.
    package func abandon() { isReaped = true }

    package func closeOutput() {
        if let output { close(output) }
        output = nil
    }

    /// The program of this name in the directories of a `PATH`. Relative ones are left out, as the program may start in another
    /// directory.
    package static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { isProgram($0) }
    }

    /// A directory may be entered but not executed, and access(2) has one bit for both.
    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
