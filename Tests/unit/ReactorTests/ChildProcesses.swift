// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Testing

/// Newer versions of Testing have a type of this name, too.
typealias ExitStatus = Reactor.ExitStatus

/// Starts a shell script as a child of the tests, with no signal blocked or ignored, whoever started the tests.
func shell(_ script: String) throws -> pid_t {
    var pid = pid_t()
    let words = ["/bin/sh", "-c", script]
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    try #require(posix_spawn(&pid, "/bin/sh", nil, &attributes, arguments, &environment) == 0)
    return pid
}

/// Waits for the end of a child and leaves it unreaped: waitid(2).
func awaitEnd(of pid: pid_t) throws {
    var information = siginfo_t()
    try #require(waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == 0)
}

/// The permissions of a file.
func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
}
