// SPDX-License-Identifier: MIT
import JSON

/// One reply as it travels from service to client: a result, one of several results, or an error.
package struct VarlinkReply: Sendable, Equatable {
    package let parameters: JSONObject
    /// Another reply to the same call follows.
    package let continues: Bool
    /// The fully qualified name of the error; nil for a result.
    package let error: String?

    package init(_ parameters: JSONObject = [:], continues: Bool = false) {
        self.parameters = parameters
        self.continues = continues
        self.error = nil
    }

    package init(_ error: VarlinkError) {
        self.parameters = error.parameters
        self.continues = false
        self.error = error.name
    }

    /// The result, or the error thrown.
    package func result() throws(VarlinkError) -> JSONObject {
        if let error { throw VarlinkError(name: error, parameters: parameters) }
        return parameters
    }
}

extension VarlinkReply {
    /// Reads a message without its NUL. Unknown keys are ignored.
    ///
    /// - Parameter maxValues: how many values it may have; a limit for a service that is not trusted.
    package init(parsing message: [UInt8], maxValues: Int = .max) throws(VarlinkProtocolError) {
        let field = try JSONField(message: message, maxValues: maxValues)
        do throws(JSONMismatch) {
            parameters = try field.parameters()
            continues = try field.flag("continues")
            error = try field.optional("error")?.string()
            if continues && error != nil { throw field.fail("an error cannot continue") }
        } catch {
            throw .invalid(error)
        }
    }

    /// The message with its NUL. Parameters are always written, because some clients require them.
    package func encoded() -> [UInt8] {
        var message: JSONObject = [:]
        if let error { message["error"] = .string(error) }
        message["parameters"] = .object(parameters)
        if continues { message["continues"] = true }
        return message.encodedMessage()
    }

    /// The same message around serialised parameters, which are serialised once for all clients.
    ///
    /// - Parameter parametersBytes: a JSON object.
    package static func encode(parametersBytes: [UInt8], continues: Bool) -> [UInt8] {
        var message = JSONObjectBytes(capacity: parametersBytes.count + 40)
        message.add("parameters", bytes: parametersBytes)
        if continues { message.add("continues", true) }
        return message.end() + [0]
    }
}
