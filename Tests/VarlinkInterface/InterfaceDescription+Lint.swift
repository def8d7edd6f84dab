// SPDX-License-Identifier: MIT
import JSON

/// Finds syntax that the language has and other implementations cannot read.
extension InterfaceDescription {
    /// The obstacles for clients that read this interface, one sentence each; empty if all clients can read it. Python's
    /// `varlink` needs an interface name that begins with a label of letters, and enumerations of at least two words. It
    /// and old versions of systemd lack `any`. systemd reads no arrays of arrays.
    package var lint: [String] {
        var problems: [String] = []
        if let label = name.split(separator: ".").first,
            !label.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
        {
            problems.append("the first label of \(name) has other signs than letters")
        }
        if text.utf8.contains(UInt8(ascii: "\r")) { problems.append("the text has carriage returns") }
        if text.utf8.last != UInt8(ascii: "\n") { problems.append("the text does not end with a line feed") }
        for declaration in types {
            problems += Self.problems(of: declaration.type, at: "type \(declaration.name)")
        }
        for method in methods {
            problems += Self.problems(of: .structure(method.input), at: "method \(method.name)")
            problems += Self.problems(of: .structure(method.output), at: "method \(method.name)")
        }
        for error in errors {
            if error.isBare { problems.append("error \(error.name) has no parentheses") }
            problems += Self.problems(of: .structure(error.fields), at: "error \(error.name)")
        }
        return problems
    }

    /// The members without a comment.
    package var undocumented: [String] {
        types.filter(\.documentation.isEmpty).map { "type \($0.name)" }
            + methods.filter(\.documentation.isEmpty).map { "method \($0.name)" }
            + errors.filter(\.documentation.isEmpty).map { "error \($0.name)" }
    }

    private static func problems(of type: VarlinkType, at place: String) -> [String] {
        switch type {
        case .bool, .int, .float, .string, .object, .named: []
        case .any: ["\(place): the type any"]
        case .structure(let fields): fields.flatMap { problems(of: $0.type, at: "\(place), \($0.name)") }
        case .enumeration(let words): words.count < 2 ? ["\(place): an enumeration of one word"] : []
        case .array(.array(let element)), .array(.nullable(.array(let element))):
            ["\(place): an array of arrays"] + problems(of: element, at: place)
        case .array(let element), .map(let element), .nullable(let element): problems(of: element, at: place)
        }
    }
}
