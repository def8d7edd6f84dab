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

/// How much the store keeps. A client that writes defaults, or a widget that fails often, must not fill a disk or the memory.
package enum StoreLimits {
    /// Records in a widget's update log: a day and more of hourly runs, an hour of one per minute.
    package static let runsPerWidget = 50
    /// Only the newest records keep the end of standard error; older ones keep the reason in words.
    package static let runsWithErrorOutput = 5
    /// Bytes kept of the end of standard error.
    package static let errorOutputBytes = RunRecord.errorOutputBytes
    /// Bytes of the reason why a run failed, and of how its program ended.
    package static let reasonBytes = RunRecord.reasonBytes
    /// Of so many widgets whose manifests have gone the snapshot and the log are kept: they come back, as after an
    /// upgrade, or when a disk is mounted again. The user's choices are kept of all.
    static let departedWidgets = 50
    package static let keysPerGroup = 1_000
    package static let keyBytes = 256
    /// Bytes of one value of a group's defaults, as JSON.
    package static let valueBytes = 65_536
    /// Bytes of all keys and values of one group, as JSON: a reply holds all of them.
    package static let bytesPerGroup = 1 << 20
    /// A longer log is moved into the database at once.
    static let logBytes = 4 << 20
    /// A larger database is not checked as a whole when it is opened: that reads every page and delays the start.
    /// Damage is then found when a page is used.
    static let checkedBytes = 64 << 20
    /// Of SQLite's virtual machine: a million rows and more.
    package static let stepsPerTable: Int32 = 10_000_000
}
