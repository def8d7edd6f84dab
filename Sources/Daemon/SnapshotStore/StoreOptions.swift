// SPDX-License-Identifier: MIT
import TodayModel

/// Options for tests: slow, small or bad disks, and short waits.
package struct StoreOptions: Sendable {
    /// Called on the writer thread in every commit, before it becomes durable.
    package var beforeCommit: (@Sendable () -> Void)?
    /// Called after a new database has replaced a damaged one, before it is opened.
    package var afterExchange: (@Sendable () -> Void)?
    /// The most pages (of 4 KiB) of the database. Above this, SQLite reports a full disk.
    package var pageLimit: Int?
    /// Milliseconds to wait for the lock at the start, because a daemon that is ending may still hold it.
    package var lockTimeout: Int32
    /// The pause between commits for which no client waits.
    package var restBetweenCommits = TimeSpan.milliseconds(20)
    /// The time from a commit to the checkpoint that moves the log into the database.
    package var restBeforeCheckpoint = TimeSpan.seconds(3)

    package init(beforeCommit: (@Sendable () -> Void)? = nil, pageLimit: Int? = nil, lockTimeout: Int32 = 2_000) {
        self.beforeCommit = beforeCommit
        self.pageLimit = pageLimit
        self.lockTimeout = lockTimeout
    }
}

/// How much the store keeps. These limits keep a client that writes defaults, and a widget that fails often, from
/// filling the disk or the memory.
package enum StoreLimits {
    /// Records in a widget's update log: two days of hourly runs, or 50 minutes of one per minute.
    package static let runsPerWidget = 50
    /// How many of the newest records keep the end of standard error; older ones keep only the reason.
    package static let runsWithErrorOutput = 5
    /// Bytes that are kept of the end of standard error.
    package static let errorOutputBytes = RunRecord.errorOutputBytes
    /// Bytes of the reason of a failure, and of how the program ended.
    package static let reasonBytes = RunRecord.reasonBytes
    /// Keep the content and logs of at most 50 removed widgets, the newest. A widget may return after an upgrade, or
    /// when a disk is mounted again. The user's choices stay for all.
    static let departedWidgets = 50
    /// What users add by hand.
    static let addedWidgets = 500
    package static let keysPerGroup = 1_000
    package static let keyBytes = 256
    /// Bytes of one value of a group's defaults, as JSON.
    package static let valueBytes = 65_536
    /// Bytes of all keys and values of one group as JSON, because one reply holds them all.
    package static let bytesPerGroup = 1 << 20
    /// A longer log is moved into the database at once.
    static let logBytes = 4 << 20
    /// A larger database is not checked as a whole when it opens, because that reads every page and delays the start.
    /// SQLite then finds damage when it uses a page.
    static let checkedBytes = 64 << 20
}
