// SPDX-License-Identifier: MIT

/// What tests need to arrange: disks that are slow or small.
package struct StoreOptions: Sendable {
    /// Called on the writer thread in every commit, before it becomes durable.
    package var beforeCommit: (@Sendable () -> Void)?
    /// The most pages (of 4 KiB) the database may have; beyond, it is full as on a full disk.
    package var pageLimit: Int?

    package init(beforeCommit: (@Sendable () -> Void)? = nil, pageLimit: Int? = nil) {
        self.beforeCommit = beforeCommit
        self.pageLimit = pageLimit
    }
}
