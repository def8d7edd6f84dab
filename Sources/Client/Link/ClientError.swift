// SPDX-License-Identifier: MIT

import Files
import JSON
import TodayModel
import Varlink

/// The reason why a command failed, with what to do next, and its exit code.
package struct ClientError: Error, Equatable, CustomStringConvertible {
    package let description: String
    package let code: ExitCode
    /// Whether todayd has refused the call.
    package private(set) var isRefusal = false
    /// The identifier as the user typed it, if todayd knows no widget that it could mean.
    package private(set) var unknownWidget: String?

    package init(_ description: String, _ code: ExitCode = .failed) {
        self.description = description
        self.code = code
    }

    /// Whether no todayd answers; it may come back.
    package var isAbsence: Bool { code == .unreachable || code == .timedOut }

    /// The same error with more text.
    package func adding(_ text: String) -> ClientError {
        var error = ClientError(description + text, code)
        (error.isRefusal, error.unknownWidget) = (isRefusal, unknownWidget)
        return error
    }

    /// An error that the daemon answered with.
    package init(_ error: VarlinkError) {
        func text(_ key: String) -> String { error.parameters[key]?.stringValue ?? "" }
        switch error.name {
        case "org.todayd.Today.NoSuchWidget":
            self.init(noSuchWidget: text("id"), error.parameters)
        case "org.todayd.Today.NoSuchGroup":
            self.init("no widget belongs to a group '\(text("group"))'; see AppGroups= in the widgets' manifests")
        case "org.todayd.Today.InvalidContent":
            let place = text("field")
            self.init("this is not content: \(place.isEmpty ? "" : "\(place): ")\(text("reason"))")
        case "org.todayd.Today.Refused":
            self.init(text("reason"))
            isRefusal = true
        case "org.todayd.Today.LimitReached":
            self.init(text("reason"))
        case "org.todayd.Today.NotStored":
            self.init("not kept: \(text("reason")); 'todayctl status' says more")
        case VarlinkError.permissionDenied.name:
            self.init(
                "permission denied: things are changed by the user whose todayd it is; in the system instance by root, the "
                    + "administrators' group and, for its own widgets, a containing app",
                .notPermitted)
        case ServiceCall.interactionNeeded:
            self.init(
                "permission denied: polkit wants a password for it; run it in a terminal, or with sudo", .notPermitted)
        case "org.varlink.service.InvalidParameter" where text("parameter") == "ids":
            self.init("one command shows \(Interfaces.mostNamedWidgets) widgets at most", .usage)
        case "org.varlink.service.InvalidParameter":
            self.init("todayd does not accept this '\(text("parameter"))'")
        case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
            "org.varlink.service.InterfaceNotFound":
            self.init("\(error); todayd and todayctl are of different versions")
        default:
            self.init("\(error)")
        }
    }

    private init(noSuchWidget id: String, _ parameters: JSONObject) {
        let candidates = (parameters["candidates"]?.arrayValue ?? []).compactMap(\.stringValue)
        if candidates.count > 1 {
            let list = candidates.map { "\n  \($0)" }.joined()
            self.init("'\(id)' could be any of these widgets:\(list)", .noSuchWidget)
        } else if let nearest = parameters["nearest"]?.stringValue {
            self.init("no widget '\(id)'; did you mean \(nearest)?", .noSuchWidget)
            unknownWidget = id
        } else {
            self.init("no widget '\(id)'; 'todayctl list' shows all", .noSuchWidget)
            unknownWidget = id
        }
    }

    /// todayd cannot use the file of the widget.
    package init(noSuchWidget id: String, complaints: [String]) {
        self.init(
            "no widget '\(id)', as its file cannot be used:\n  \(complaints.joined(separator: "\n  "))", .noSuchWidget)
    }

    /// The widget is unknown to the todayd that answers, because only another one reads its manifest.
    package init(_ manifest: UnreadManifest) {
        self.init(manifest.description, .noSuchWidget)
    }

    /// The connection to the daemon failed.
    package init(_ error: VarlinkConnectionError, at socket: DaemonSocket) {
        switch error {
        case .noSocket:
            self.init("todayd is not running: \(socket.remedy)", .unreachable)
        case .noListener(let path) where !Paths.isSocket(path):
            self.init("\(path) is not a socket: --socket= and TODAYD_SOCKET name the one of todayd", .unreachable)
        case .noListener(let path):
            self.init("todayd has ended and left \(path) behind: \(socket.remedy)", .unreachable)
        case .notPermitted(let path):
            self.init(
                "not allowed to connect to \(path): it is another user's, or this user is kept out", .notPermitted)
        case .timedOut:
            self.init("\(error); todayd is stopped or overloaded", .timedOut)
        case .closedByService, .closed:
            self.init("\(error); it may be restarting: try again", .unreachable)
        case .pathTooLong, .system:
            self.init("\(error)", .unreachable)
        case .violation:
            self.init("\(error); is that todayd?")
        }
    }

    /// The reply is Varlink, but does not match org.todayd.Today.
    package init(_ error: JSONMismatch) {
        self.init("todayd sent what this todayctl does not understand: \(error)")
    }
}

/// The exit status of todayctl, as todayctl(1) lists it. Forms of output for other programs have their own.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let ok = ExitCode(rawValue: 0)
    /// The answer to a question was no.
    package static let no = ExitCode(rawValue: 1)
    package static let usage = ExitCode(rawValue: 2)
    package static let unreachable = ExitCode(rawValue: 3)
    package static let noSuchWidget = ExitCode(rawValue: 4)
    package static let updateFailed = ExitCode(rawValue: 5)
    package static let timedOut = ExitCode(rawValue: 6)
    package static let notPermitted = ExitCode(rawValue: 7)
    /// Any other error of the daemon, or of reading and writing.
    package static let failed = ExitCode(rawValue: 8)
}
