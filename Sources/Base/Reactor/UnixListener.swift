// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Accepts connections on a Unix stream socket and passes each on with its peer's credentials.
@LoopActor
package final class UnixListener {
    /// The descriptor is non-blocking and close-on-exec. The receiver closes it.
    package typealias Acceptor = @LoopActor (_ descriptor: Int32, _ peer: PeerCredentials) -> Void

    /// Called when the process or the system is out of descriptors or memory for a connection, once per pause.
    package var onExhaustion: @LoopActor (ReactorError) -> Void = { _ in }

    private let onAccept: Acceptor
    private let socket: OwnedDescriptor
    private var file: SocketFile?
    private var io: IOSource?
    private var pause: TimerSource?

    /// The path of the file that this listener has bound; nil for an adopted socket.
    package let path: String?

    /// How long one turn accepts connections, in microseconds. A refused connection costs microseconds, so a client
    /// behind thousands of them is accepted in a few turns; and connected clients wait no longer than this.
    private static let timePerTurn: Int64 = 5_000
    /// How many connections may wait to be accepted, at some 15 us for each. Further clients wait in connect(2).
    private static let backlog: Int32 = 512
    /// How long to wait when the descriptor table is full, in microseconds. Peers wait in the backlog.
    private static let pauseLength: Int64 = 100_000

    /// Binds a new socket to `path`, whose file gets `mode`. A stale file is replaced.
    package convenience init(path: String, mode: mode_t, onAccept: @escaping Acceptor) throws(ReactorError) {
        let descriptor = try checkErrno(Glibc.socket(AF_UNIX, unixStream, 0), "listen on \(path)")
        let socket = OwnedDescriptor(adopting: descriptor)
        let file = try SocketFile(binding: descriptor, to: path, mode: mode)
        do throws(ReactorError) {
            try checkErrno(listen(descriptor, Self.backlog), "listen on \(path)")
            try self.init(socket, file, onAccept)
        } catch {
            _ = file.remove()
            throw error
        }
    }

    /// Takes over a listening socket that a service manager has passed. The manager removes its file.
    package convenience init(adopting descriptor: Int32, onAccept: @escaping Acceptor) throws(ReactorError) {
        let action = "accept connections on descriptor \(descriptor)"
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        try checkErrno(getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size), action)
        guard isListening != 0 else {
            throw ReactorError(action, code: EINVAL, reason: "it is not a listening socket")
        }
        let flags = fcntl(descriptor, F_GETFL)
        try checkErrno(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK), action)
        try checkErrno(fcntl(descriptor, F_SETFD, FD_CLOEXEC), action)
        // For a socket that listens already, listen(2) sets the length of the backlog.
        try checkErrno(listen(descriptor, Self.backlog), action)
        try self.init(OwnedDescriptor(adopting: descriptor), nil, onAccept)
    }

    private init(
        _ socket: OwnedDescriptor, _ file: SocketFile?, _ onAccept: @escaping Acceptor
    ) throws(ReactorError) {
        self.socket = socket
        self.file = file
        path = file?.path
        self.onAccept = onAccept
        pause = try TimerSource(.monotonic) { [weak self] in self?.io?.events = .readable }
        io = try IOSource(owning: socket, events: .readable) { [weak self] _ in self?.accept() }
    }

    /// Stops accepting, and removes the socket's file if this listener has bound it. The socket itself is closed with
    /// the listener. Idempotent, and safe within the handlers.
    ///
    /// - Returns: whether the file was removed.
    @discardableResult
    package func close() -> Bool {
        io = nil
        defer { file = nil }
        return file?.remove() ?? false
    }

    private func accept() {
        let end = EventLoop.now(.monotonic) + Self.timePerTurn
        while io != nil, EventLoop.now(.monotonic) <= end {
            let result = clinux_accept(socket.number)
            guard result < 0 else {
                deliver(result)
                continue
            }
            switch -result {
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                return pauseAccepting(ReactorError("accept a connection", code: -result))
            // The peer closed its socket while it waited, or a signal came (accept(2)). The next connection may
            // succeed.
            default: continue
            }
        }
    }

    private func deliver(_ descriptor: Int32) {
        do throws(ReactorError) {
            onAccept(descriptor, try PeerCredentials(of: descriptor))
        } catch {
            // A peer without credentials is not served.
            Glibc.close(descriptor)
        }
    }

    private func pauseAccepting(_ error: ReactorError) {
        io?.events = []
        pause?.arm(after: Self.pauseLength, slack: Self.pauseLength)
        onExhaustion(error)
    }
}

/// The process at the other end of a Unix socket, as the kernel recorded it at connect(2): SO_PEERCRED of unix(7).
package struct PeerCredentials: Sendable, Equatable {
    /// -1 for a process that had ended and been reaped when the connection was accepted.
    package var pid: pid_t
    package var uid: uid_t
    package var gid: gid_t
    /// The supplementary groups; empty until `readGroups`.
    package var groups: [gid_t]
    /// When the credentials were read, in microseconds of the boot-time clock. A process that began later is another
    /// one with the same number.
    package var seen: Int64

    package init(pid: pid_t, uid: uid_t, gid: gid_t, groups: [gid_t] = [], seen: Int64 = .max) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
        self.seen = seen
    }

    /// Reads everything but the groups, which cost another system call: in a flood, most connections are refused before the
    /// groups matter.
    package init(of descriptor: Int32) throws(ReactorError) {
        self.init(pid: 0, uid: 0, gid: 0)
        try check(clinux_peer_credentials(descriptor, &pid, &uid, &gid), "identify the peer")
        seen = EventLoop.now(.boottime)
    }

    /// Begins with room for 16 groups. If a user is in more, the kernel returns the number.
    package mutating func readGroups(of descriptor: Int32) throws(ReactorError) {
        var result: Int32 = 0
        var capacity = 16
        while true {
            let groups = [gid_t](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = capacity
                result = clinux_peer_groups(descriptor, buffer.baseAddress, &count)
                capacity = max(count, capacity)
                if result < 0 { count = 0 }
            }
            if result == -ERANGE { continue }
            try check(result, "read the peer's groups")
            self.groups = groups
            return
        }
    }
}
