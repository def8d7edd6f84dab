// SPDX-License-Identifier: MIT
import CLinux
import Glibc

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
