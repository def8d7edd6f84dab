// SPDX-License-Identifier: MIT
import Varlink

/// A Varlink interface: its text, and the declarations in it.
///
/// `init(parsing:)` reads the whole language (varlink.org/Interface-Definition); `lint` lists syntax that some clients
/// cannot read.
package struct InterfaceDescription: Sendable {
    /// The unchanged text, which `GetInterfaceDescription` returns.
    package let text: String
    package let name: String
    /// The comment before `interface`.
    package let documentation: String
    package let types: [TypeDeclaration]
    package let methods: [Method]
    package let errors: [ErrorDeclaration]

    package func type(named name: String) -> TypeDeclaration? { types.first { $0.name == name } }
    package func method(named name: String) -> Method? { methods.first { $0.name == name } }
    package func error(named name: String) -> ErrorDeclaration? { errors.first { $0.name == name } }

    /// A type with a name: always a structure or an enumeration.
    package struct TypeDeclaration: Sendable, Equatable {
        package let name: String
        package let documentation: String
        package let type: VarlinkType
    }

    /// A method with its parameters and its reply.
    package struct Method: Sendable, Equatable {
        package let name: String
        package let documentation: String
        package let input: [VarlinkType.Field]
        package let output: [VarlinkType.Field]
    }

    /// An error with its parameters.
    package struct ErrorDeclaration: Sendable, Equatable {
        package let name: String
        package let documentation: String
        package let fields: [VarlinkType.Field]
        /// Declared without parentheses, which some clients cannot read.
        let isBare: Bool
    }
}

/// A type in the syntax of interfaces.
package indirect enum VarlinkType: Sendable, Equatable {
    case bool, int, float, string
    /// Any JSON object.
    case object
    /// Any JSON value: only systemd 260 and later has it.
    case any
    case named(String)
    case structure([Field])
    case enumeration([String])
    case array(VarlinkType)
    case map(VarlinkType)
    case nullable(VarlinkType)

    /// A member of a structure.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let documentation: String
        package let type: VarlinkType
    }
}

/// The reason why a text is not an interface description, and its place.
package struct InterfaceSyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    /// Counted in Unicode scalars from 1.
    package let column: Int
    package let reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
}

extension InterfaceDescription {
    /// `org.varlink.service`.
    package static let service = InterfaceDescription(constant: serviceInterface)

    /// Reads a text that is part of a program. A mistake in it is a bug.
    package init(constant text: String) {
        do throws(InterfaceSyntaxError) {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("interface description: \(error)")
        }
    }
}
