// SPDX-License-Identifier: MIT
import Varlink

/// A Varlink interface: its text, and what the text declares.
///
/// `init(parsing:)` reads the whole language (varlink.org/Interface-Definition); `lint` lists what some clients cannot
/// read of it.
package struct InterfaceDescription: Sendable {
    /// The text as it was given, which is what `GetInterfaceDescription` returns.
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

    /// A method with what it takes and what it answers.
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
        /// Declared without even empty parentheses, which not every client can read.
        let isBare: Bool
    }
}

/// A type as an interface spells it.
package indirect enum VarlinkType: Sendable, Equatable {
    case bool, int, float, string
    /// Any JSON object.
    case object
    /// Any JSON value, which systemd has since 260 and others have not.
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

/// Why a text is no interface description, and where.
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

    /// Reads a text that is part of a program: that it is wrong is a bug.
    package init(constant text: String) {
        do throws(InterfaceSyntaxError) {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("interface description: \(error)")
        }
    }
}
