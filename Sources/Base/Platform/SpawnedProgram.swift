// SPDX-License-Identifier: MIT
import Glibc

/// Another program that this one starts and waits for, without an event loop. The daemon's children, which need limits and
/// sessions, are Spawn's.
package final class SpawnedProgram {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let program: String
        package let code: Int32
        package var description: String { "\(program): \(String(cString: strerror(code)))" }
    }

    /// How a program ended: wait(2).
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(Int32)
    }

    package let pid: pid_t
    /// The reading end of its standard output; nil where it has that of this process.
    package private(set) var output: Int32?
    private var isReaped = false

    /// Starts a program with the environment and the standard error of this process, and with /dev/null as standard input.
    ///
    /// - Parameters:
    ///   - path: is not searched for in PATH.
    ///   - arguments: without the program's name.
    ///   - readsOutput: its standard output becomes a pipe.
    package init(_ path: String, _ arguments: [String], readsOutput: Bool) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        if readsOutput, pipe(&ends) != 0 { throw Failure(program: path, code: errno) }
        for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { if ends[1] >= 0 { close(ends[1]) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        if readsOutput { posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) }
        // No signal is blocked, or a signal could not end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Unsafe: posix_spawn(3) gives the new process copies of the strings, which are freed here.
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var started = pid_t()
        let code = posix_spawn(&started, path, &actions, &attributes, words, environ)
        guard code == 0 else {
            if ends[0] >= 0 { close(ends[0]) }
            throw Failure(program: path, code: code)
        }
        pid = started
        output = readsOutput ? ends[0] : nil
    }

    deinit {
        closeOutput()
        if !isReaped { _ = wait() }
    }

    package func signal(_ number: Int32) { if !isReaped { kill(pid, number) } }

    /// Reads what its standard output has now, waiting for something; nil at the end.
    package func read() -> [UInt8]? {
        guard let output else { return nil }
        let size = 65_536
        while true {
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let result = Glibc.read(output, buffer.baseAddress, size)
                if result < 0 { code = errno }
                count = max(0, result)
            }
            if !bytes.isEmpty { return bytes }
            if code != EINTR { return nil }
        }
    }

    /// Waits for its end. Call it once.
    package func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        // WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2).
        return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .killed(status & 0x7f)
    }

    package func closeOutput() {
        if let output { close(output) }
        output = nil
    }

    /// The program of this name in the directories of a `PATH`.
    package static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
