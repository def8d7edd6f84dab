// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Accepts connections on a Unix stream socket and hands each on with its peer's credentials.
@LoopActor
package final class UnixListener {
    /// The descriptor is non-blocking, close-on-exec, and the receiver's to close.
    package typealias Acceptor = @LoopActor (_ descriptor: Int32, _ peer: PeerCredentials) -> Void

    /// Called when the process or the system is out of descriptors or memory for a connection, once per pause.
    package var onExhaustion: @LoopActor (ReactorError) -> Void = { _ in }

    /// The system call, so that a test can be out of descriptors without taking those of other tests.
    var next: @LoopActor (Int32) -> Int32 = { clinux_accept($0) }

    private let onAccept: Acceptor
    private let socket: OwnedDescriptor
    private var file: SocketFile?
    private var io: IOSource?
    private var pause: TimerSource?

    /// Of the file that this listener has bound.
    package let path: String?

    /// How long connections are accepted in one turn: long enough for a client behind thousands that are refused, since
    /// those cost microseconds each, and short enough not to starve those accepted already.
    private static let timePerTurn: Int64 = 5_000
    /// How many clients may have connected and not be accepted yet. A client that comes later than a crowd stands behind it,
    /// at some 15 us for each; beyond, connect(2) waits.
    private static let backlog: Int32 = 512
    /// Between two looks at the clock.
    private static let connectionsPerLook = 16
    /// A full descriptor table does not get free by asking: look again now and then. Peers wait in the backlog.
    private static let pauseLength: Int64 = 100_000

    /// Binds a new socket to `path`, whose file gets `mode`. A stale file is replaced.
    package convenience init(path: String, mode: mode_t, onAccept: @escaping Acceptor) throws(ReactorError) {
        let descriptor = Glibc.socket(AF_UNIX, unixStream, 0)
        guard descriptor >= 0 else { throw ReactorError("listen on \(path)", code: errno) }
        let socket = OwnedDescriptor(adopting: descriptor)
        let file = try SocketFile(binding: descriptor, to: path, mode: mode)
        do throws(ReactorError) {
            guard listen(descriptor, Self.backlog) == 0 else { throw ReactorError("listen on \(path)", code: errno) }
            try self.init(socket, file, onAccept)
        } catch {
            _ = file.remove()
            throw error
        }
    }

    /// Takes over a listening socket, as service managers pass it. Its file belongs to the process that bound it.
    package convenience init(adopting descriptor: Int32, onAccept: @escaping Acceptor) throws(ReactorError) {
        let action = "accept connections on descriptor \(descriptor)"
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
            throw ReactorError(action, code: errno)
        }
        guard isListening != 0 else {
            throw ReactorError(action, code: EINVAL, reason: "it is not a listening socket")
        }
        let flags = fcntl(descriptor, F_GETFL)
        // For a socket that listens already, listen(2) sets how long the line may be.
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, listen(descriptor, Self.backlog) == 0
        else { throw ReactorError(action, code: errno) }
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

    /// Stops accepting and removes the socket's file if this listener bound it, which is what it returns. The socket
    /// itself is closed with the listener. Idempotent, and safe within the handlers.
    @discardableResult
    package func close() -> Bool {
        io?.cancel()
        io = nil
        pause?.cancel()
        pause = nil
        defer { file = nil }
        return file?.remove() ?? false
    }

    private func accept() {
        let end = EventLoop.now(.monotonic) + Self.timePerTurn
        var count = 0
        while io != nil {
            count += 1
            if count.isMultiple(of: Self.connectionsPerLook), EventLoop.now(.monotonic) > end { return }
            let result = next(socket.number)
            guard result < 0 else {
                deliver(result)
                continue
            }
            switch -result {
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest(ReactorError("accept a connection", code: -result))
            // The peer gave up before it was its turn, or a signal came: accept(2). The next one may be fine.
            default: continue
            }
        }
    }

    private func deliver(_ descriptor: Int32) {
        do throws(ReactorError) {
            onAccept(descriptor, try PeerCredentials(of: descriptor))
        } catch {
            // Who cannot be identified is not served.
            Glibc.close(descriptor)
        }
    }

    private func rest(_ error: ReactorError) {
        io?.events = []
        pause?.arm(after: Self.pauseLength, slack: Self.pauseLength)
        onExhaustion(error)
    }
}

/// Who is at the other end of a Unix socket, as the kernel recorded it when they connected: socket(7).
package struct PeerCredentials: Sendable, Equatable {
    package var pid: pid_t
    package var uid: uid_t
    package var gid: gid_t
    /// The supplementary groups, once they are read.
    package var groups: [gid_t]
    /// When they were asked for, on the boot-time clock: a process that began later is another with the same number.
    package var seen: Int64

    package init(pid: pid_t, uid: uid_t, gid: gid_t, groups: [gid_t] = [], seen: Int64 = .max) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
        self.seen = seen
    }

    /// Of a connected socket, without the groups: they cost a call more, and few connections of a crowd get so far.
    package init(of descriptor: Int32) throws(ReactorError) {
        self.init(pid: 0, uid: 0, gid: 0)
        try check(clinux_peer_credentials(descriptor, &pid, &uid, &gid), "identify the peer")
        seen = EventLoop.now(.boottime)
    }

    /// Most users are in a handful of groups; the kernel tells the size where that is too few.
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
