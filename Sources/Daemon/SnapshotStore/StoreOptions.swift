// SPDX-License-Identifier: MIT
import TodayModel

/// What tests need to arrange: disks that are slow, small or bad, and no patience.
package struct StoreOptions: Sendable {
    /// Called on the writer thread in every commit, before it becomes durable.
    package var beforeCommit: (@Sendable () -> Void)?
    /// Called when a new database has taken the place of a damaged one, before it is opened there.
    package var afterExchange: (@Sendable () -> Void)?
    /// The most pages (of 4 KiB) the database may have; beyond, it is full as on a full disk.
    package var pageLimit: Int?
    /// Milliseconds to wait for the lock at the start: a daemon that is just ending may still hold it.
    package var lockTimeout: Int32
    /// Of SQLite's virtual machine, to read one table.
    package var stepsPerTable = StoreLimits.stepsPerTable
    /// Between commits for which no client waits.
    package var restBetweenCommits = TimeSpan.milliseconds(20)
    /// From a commit until what only the log holds is moved into the database.
    package var restBeforeCheckpoint = TimeSpan.seconds(3)

    package init(beforeCommit: (@Sendable () -> Void)? = nil, pageLimit: Int? = nil, lockTimeout: Int32 = 2_000) {
        self.beforeCommit = beforeCommit
        self.pageLimit = pageLimit
        self.lockTimeout = lockTimeout
    }
}
