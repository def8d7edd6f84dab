// SPDX-License-Identifier: MIT

import JSON
import TodayModel
import Varlink

/// The daemon as commands see it: connected when first needed, widgets' short names completed, errors in the user's words.
final class TodayService {
    let endpoint: Endpoint
    private let environment: Environment
    private let timeout: Duration?
    private var connection: VarlinkConnection?
    private var hasAnswered = false
    /// The system's daemon is there in place of the user's. Called once.
    private let onFallback: () -> Void

    init(
        _ endpoint: Endpoint, environment: Environment, timeout: Duration? = VarlinkConnection.standardTimeout,
        onFallback: @escaping () -> Void = {}
    ) {
        self.endpoint = endpoint
        self.environment = environment
        self.timeout = timeout
        self.onFallback = onFallback
    }

    /// Finds out whether there is a daemon, and which, before the first call.
    func reach() throws {
        try translated { _ = try connected() }
    }

    func call(_ call: ServiceCall) throws -> JSONObject {
        try translated {
            try completed(call) { try connected().call($0.method, $0.parameters) }
        }
    }

    /// Calls with `more` and hands over every reply until there are no more or `onReply` returns false.
    func stream(_ call: ServiceCall, onReply: (JSONObject) throws -> Bool) throws {
        try translated {
            try completed(call) { try connected().stream($0.method, $0.parameters, onReply: onReply) }
        }
    }

    /// A connection of its own with the call sent, whose replies the caller waits for beside other things.
    func open(_ call: ServiceCall) throws -> VarlinkConnection {
        try translated {
            let connection = try connect()
            try connection.send(VarlinkCall(call.method, call.parameters, more: true))
            return connection
        }
    }

    /// Every error as one that can be shown.
    func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as VarlinkError {
            throw unusableManifest(for: error) ?? unread(error).map { ClientError($0) } ?? ClientError(error)
        } catch let error as VarlinkConnectionError {
            connection = nil
            throw ClientError(error, at: endpoint)
        } catch let error as JSONMismatch {
            throw ClientError(error)
        }
    }

    /// Sends the call once more, with the identifiers that the daemon says were meant. Once for each identifier in it.
    private func completed<Result>(_ call: ServiceCall, _ send: (ServiceCall) throws -> Result) throws -> Result {
        var call = call
        for _ in 0..<2 {
            do {
                return try send(call)
            } catch let error as VarlinkError {
                guard let corrected = call.corrected(after: error) else { throw error }
                call = corrected
            }
        }
        return try send(call)
    }

    /// What todayd says of files that cannot be widgets; nothing where it does not answer, as the command has more to tell.
    ///
    /// - Parameter known: a widget that todayd knows: the reply then has the status of that one and not of thousands.
    func complaintsAboutManifests(known: WidgetID? = nil) -> ManifestComplaints {
        let parameters: JSONObject = known.map { ["id": .string($0.text)] } ?? [:]
        return ManifestComplaints((try? connected().call(ServiceCall("Status").method, parameters)) ?? [:])
    }

    /// Of a widget that todayd does not know there may be a file, with a name that it cannot use.
    private func unusableManifest(for error: VarlinkError) -> ClientError? {
        guard error.name == "org.todayd.Today.NoSuchWidget", let id = error.parameters["id"]?.stringValue,
            error.parameters["candidates"]?.arrayValue?.isEmpty ?? true
        else { return nil }
        let complaints = complaintsAboutManifests().about(id)
        return complaints.isEmpty ? nil : ClientError(noSuchWidget: id, complaints: complaints)
    }

    /// Whether a todayd that root has started answers at a socket that root has named.
    var isRoots: Bool { endpoint.isRoots(((try? connected()) ?? nil)?.listener) }

    private func connected() throws(VarlinkConnectionError) -> VarlinkConnection {
        if let connection, connection.descriptor >= 0 { return connection }
        let opened = try connect()
        connection = opened
        return opened
    }

    private func connect() throws(VarlinkConnectionError) -> VarlinkConnection {
        let opened = try VarlinkConnection(path: endpoint.path, timeout: timeout)
        if endpoint.isFallback, !hasAnswered { onFallback() }
        hasAnswered = true
        return opened
    }

    // MARK: Widgets that this daemon does not know

    /// The manifest of a widget that is unknown to this daemon, where only another one reads it.
    private func unread(_ error: VarlinkError) -> UnreadManifest? {
        guard error.name == "org.todayd.Today.NoSuchWidget", let id = error.parameters["id"]?.stringValue,
            error.parameters["candidates"]?.arrayValue?.isEmpty != false
        else { return nil }
        let places = ManifestPlaces(environment)
        let found = places.manifests(of: id)
        // Most errors end here, without another call.
        guard !found.isEmpty, let daemon = daemonStatus() else { return nil }
        return found.lazy.compactMap { UnreadManifest(id, $0, by: daemon, at: self.endpoint, places) }.first
    }

    /// What the daemon says about itself; nil where it cannot say it.
    func daemonStatus() -> DaemonStatus? {
        guard let reply = try? connected().call("org.todayd.Today.Status"), let status = reply["daemon"] else {
            return nil
        }
        return try? DaemonStatus(JSONField(root: status, isTolerant: true))
    }
}
