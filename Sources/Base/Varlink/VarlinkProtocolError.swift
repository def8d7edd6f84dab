// SPDX-License-Identifier: MIT
import JSON

/// A message that is no call or no reply: the receiver closes the connection.
package enum VarlinkProtocolError: Error, Equatable, CustomStringConvertible {
    case tooLong(FramingError)
    case malformed(JSONSyntaxError)
    case invalid(JSONMismatch)

    package var description: String {
        switch self {
        case .tooLong(let error): error.description
        case .malformed(let error): "not JSON: \(error)"
        case .invalid(let mismatch): "not a Varlink message: \(mismatch)"
        }
    }
}

extension JSONField {
    /// The root of a message.
    init(message: [UInt8], maxValues: Int = .max) throws(VarlinkProtocolError) {
        do throws(JSONSyntaxError) {
            self.init(root: try JSON.parse(message, maxValues: maxValues))
        } catch {
            throw .malformed(error)
        }
    }

    /// Absent, null and empty parameters are the same (sd-varlink(3)).
    func parameters() throws(JSONMismatch) -> JSONObject {
        try optional("parameters")?.object() ?? [:]
    }

    func flag(_ key: String) throws(JSONMismatch) -> Bool {
        try optional(key)?.bool() ?? false
    }
}
