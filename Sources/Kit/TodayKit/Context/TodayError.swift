// SPDX-License-Identifier: MIT
import JSON
import Varlink

/// Why the system does not do what it was asked to.
public enum TodayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no daemon to ask, or this process has no connection to it.
    case unavailable(String)
    /// The daemon says no, and why.
    case refused(String)
    /// The widget does not belong to this group, or no widget does.
    case noSuchGroup(String)
    /// The daemon knows no such widget.
    case noSuchWidget(String)
    /// The change is not made: the disk is full or the database cannot be written.
    case notStored(String)
    /// The operating system says no.
    case system(String)

    /// The reason in words.
    public var description: String {
        switch self {
        case .unavailable(let reason), .refused(let reason), .notStored(let reason), .system(let reason): reason
        case .noSuchGroup(let group): "no such app group: \(group)"
        case .noSuchWidget(let widget): "no such widget: \(widget)"
        }
    }
}

extension TodayError {
    /// - Parameter error: what a call of a service throws.
    init(_ error: any Error) {
        guard let error = error as? VarlinkError else {
            self = .unavailable("\(error)")
            return
        }
        let detail = { (key: String) in error.parameters[key]?.stringValue }
        switch error.name.split(separator: ".").last {
        case "NoSuchGroup": self = .noSuchGroup(detail("group") ?? "none was named, and there is not exactly one")
        case "NoSuchWidget": self = .noSuchWidget(detail("id") ?? "?")
        case "PermissionDenied":
            self = .refused(
                """
                permission denied: in the system instance an app acts for its widgets as the user whom their manifests \
                name (AppUser=)
                """)
        case "NotStored": self = .notStored(detail("reason") ?? "it could not be stored")
        default: self = .refused(detail("reason") ?? "\(error)")
        }
    }
}
