// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// The daemon as every client sees it: org.todayd.Today on its socket. Each call makes its own connection, so that an app
/// may run for weeks while daemons come and go.
package struct DaemonService: TodayService {
    private static let timeout = Duration.seconds(20)

    /// The first of these at which a process answers is the daemon.
    let sockets: [String]

    package init(sockets: [String]) { self.sockets = sockets }

    func connect() throws(TodayError) -> VarlinkConnection {
        var failure: VarlinkConnectionError?
        for socket in sockets {
            do {
                return try VarlinkConnection(path: socket, timeout: Self.timeout)
            } catch {
                // What is there and does not answer says more than what is not there.
                if case .noSocket = failure ?? .noSocket(path: socket) { failure = error }
            }
        }
        switch failure {
        case nil: throw .unavailable("there is no socket of todayd to connect to")
        case .notPermitted(let path)?:
            throw .refused("not allowed to connect to \(path): it is another user's, or this user is kept out")
        case let failure?: throw .unavailable("todayd does not answer: \(failure)")
        }
    }

    func call(_ method: String, _ parameters: JSONObject = [:]) throws(TodayError) -> JSONObject {
        let connection = try connect()
        do {
            return try connection.call("org.todayd.Today.\(method)", parameters)
        } catch {
            throw TodayError(error)
        }
    }

    package func setHasContent(_ flag: Bool, of widget: String) throws(TodayError) {
        _ = try call("SetHasContent", ["id": .string(widget), "hasContent": .bool(flag)])
    }

    package func values(of group: String) throws(TodayError) -> JSONObject {
        try call("GetDefaults", ["group": .string(group)]).unboxedValues
    }

    package func set(_ value: JSON?, forKey key: String, in group: String) throws(TodayError) {
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        parameters["value"] = JSONObject.box(value)
        _ = try call("SetDefaults", parameters)
    }

    /// Where the daemon keeps the directories of widgets and groups.
    func stateDirectory() throws(TodayError) -> String {
        let status = try call("Status")
        guard let directory = status["daemon"]?["stateDirectory"]?.stringValue else {
            throw .unavailable("todayd does not say where it keeps its state")
        }
        return directory
    }
}
