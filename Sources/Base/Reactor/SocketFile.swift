// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Platform

/// The file of a Unix socket that this process has bound.
struct SocketFile {
    /// The length of sun_path without the closing NUL: unix(7).
    static let longestPath = 107

    let path: String
    private let identity: FileIdentity

    /// Binds `socket` to `path` with `mode`. It replaces a file that an ended process has left. It fails if another
    /// process listens there, or if the file is not a socket.
    init(binding socket: Int32, to path: String, mode: mode_t) throws(ReactorError) {
        let action = "listen on \(path)"
        guard !path.isEmpty, path.utf8.count <= Self.longestPath else {
            throw ReactorError(
                action, code: ENAMETOOLONG,
                reason: "the path of a Unix socket has 1 to \(Self.longestPath) bytes, this one \(path.utf8.count)")
        }
        // bind(2) gives the file the mode of the socket less the umask, so the file never has a wider mode.
        fchmod(socket, mode)
        var result = Self.withPath(path) { clinux_bind_unix(socket, $0, $1) }
        if result == -EADDRINUSE {
            try Self.removeIfStale(path, action)
            result = Self.withPath(path) { clinux_bind_unix(socket, $0, $1) }
        }
        try check(result, action)
        guard chmod(path, mode) == 0, let identity = FileIdentity(ofLink: path) else {
            throw ReactorError(action, code: errno)
        }
        self.path = path
        self.identity = identity
    }

    /// Removes the file, unless another process has replaced it.
    ///
    /// - Returns: whether the file was removed.
    func remove() -> Bool {
        FileIdentity(ofLink: path) == identity && unlink(path) == 0
    }

    /// Removes the file if connect(2) is refused, because then no process has its socket open. Two processes that start
    /// at the same time may both find it stale; a service manager starts a service only once.
    private static func removeIfStale(_ path: String, _ action: String) throws(ReactorError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw ReactorError(action, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ReactorError(action, code: EEXIST, reason: "a file that is not a socket is there")
        }
        let probe = OwnedDescriptor(adopting: try checkErrno(socket(AF_UNIX, unixStream, 0), action))
        switch withPath(path, { clinux_connect_unix(probe.number, $0, $1) }) {
        case -ENOENT: return
        case -ECONNREFUSED: if unlink(path) != 0, errno != ENOENT { throw ReactorError(action, code: errno) }
        // EAGAIN: the backlog is full, so a process listens. EPROTOTYPE: a process has another type of socket there.
        case 0, -EAGAIN, -EPROTOTYPE:
            throw ReactorError(action, code: EADDRINUSE, reason: "another process is listening there")
        case let result: try check(result, action)
        }
    }

    private static func withPath(_ path: String, _ body: (UnsafePointer<CChar>, Int) -> Int32) -> Int32 {
        path.withCString { body($0, path.utf8.count) }
    }
}

/// The type of the sockets that listen, and of those that test whether a process listens.
let unixStream = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
