// SPDX-License-Identifier: MIT
import JSON

/// One method call as it travels from client to service.
package struct VarlinkCall: Sendable, Equatable {
    /// The fully qualified name, such as `org.varlink.service.GetInfo`.
    package var method: String
    package var parameters: JSONObject
    /// The client wants no reply, not even an error.
    package var oneway: Bool
    /// The client accepts several replies.
    package var more: Bool
    /// The client wants the connection for another protocol after the reply.
    package var upgrade: Bool

    package init(
        _ method: String, _ parameters: JSONObject = [:], oneway: Bool = false, more: Bool = false,
        upgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.oneway = oneway
        self.more = more
        self.upgrade = upgrade
    }

    /// What comes before the last dot of the method's name; empty when it has none.
    package var interfaceName: String {
        lastDot.map { String(method[..<$0]) } ?? ""
    }

    /// What comes after the last dot of the method's name.
    package var memberName: String {
        lastDot.map { String(method[method.utf8.index(after: $0)...]) } ?? method
    }

    /// By bytes: a search backwards by characters takes quadratic time for some texts.
    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }
}

extension VarlinkCall {
    /// How many values a call may have. Any process may call, and 100,000 values are read in milliseconds.
    package static let mostValues = 100_000

    /// Reads a message, which is without its NUL.
    package init(parsing message: [UInt8]) throws(VarlinkProtocolError) {
        let field = try JSONField(message: message, maxValues: Self.mostValues)
        do throws(JSONMismatch) {
            self.init(
                try field.required("method").string(), try field.parameters(), oneway: try field.flag("oneway"),
                more: try field.flag("more"), upgrade: try field.flag("upgrade"))
            try field.noOtherKeys(than: ["method", "parameters", "oneway", "more", "upgrade"])
            if oneway && more { throw field.fail("oneway and more exclude each other") }
        } catch {
            throw .invalid(error)
        }
    }

    /// The message with its NUL. Parameters are left out when there are none, and flags when they are false.
    package func encoded() -> [UInt8] {
        var message = JSONObjectBytes(capacity: 256)
        message.add("method", .string(method))
        if !parameters.isEmpty { message.add("parameters", .object(parameters)) }
        if oneway { message.add("oneway", true) }
        if more { message.add("more", true) }
        if upgrade { message.add("upgrade", true) }
        return message.end(0)
    }
}

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
        var message = JSONObjectBytes(capacity: 256)
        if let error { message.add("error", .string(error)) }
        message.add("parameters", .object(parameters))
        if continues { message.add("continues", true) }
        return message.end(0)
    }

    /// The same message around serialised parameters, which are serialised once for all clients.
    ///
    /// - Parameter parametersBytes: a JSON object.
    package static func encode(parametersBytes: [UInt8], continues: Bool) -> [UInt8] {
        var message = JSONObjectBytes(capacity: parametersBytes.count + 40)
        message.add("parameters", bytes: parametersBytes)
        if continues { message.add("continues", true) }
        return message.end(0)
    }
}
