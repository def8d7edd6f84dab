// SPDX-License-Identifier: MIT
import JSON
import Synchronization
import TodayModel
import Varlink

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
