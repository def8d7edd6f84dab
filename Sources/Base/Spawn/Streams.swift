// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// The first three descriptors of a child that is being started, and the other ends of its pipes.
struct Streams {
    /// The descriptors that the child gets; -1 for /dev/null.
    private(set) var theirs: [Int32] = []
    private(set) var ours: [OwnedDescriptor?] = []
    /// The child's ends of the pipes. This process closes them with this value.
    private var lent: [OwnedDescriptor] = []

    enum Direction { case fromChild, toChild }

    /// Nil when a pipe cannot be made; errno has the reason.
    init?(for plan: LaunchPlan) {
        guard add(plan.standardInput, .toChild), add(plan.standardOutput, .fromChild),
            add(plan.standardError, .fromChild)
        else { return nil }
    }

    private mutating func add(_ stream: LaunchPlan.Stream, _ direction: Direction) -> Bool {
        switch stream {
        case .null:
            theirs.append(-1)
            ours.append(nil)
        case .descriptor(let descriptor):
            theirs.append(descriptor)
            ours.append(nil)
        case .pipe:
            guard let (reading, writing) = Self.pipe() else { return false }
            let (our, their) = direction == .fromChild ? (reading, writing) : (writing, reading)
            // The flag does not affect the child's end, which is another open file description (open(2)).
            _ = fcntl(our.number, F_SETFL, O_NONBLOCK)
            theirs.append(their.number)
            lent.append(their)
            ours.append(our)
        }
        return true
    }

    private static func pipe() -> (reading: OwnedDescriptor, writing: OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        return (OwnedDescriptor(adopting: ends[0]), OwnedDescriptor(adopting: ends[1]))
    }
}

/// Two connected stream sockets: a non-blocking one to keep, and one to pass to a child.
package struct SocketPair {
    package let ours: OwnedDescriptor
    package let theirs: OwnedDescriptor

    package init() throws(SpawnError) {
        var ends: [Int32] = [-1, -1]
        guard clinux_socket_pair(&ends) == 0 else { throw SpawnError(step: .pipe, path: "", code: errno) }
        ours = OwnedDescriptor(adopting: ends[0])
        theirs = OwnedDescriptor(adopting: ends[1])
        _ = fcntl(ours.number, F_SETFL, O_NONBLOCK)
    }
}
