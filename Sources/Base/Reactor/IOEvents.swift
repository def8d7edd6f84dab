// SPDX-License-Identifier: MIT
import CLinux

/// What can happen on a descriptor: epoll_ctl(2).
package struct IOEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read, an end of file included.
    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// Both halves are closed. Reported without being asked for.
    package static let hangup = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// An error is pending. Reported without being asked for.
    package static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
