// SPDX-License-Identifier: MIT
import TodayModel

/// Why the widget is asked.
public enum UpdateReason: Hashable, Sendable {
    /// The daemon has started and the widget is due.
    case boot
    /// Its interval has passed.
    case schedule
    /// A host has appeared and its content is due.
    case appear
    /// A client asked, as with `todayctl update`; also a preview.
    case request
    /// The user pressed a button.
    case action
    /// The user begins or ends editing.
    case editing
    /// The user has chosen another display mode.
    case mode
    /// What it may have read before has changed: its groups' defaults, or its display mode.
    case defaults
    /// The machine slept and it is overdue.
    case wake
    /// The run before it failed.
    case retry

    package init(_ reason: RunReason) {
        switch reason {
        case .boot: self = .boot
        case .schedule: self = .schedule
        case .appear: self = .appear
        case .request: self = .request
        case .action: self = .action
        case .editing: self = .editing
        case .mode: self = .mode
        case .defaults: self = .defaults
        case .wake: self = .wake
        case .retry: self = .retry
        }
    }
}
