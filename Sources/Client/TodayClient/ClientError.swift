// SPDX-License-Identifier: MIT

import Files
import JSON
import Varlink

/// Why a command could not do its work: in words that say what to do next, and as an exit code.
struct ClientError: Error, Equatable, CustomStringConvertible {
    let description: String
    let code: ExitCode
    /// todayd has understood the call and does not do it.
    private(set) var isRefusal = false
    /// As it was typed, where todayd knows no widget that it could mean.
    private(set) var unknownWidget: String?

    init(_ description: String, _ code: ExitCode = .failed) {
        self.description = description
        self.code = code
    }

    /// The same with more words.
    func adding(_ text: String) -> ClientError {
        var error = ClientError(description + text, code)
        (error.isRefusal, error.unknownWidget) = (isRefusal, unknownWidget)
        return error
    }

    /// An error that the daemon answered with.
    init(_ error: VarlinkError) {
        func text(_ key: String) -> String { error.parameters[key]?.stringValue ?? "" }
        switch error.name {
        case "org.todayd.Today.NoSuchWidget":
            self.init(noSuchWidget: text("id"), error.parameters)
        case "org.todayd.Today.NoSuchGroup":
            self.init("no widget belongs to a group '\(text("group"))'; see AppGroups= in the widgets' manifests")
        case "org.todayd.Today.InvalidContent":
            let place = text("field")
            self.init("this is no content: \(place.isEmpty ? "" : "\(place): ")\(text("reason"))")
        case "org.todayd.Today.Refused":
            self.init(text("reason"))
            isRefusal = true
        case "org.todayd.Today.LimitReached":
            self.init(text("reason"))
        case "org.todayd.Today.NotStored":
            self.init("not kept: \(text("reason")); 'todayctl status' says more")
        case VarlinkError.permissionDenied.name:
            self.init(
                "permission denied: in the system instance root, the administrators' group and, for its own widgets, "
                    + "a containing app may change things",
                .notPermitted)
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

    /// There is a file that should be that widget.
    init(noSuchWidget id: String, complaints: [String]) {
        self.init(
            "no widget '\(id)', as its file cannot be used:\n  \(complaints.joined(separator: "\n  "))", .noSuchWidget)
    }

    /// todayd does not know a widget which another todayd would know.
    init(_ manifest: UnreadManifest) {
        self.init(manifest.description, .noSuchWidget)
    }

    /// The daemon cannot be reached, or no longer.
    init(_ error: VarlinkConnectionError, at endpoint: Endpoint) {
        switch error {
        case .noSocket:
            self.init("todayd is not running: \(endpoint.remedy)", .unreachable)
        case .nobodyListens(let path) where !Paths.isSocket(path):
            self.init("\(path) is no socket: --socket= and TODAYD_SOCKET name the one of todayd", .unreachable)
        case .nobodyListens(let path):
            self.init("todayd has ended and left \(path) behind: \(endpoint.remedy)", .unreachable)
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

    /// What came is Varlink, but not what org.todayd.Today promises.
    init(_ error: JSONMismatch) {
        self.init("todayd sent what this todayctl does not understand: \(error)")
    }
}
