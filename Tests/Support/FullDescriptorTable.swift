// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Lets this process open no descriptor until `end`.
package struct FullDescriptorTable {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private let before: rlimit

    package init() throws {
        var limit = rlimit()
        let isRead = getrlimit(Self.resource, &limit) == 0
        try #require(isRead)
        before = limit
        // The lowest free number: all numbers from there on are forbidden.
        let free = dup(0)
        try #require(free >= 0)
        close(free)
        limit.rlim_cur = rlim_t(free)
        let isFull = setrlimit(Self.resource, &limit) == 0
        try #require(isFull)
    }

    package func end() {
        var before = before
        setrlimit(Self.resource, &before)
    }
}
