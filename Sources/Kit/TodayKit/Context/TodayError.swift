// SPDX-License-Identifier: MIT
import JSON
import Varlink

/// Why todayd, or the operating system, has not done what was asked.
public enum TodayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// todayd does not answer, or this process has no connection to it.
    case unavailable(String)
    /// todayd refuses, with a reason.
    case refused(String)
    /// The widget does not belong to this group, or no widget does.
    case noSuchGroup(String)
    /// todayd knows no widget with this identifier.
    case noSuchWidget(String)
    /// todayd could not store the change, as when the disk is full.
    case notStored(String)
    /// A system call failed.
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
    /// - Parameter error: the error of a call to todayd.
    init(_ error: any Error) {
        guard let error = error as? VarlinkError else {
            self = .unavailable("\(error)")
            return
        }
        let detail = { (key: String) in error.parameters[key]?.stringValue }
        switch error.name.split(separator: ".").last {
        case "NoSuchGroup": self = .noSuchGroup(detail("group") ?? "none was named, and there is not exactly one")
        case "NoSuchWidget": self = .noSuchWidget(detail("id") ?? "?")
        case "PermissionDenied", "InteractiveAuthenticationRequired":
            self = .refused(
                """
                permission denied: a widget acts as itself only, and of the system's widgets an app acts for its own, as the \
                user whom their manifests name (AppUser=)
                """)
        case "NotStored": self = .notStored(detail("reason") ?? "it could not be stored")
        default: self = .refused(detail("reason") ?? "\(error)")
        }
    }
}
