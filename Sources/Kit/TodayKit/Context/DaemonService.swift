// SPDX-License-Identifier: MIT
import JSON
import Synchronization
import TodayModel
import Varlink

/// What both a widget and its containing app ask of todayd, each over an interface of its own.
protocol DaemonCalls: Sendable {
    func call(_ method: String, _ parameters: JSONObject) throws(TodayError) -> JSONObject
    func setHasContent(_ flag: Bool, of widget: String) throws(TodayError)
}

extension DaemonCalls {
    /// The values of a group, taken out of the objects in which they travel.
    func values(of group: String) throws(TodayError) -> JSONObject {
        try call("GetDefaults", ["group": .string(group)]).unboxedValues
    }

    /// Sets a value, or removes it with nil.
    func set(_ value: JSON?, forKey key: String, in group: String) throws(TodayError) {
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        parameters["value"] = JSONObject.box(value)
        _ = try call("SetDefaults", parameters)
    }
}

/// todayd for every client: org.todayd.Today on its socket. Each call makes a connection, because an app may run for weeks
/// while todayd is restarted.
struct DaemonService: DaemonCalls {
    private static let timeout = Duration.seconds(20)

    /// The first of these on which a process answers is todayd's.
    let sockets: [String]

    func connect() throws(TodayError) -> VarlinkConnection {
        var failure: VarlinkConnectionError?
        for socket in sockets {
            do {
                return try VarlinkConnection(path: socket, timeout: Self.timeout)
            } catch {
                // The failure of a socket that exists says more than that another one is missing.
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

    func setHasContent(_ flag: Bool, of widget: String) throws(TodayError) {
        _ = try call("SetHasContent", ["id": .string(widget), "hasContent": .bool(flag)])
    }

    /// The directory that contains the directories of widgets and groups.
    func stateDirectory() throws(TodayError) -> String {
        let status = try call("Status")
        guard let directory = status["daemon"]?["stateDirectory"]?.stringValue else {
            throw .unavailable("todayd does not say where it keeps its state")
        }
        return directory
    }
}

/// todayd for one widget: org.todayd.ExtensionContext on the descriptor with which todayd started the process.
final class ContextService: DaemonCalls {
    /// todayd answers from memory, or when a change is on disk.
    private static let timeout = Duration.seconds(20)

    private let connection: Mutex<VarlinkConnection>

    init(descriptor: Int32) throws(TodayError) {
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

    /// - Parameter widget: the widget of this process; the interface has no other.
    func setHasContent(_ flag: Bool, of widget: String) throws(TodayError) {
        _ = try call("SetHasContent", ["hasContent": .bool(flag)])
    }
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
