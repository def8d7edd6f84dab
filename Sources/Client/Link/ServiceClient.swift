// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Platform
import TodayModel
import Varlink

/// The client's side of org.todayd.Today. It connects at the first call, completes short identifiers, and turns errors into
/// messages for the user.
package final class ServiceClient {
    package let socket: DaemonSocket
    private let environment: EnvironmentVariables
    /// How long todayd may take to answer.
    package let patience: TimeSpan
    private var timeout: Duration { .microseconds(patience.microseconds) }
    private var connection: VarlinkConnection?
    private var hasAnswered = false
    /// False while the terminal shows a screen of todayctl's own.
    package var asksInTerminal = true
    /// The directories of pkttyagent(1). PATH is not searched, because the program gets passwords.
    var agentPath = "/usr/bin:/bin"
    /// Called once, if the system's daemon answers in place of the user's.
    private let onFallback: () -> Void

    package init(
        _ socket: DaemonSocket, environment: EnvironmentVariables, timeout: TimeSpan? = nil,
        onFallback: @escaping () -> Void = {}
    ) {
        self.socket = socket
        self.environment = environment
        patience = timeout ?? .seconds(VarlinkConnection.standardTimeout.components.seconds)
        self.onFallback = onFallback
    }

    /// Connects before the first call, to find out which daemon answers.
    package func connectNow() throws {
        try translated { _ = try connected() }
    }

    package func call(_ call: ServiceCall) throws -> JSONObject {
        try translated {
            try completed(call) { try connected().call($0.method, $0.parameters) }
        }
    }

    /// Calls with `more` and hands over every reply until the last one, or until `onReply` returns false.
    package func stream(_ call: ServiceCall, onReply: (JSONObject) throws -> Bool) throws {
        try translated {
            try completed(call) { try connected().stream($0.method, $0.parameters, onReply: onReply) }
        }
    }

    /// Opens another connection and sends the call there. The caller polls it for replies.
    ///
    /// - Parameter patience: how long connecting may take; nil for as long as an answer.
    func open(_ call: ServiceCall, within patience: Duration? = nil) throws -> VarlinkConnection {
        try translated {
            let connection = try connect(within: patience)
            try connection.send(VarlinkCall(call.method, call.parameters, more: true))
            return connection
        }
    }

    /// Runs the body and turns its errors into a `ClientError`.
    package func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as VarlinkError {
            throw unknownWidget(in: error).flatMap(errorAboutManifest) ?? ClientError(error)
        } catch let error as VarlinkConnectionError {
            throw ClientError(error, at: socket)
        } catch let error as JSONMismatch {
            throw ClientError(error)
        }
    }

    /// Sends the call. If the daemon knows the one widget that a short identifier means, sends the call again with the whole
    /// identifier, once for each identifier in it.
    private func completed<Result>(_ call: ServiceCall, _ send: (ServiceCall) throws -> Result) throws -> Result {
        var correction = CorrectedCall(call)
        defer { correction.answered() }
        while true {
            do {
                return try send(correction.call)
            } catch let error as VarlinkError {
                try correction.correct(after: error, for: self)
            }
        }
    }

    /// Makes the terminal ask for a password as long as the value lives, if no desktop does; nil without a terminal.
    func passwordAgent() -> PasswordAgent? {
        asksInTerminal && isatty(STDIN_FILENO) == 1 ? PasswordAgent(in: agentPath) : nil
    }

    /// Whether root has named the socket and started the todayd that answers there.
    package var isStartedByRoot: Bool { socket.isStartedByRoot(((try? connected()) ?? nil)?.listener) }

    /// Who listens where the daemon answers.
    package var listener: SocketListener? { ((try? connected()) ?? nil)?.listener }

    private func connected() throws(VarlinkConnectionError) -> VarlinkConnection {
        if let connection, connection.descriptor >= 0 { return connection }
        let opened = try connect()
        connection = opened
        return opened
    }

    private func connect(within patience: Duration? = nil) throws(VarlinkConnectionError) -> VarlinkConnection {
        let opened = try VarlinkConnection(path: socket.path, timeout: timeout, connectingWithin: patience)
        if socket.isFallback, !hasAnswered { onFallback() }
        hasAnswered = true
        return opened
    }

    // MARK: Widgets that this daemon does not know

    /// The identifier in the error, if the daemon knows no widget that it could mean.
    private func unknownWidget(in error: VarlinkError) -> String? {
        guard error.name == "org.todayd.Today.NoSuchWidget",
            error.parameters["candidates"]?.arrayValue?.first == nil
        else { return nil }
        return error.parameters["id"]?.stringValue
    }

    /// The error for a widget that has a file which the daemon cannot use, or a manifest that only another daemon reads.
    private func errorAboutManifest(of id: String) -> ClientError? {
        let complaints = complaintsAboutManifests().about(id)
        if !complaints.isEmpty { return ClientError(noSuchWidget: id, complaints: complaints) }
        let places = ManifestPlaces(environment)
        let found = places.manifests(of: id)
        // Most unknown widgets have no manifest, so no other call is needed.
        guard !found.isEmpty, let daemon = daemonStatus() else { return nil }
        return found.lazy.compactMap { UnreadManifest(id, $0, by: daemon, at: self.socket, places) }.first
            .map { ClientError($0) }
    }

    /// The complaints of todayd about files that cannot be widgets. Empty if todayd does not answer, because the command has
    /// another error to report.
    ///
    /// - Parameter known: any widget that todayd knows. The reply then has the status of this one and not of all.
    package func complaintsAboutManifests(known: WidgetID? = nil) -> ManifestComplaints {
        let parameters: JSONObject = known.map { ["id": .string($0.text)] } ?? [:]
        return ManifestComplaints((try? connected().call(ServiceCall("Status").method, parameters)) ?? [:])
    }

    /// The status of the daemon; nil if it does not answer.
    package func daemonStatus() -> DaemonStatus? {
        guard let reply = try? connected().call("org.todayd.Today.Status"), let status = reply["daemon"] else {
            return nil
        }
        return try? DaemonStatus(JSONField(root: status))
    }
}

/// pkttyagent(1), which asks for passwords in this terminal if no program of the session does, as systemctl starts it.
final class PasswordAgent {
    private let program: SpawnedProgram?

    /// Waits until the agent is registered; without an agent, polkit refuses.
    ///
    /// - Parameter path: directories, as in PATH.
    init(in path: String) {
        let words = ["--process", "\(getpid())", "--notify-fd", "1", "--fallback"]
        program = SpawnedProgram.find("pkttyagent", in: path).flatMap {
            try? SpawnedProgram(.init($0, words, output: .pipe))
        }
        // The agent closes the pipe when it is registered, and ends if it cannot be.
        while program?.read() != nil {}
        program?.closeOutput()
    }

    deinit {
        program?.signal(SIGTERM)
        _ = program?.wait()
    }
}
