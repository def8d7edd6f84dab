// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor
import Testing

/// A Unix socket bound to a path, not listening.
func bound(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    try #require(clinux_bind_unix(descriptor, path, path.utf8.count) == 0)
    return descriptor
}

/// A client's end of a connection.
func connect(_ path: String) throws -> OwnedDescriptor {
    let descriptor = OwnedDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    try #require(clinux_connect_unix(descriptor.number, path, path.utf8.count) == 0)
    return descriptor
}

/// The supplementary groups of this process.
func groups() throws -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = getgroups(Int32(groups.count), &groups)
    try #require(count >= 0)
    return Array(groups[..<Int(count)])
}
