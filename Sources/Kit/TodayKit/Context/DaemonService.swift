// SPDX-License-Identifier: MIT
import JSON
import Synchronization
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

/// What a widget and a containing app have in common to ask of the daemon.
package protocol TodayService: Sendable {
    func setHasContent(_ flag: Bool, of widget: String) throws(TodayError)
    /// The values themselves, out of the objects in which they travel.
    func values(of group: String) throws(TodayError) -> JSONObject
    /// Nil removes the value.
    func set(_ value: JSON?, forKey key: String, in group: String) throws(TodayError)
}

extension JSONObject {
    /// The values of a reply of GetDefaults.
    var unboxedValues: JSONObject {
        var values: JSONObject = [:]
        for (key, box) in self["values"]?.objectValue ?? [:] { values[key] = box["value"] ?? box }
        return values
    }

    static func box(_ value: JSON?) -> JSON? { value.map { ["value": $0] } }
}

/// The daemon as it is for one widget: org.todayd.ExtensionContext on the descriptor that the process was started with.
package final class ContextService: TodayService {
    /// The daemon answers from memory, or when the change is on disk.
    private static let timeout = Duration.seconds(20)

    private let connection: Mutex<VarlinkConnection>

    package init(descriptor: Int32) throws(TodayError) {
        do {
            connection = Mutex(
                try VarlinkConnection(adopting: descriptor, name: "todayd's context", timeout: Self.timeout))
        } catch {
            throw TodayError(error)
        }
    }

    func call(_ method: String, _ parameters: JSONObject = [:]) throws(TodayError) -> JSONObject {
        let result = connection.withLock { connection -> Result<JSONObject, any Error> in
            Result { try connection.call("org.todayd.ExtensionContext.\(method)", parameters) }
        }
        switch result {
        case .success(let reply): return reply
        case .failure(let error): throw TodayError(error)
        }
    }

    package func setHasContent(_ flag: Bool, of widget: String) throws(TodayError) {
        _ = try call("SetHasContent", ["hasContent": .bool(flag)])
    }

    package func values(of group: String) throws(TodayError) -> JSONObject {
        try call("GetDefaults", ["group": .string(group)]).unboxedValues
    }

    package func set(_ value: JSON?, forKey key: String, in group: String) throws(TodayError) {
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        parameters["value"] = JSONObject.box(value)
        _ = try call("SetDefaults", parameters)
    }
}
