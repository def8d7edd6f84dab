// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import TestSupport

/// A real program as a child of the test, with its output collected, for a bounded time.
final class BuiltProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How a program ended and what it printed.
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    let pid: pid_t
    private let output: Int32
    private let errors: Int32
    private var isReaped = false
    /// What it has printed after the last line that was asked for.
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - path: a name without a slash is one of the programs under test.
    ///   - input: a descriptor that becomes its standard input, which is /dev/null otherwise.
    ///   - passing: a descriptor that becomes the program's number 3, as service managers pass sockets.
    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: Int32? = nil,
        passing: Int32? = nil
    ) throws {
        let executable = path.contains("/") ? path : "\(BuiltPrograms.directory)/\(path)"
        var outPipe: [Int32] = [0, 0]
        var errorPipe: [Int32] = [0, 0]
        guard clinux_pipe(&outPipe) == 0, clinux_pipe(&errorPipe) == 0 else {
            throw Failure(description: "pipe: \(errno)")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, outPipe[1], 1)
        posix_spawn_file_actions_adddup2(&actions, errorPipe[1], 2)
        if let passing { posix_spawn_file_actions_adddup2(&actions, passing, 3) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own, and none of the signals that the test process blocks or ignores.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Swift's Glibc module lacks
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

        let usual = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent"]
        let strings = usual.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let envp = strings.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
        close(outPipe[1])
        close(errorPipe[1])
        self.pid = pid
        output = outPipe[0]
        errors = errorPipe[0]
        guard result == 0 else {
            isReaped = true
            throw Failure(description: "cannot start \(executable): \(String(cString: strerror(result)))")
        }
    }

    deinit {
        if !isReaped {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        close(output)
        close(errors)
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for the end of the program and of its output.
    func finish(within seconds: Int = 30) throws -> Result {
        var texts: [Int32: [UInt8]] = [output: [], errors: []]
        var open: Set<Int32> = [output, errors]
        let deadline = now() + Int64(seconds) * 1_000
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !open.isEmpty {
            var polls = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let left = deadline - now()
            guard left > 0, poll(&polls, nfds_t(polls.count), Int32(left)) > 0 else {
                let said = texts.values.map { String(decoding: $0, as: UTF8.self) }.joined()
                throw Failure(description: "process \(pid) did not end within \(seconds) s; it said: \(said)")
            }
            for entry in polls where entry.revents != 0 {
                let count = read(entry.fd, &buffer, buffer.count)
                if count > 0 { texts[entry.fd, default: []] += buffer[..<count] } else { open.remove(entry.fd) }
            }
        }
        return Result(
            status: wait(), output: String(decoding: texts[output] ?? [], as: UTF8.self),
            errors: String(decoding: texts[errors] ?? [], as: UTF8.self))
    }

    /// The next line that it prints, without its line feed.
    func line(within seconds: Int = 30) throws -> String {
        let deadline = now() + Int64(seconds) * 1_000
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(max(0, deadline - now()))) > 0 else {
                throw Failure(description: "process \(pid) printed no line within \(seconds) s")
            }
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "process \(pid) has closed its output") }
            unread += buffer[..<count]
        }
    }

    /// The first of its next lines that fits.
    func line(where fits: (String) -> Bool) throws -> String {
        while true {
            let line = try line()
            if fits(line) { return line }
        }
    }

    /// Closes its output, as a reader does that goes.
    func closeOutput() { dup2(STDERR_FILENO, output) }

    /// Reaps the program. Returns its exit status, or 128 plus the signal that ended it, like a shell.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Runs a program to its end.
func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], within seconds: Int = 30
) throws -> BuiltProgram.Result {
    try BuiltProgram(program, arguments, environment: environment).finish(within: seconds)
}
