// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// The first three descriptors of a child while it is started: what it gets, and our ends of its pipes.
struct Streams {
    /// What the child gets; -1 is /dev/null.
    private(set) var theirs: [Int32] = []
    private(set) var ours: [OwnedDescriptor?] = []
    /// The child's ends of the pipes, which close with this value.
    private var lent: [OwnedDescriptor] = []

    enum Direction { case fromChild, toChild }

    /// Nil with errno set when no more pipes can be made.
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
            // The flag belongs to this end alone: the child's end of a pipe is another open file description.
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

/// Two connected stream sockets: one to keep, not blocking, and one to pass to a child.
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
