// SPDX-License-Identifier: MIT
import JSON

/// Compares values with the declarations of the interface.
extension InterfaceDescription {
    /// A structure of the interface that parameters can be compared with.
    package enum Part: Sendable {
        case input(of: String)
        case output(of: String)
        case error(String)
        case type(String)
    }

    /// The first mistake in the parameters, or nil: a field that is missing and not nullable, of the wrong type, or not
    /// declared.
    ///
    /// - Parameter part: names a member, without the interface; an unknown member is a mismatch as well.
    package func check(_ parameters: JSONObject, against part: Part) -> JSONMismatch? {
        let root = JSONField(root: .object(parameters))
        do throws(JSONMismatch) {
            switch part {
            case .type(let name): try check(root, named: name)
            case .input(let name): try check(root, fields: method(named: name)?.input, of: name)
            case .output(let name): try check(root, fields: method(named: name)?.output, of: name)
            case .error(let name): try check(root, fields: error(named: name)?.fields, of: name)
            }
            return nil
        } catch {
            return error
        }
    }

    private func check(_ root: JSONField, fields: [VarlinkType.Field]?, of name: String) throws(JSONMismatch) {
        guard let fields else { throw root.fail("\(self.name) declares no \(name)") }
        try check(root, fields: fields)
    }

    private func check(_ value: JSONField, fields: [VarlinkType.Field]) throws(JSONMismatch) {
        for field in fields {
            if case .nullable(let type) = field.type {
                if let member = try value.optional(field.name) { try check(member, type) }
            } else {
                try check(try value.required(field.name), field.type)
            }
        }
        try value.noOtherKeys(than: fields.map(\.name))
    }

    private func check(_ value: JSONField, named name: String) throws(JSONMismatch) {
        guard let type = type(named: name)?.type else { throw value.fail("\(self.name) declares no \(name)") }
        try check(value, type)
    }

    private func check(_ value: JSONField, _ type: VarlinkType) throws(JSONMismatch) {
        switch type {
        case .bool: _ = try value.bool()
        case .int: _ = try value.int()
        case .float: _ = try value.double()
        case .string: _ = try value.string()
        case .object: _ = try value.object()
        case .any: break
        case .named(let name): try check(value, named: name)
        case .structure(let fields): try check(value, fields: fields)
        case .enumeration(let words):
            let word = try value.string()
            if !words.contains(word) { throw value.fail(JSONField.notOneOf(words, word)) }
        case .array(let element):
            for item in try value.array() { try check(item, element) }
        case .map(let element):
            for member in try value.members() { try check(member.field, element) }
        case .nullable(let type):
            if value.value != .null { try check(value, type) }
        }
    }
}
