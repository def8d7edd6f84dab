// SPDX-License-Identifier: MIT
import JSON
import Spelling

extension InterfaceDescription {
    /// Reads the text of an interface, which may come from any service.
    package init(parsing text: String) throws(InterfaceSyntaxError) {
        var parser = InterfaceParser(text)
        self = try parser.interface(text)
    }
}

/// Reads an interface description: first the members, and then checks that each named type is declared.
private struct InterfaceParser {
    /// Bounds the stack, because types nest.
    private static let maxDepth = 64
    private static let plainTypes: [String: VarlinkType] = [
        "bool": .bool, "int": .int, "float": .float, "string": .string, "object": .object, "any": .any,
    ]

    private var scanner: InterfaceScanner
    private var types: [InterfaceDescription.TypeDeclaration] = []
    private var methods: [InterfaceDescription.Method] = []
    private var errors: [InterfaceDescription.ErrorDeclaration] = []
    /// Types, methods and errors share one namespace.
    private var memberNames: Set<String> = []
    private var references: [(name: String, offset: Int)] = []

    init(_ text: String) { scanner = InterfaceScanner(text) }

    mutating func interface(_ text: String) throws(InterfaceSyntaxError) -> InterfaceDescription {
        let documentation = scanner.documentation
        try keyword(["interface"])
        let start = scanner.position
        let name = try scanner.word("the interface's name", isDotted: true)
        guard Self.isInterfaceName(name) else {
            throw scanner.failure(
                "\(JSONField.quoted(name)) is not an interface name such as org.example.ping", at: start)
        }
        while !scanner.isAtEnd { try member() }
        for reference in references where !types.contains(where: { $0.name == reference.name }) {
            throw unknownType(reference.name, types.map(\.name), at: reference.offset)
        }
        return InterfaceDescription(
            text: text, name: name, documentation: documentation, types: types, methods: methods, errors: errors)
    }

    private mutating func member() throws(InterfaceSyntaxError) {
        let documentation = scanner.documentation
        let keyword = try keyword(["type", "method", "error"])
        let name = try memberName("the \(keyword)'s name")
        switch keyword {
        case "type":
            types.append(.init(name: name, documentation: documentation, type: try structureOrEnumeration(depth: 0)))
        case "method":
            let input = try structure()
            try scanner.expect("->")
            methods.append(
                .init(name: name, documentation: documentation, input: input, output: try structure()))
        default:
            // Some services leave out empty parentheses.
            let isBare = !scanner.peek("(")
            let fields = isBare ? [] : try structure()
            errors.append(.init(name: name, documentation: documentation, fields: fields, isBare: isBare))
        }
    }

    @discardableResult
    private mutating func keyword(_ keywords: [String]) throws(InterfaceSyntaxError) -> String {
        let expected = keywords.map { "'\($0)'" }.joined(separator: " or ")
        let before = scanner
        let word = try scanner.word(expected)
        guard keywords.contains(word) else { throw before.unexpected(expected) }
        return word
    }

    private mutating func memberName(_ what: String) throws(InterfaceSyntaxError) -> String {
        let start = scanner.position
        let name = try scanner.word(what)
        guard Self.isMemberName(name) else {
            throw scanner.failure("\(what) must begin with a capital and have only letters and digits", at: start)
        }
        guard memberNames.insert(name).inserted else { throw scanner.failure("\(name) is declared twice", at: start) }
        return name
    }
}

// MARK: - Types

extension InterfaceParser {
    private mutating func type(depth: Int, isNullable: Bool = false) throws(InterfaceSyntaxError) -> VarlinkType {
        guard depth <= Self.maxDepth else { throw scanner.failure("types nested more than \(Self.maxDepth) deep") }
        if scanner.peek("?"), isNullable { throw scanner.failure("'??' says no more than '?'") }
        if scanner.take("?") { return .nullable(try type(depth: depth + 1, isNullable: true)) }
        if scanner.take("[]") { return .array(try type(depth: depth + 1)) }
        if scanner.take("[string]") { return .map(try type(depth: depth + 1)) }
        if scanner.peek("(") { return try structureOrEnumeration(depth: depth) }

        let start = scanner.position
        let name = try scanner.word("a type")
        if let plain = Self.plainTypes[name] { return plain }
        if Self.isMemberName(name) {
            references.append((name, start))
            return .named(name)
        }
        throw unknownType(name, Self.plainTypes.keys.sorted(), at: start)
    }

    private func unknownType(_ name: String, _ known: [String], at offset: Int) -> InterfaceSyntaxError {
        let nearest = nearestName(to: name, among: known).map { ", did you mean \($0)?" } ?? ""
        return scanner.failure("unknown type \(JSONField.quoted(name))\(nearest)", at: offset)
    }

    private mutating func structure() throws(InterfaceSyntaxError) -> [VarlinkType.Field] {
        let before = scanner
        guard case .structure(let fields) = try structureOrEnumeration(depth: 0) else {
            throw before.failure("expected fields with types, found an enumeration")
        }
        return fields
    }

    /// A structure or an enumeration, which differ only after the first name. Empty parentheses are a structure.
    private mutating func structureOrEnumeration(depth: Int) throws(InterfaceSyntaxError) -> VarlinkType {
        guard depth <= Self.maxDepth else { throw scanner.failure("types nested more than \(Self.maxDepth) deep") }
        try scanner.expect("(")
        if scanner.take(")") { return .structure([]) }

        var names: [String] = []
        var fields: [VarlinkType.Field] = []
        repeat {
            let documentation = scanner.documentation
            let start = scanner.position
            let name = try scanner.word("a field's name")
            guard Self.isFieldName(name) else {
                throw scanner.failure("\(JSONField.quoted(name)) is not a name for a field", at: start)
            }
            guard !names.contains(name) else { throw scanner.failure("\(name) is declared twice", at: start) }
            let isField = scanner.peek(":")
            if isField ? names.count > fields.count : !fields.isEmpty {
                throw scanner.unexpected(isField ? "',' or ')'" : "':'")
            }
            names.append(name)
            if isField {
                try scanner.expect(":")
                fields.append(.init(name: name, documentation: documentation, type: try type(depth: depth + 1)))
            }
        } while scanner.take(",")
        guard scanner.take(")") else { throw scanner.unexpected("',' or ')'") }
        return fields.isEmpty ? .enumeration(names) : .structure(fields)
    }
}

// MARK: - Names

extension InterfaceParser {
    /// Two labels or more, the first beginning with a letter, none beginning or ending with a hyphen.
    static func isInterfaceName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2 && isLetter(labels[0].first)
            && labels.allSatisfy { label in
                isAlphanumeric(label.first) && isAlphanumeric(label.last)
                    && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }

    static func isMemberName(_ name: String) -> Bool {
        name.utf8.first.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") } ?? false
            && name.utf8.allSatisfy(isAlphanumeric)
    }

    /// A letter, then letters and digits, each after one underscore at most.
    static func isFieldName(_ name: String) -> Bool {
        isLetter(name.utf8.first)
            && name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.allSatisfy(isAlphanumeric)
            }
    }

    private static func isLetter(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    private static func isAlphanumeric(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return isLetter(byte) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
