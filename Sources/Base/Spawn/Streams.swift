// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// The first three descriptors of a child that is being started.
struct Streams {
    /// Nil where the child gets /dev/null.
    let output: Pipe?
    let error: Pipe?

    init(for plan: LaunchPlan) throws(SpawnError) {
        output = plan.standardOutput == .pipe ? try Pipe(for: plan) : nil
        error = plan.standardError == .pipe ? try Pipe(for: plan) : nil
    }

    /// The descriptors that the child gets; -1 for /dev/null.
    var theirs: [Int32] { [-1, output?.theirs.number ?? -1, error?.theirs.number ?? -1] }

    /// A pipe from a child to this process.
    struct Pipe {
        let ours: OwnedDescriptor
        /// The child's end. This process closes its copy with this value.
        let theirs: OwnedDescriptor

        fileprivate init(for plan: LaunchPlan) throws(SpawnError) {
            var ends: [Int32] = [-1, -1]
            guard clinux_pipe(&ends) == 0 else {
                throw SpawnError(step: .pipe, path: plan.executable, code: errno)
            }
            ours = OwnedDescriptor(adopting: ends[0])
            theirs = OwnedDescriptor(adopting: ends[1])
            // The flag does not affect the child's end, which is another open file description (open(2)).
            _ = fcntl(ours.number, F_SETFL, O_NONBLOCK)
        }
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
