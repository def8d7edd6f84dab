// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

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
