// SPDX-License-Identifier: MIT
import CLinux

/// What can happen in and to a directory: inotify(7).
package struct DirectoryEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ flag: Int32) { rawValue = UInt32(bitPattern: flag) }

    package static let created = DirectoryEvents(IN_CREATE)
    package static let deleted = DirectoryEvents(IN_DELETE)
    package static let movedFrom = DirectoryEvents(IN_MOVED_FROM)
    package static let movedTo = DirectoryEvents(IN_MOVED_TO)
    package static let closedAfterWriting = DirectoryEvents(IN_CLOSE_WRITE)
    package static let attributesChanged = DirectoryEvents(IN_ATTRIB)
    /// The directory itself went away.
    package static let selfDeleted = DirectoryEvents(IN_DELETE_SELF)
    package static let selfMoved = DirectoryEvents(IN_MOVE_SELF)

    /// Reported without being asked for: the entry is a directory.
    package static let isDirectory = DirectoryEvents(rawValue: UInt32(IN_ISDIR))
    /// Reported without being asked for: events were lost, look at everything again.
    package static let overflow = DirectoryEvents(IN_Q_OVERFLOW)
    /// Reported without being asked for: the watch has ended, as the directory or its file system is gone.
    package static let ended = DirectoryEvents(IN_IGNORED)
    package static let unmounted = DirectoryEvents(IN_UNMOUNT)

    /// Everything after which a directory may list other names, or a name may have other contents.
    package static let entryChanges: DirectoryEvents = [
        .created, .deleted, .movedFrom, .movedTo, .closedAfterWriting, .attributesChanged, .selfDeleted, .selfMoved,
    ]
}

/// One change in a watched directory.
package struct DirectoryEvent: Sendable, Equatable {
    package let kinds: DirectoryEvents
    /// The entry's name; empty when the directory itself is meant.
    package let name: String

    package init(kinds: DirectoryEvents, name: String) {
        self.kinds = kinds
        self.name = name
    }
}
