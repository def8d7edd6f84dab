// SPDX-License-Identifier: MIT

/// How much a message matters: syslog(3)'s levels, of which the lowest number is the gravest.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, info, debug

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// What stands before a message on a terminal; nothing where the message says it all.
    var word: String? {
        switch self {
        case .emergency, .alert, .critical, .error: "error"
        case .warning: "warning"
        case .notice, .info: nil
        case .debug: "debug"
        }
    }
}
