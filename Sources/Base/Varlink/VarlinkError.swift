// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// An error that a service answers with: a declared name and its parameters.
package struct VarlinkError: Error, Equatable, CustomStringConvertible {
    /// The fully qualified name, such as `org.varlink.service.MethodNotFound`.
    package let name: String
    package let parameters: JSONObject

    package init(name: String, parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    package var description: String {
        switch standardName {
        case "InterfaceNotFound": "no such interface\(detail("interface"))"
        case "MethodNotFound": "no such method\(detail("method"))"
        case "MethodNotImplemented": "the method is not implemented\(detail("method"))"
        case "InvalidParameter": "invalid parameter\(detail("parameter"))"
        case "PermissionDenied": "permission denied"
        case "ExpectedMore": "the method answers more than once, so it must be called with \"more\""
        default: parameters.isEmpty ? name : "\(name) \(parameters)"
        }
    }

    /// The name within `org.varlink.service`; nil for errors of other interfaces.
    private var standardName: Substring? {
        let prefix = "\(serviceInterfaceName)."
        return name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : nil
    }

    private func detail(_ key: String) -> String { parameters[key]?.stringValue.map { ": \($0)" } ?? "" }
}

/// The errors of `org.varlink.service`, which any method may return. An unknown name may be as long as a message, so
/// its beginning is enough.
extension VarlinkError {
    private static let longestName = 256

    package static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(
            name: named("InterfaceNotFound"), parameters: ["interface": .string(interface.shortened(to: longestName))])
    }

    /// - Parameter method: the fully qualified name, as systemd has it.
    package static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(name: named("MethodNotFound"), parameters: ["method": .string(method.shortened(to: longestName))])
    }

    package static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(
            name: named("MethodNotImplemented"), parameters: ["method": .string(method.shortened(to: longestName))])
    }

    package static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(name: named("InvalidParameter"), parameters: ["parameter": .string(parameter)])
    }

    package static let permissionDenied = VarlinkError(name: named("PermissionDenied"))
    package static let expectedMore = VarlinkError(name: named("ExpectedMore"))

    private static func named(_ member: String) -> String { "\(serviceInterfaceName).\(member)" }
}
