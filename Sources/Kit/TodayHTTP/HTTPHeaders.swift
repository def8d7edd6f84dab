// SPDX-License-Identifier: MIT
import Spelling

/// The header fields of a request or a response, in their order. Names match in upper and lower case.
///
///     request.headers["Accept"] = "application/json"
///     response.headers["content-type"]
public struct HTTPHeaders: Sendable {
    /// One header field.
    public struct Field: Sendable {
        /// The name, in the case in which it was written.
        public let name: String
        /// The value, without spaces around it.
        public let value: String
    }

    /// All fields, in their order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The value of the first field of that name. Setting a value replaces all fields of that name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all fields of that name.
    public func values(of name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a field, even if there is one of that name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func keepOnly(_ names: [String]) {
        fields.removeAll { field in !names.contains { Self.isSame($0, field.name) } }
    }

    /// Compares names by their bytes, because names are ASCII. Comparing strings would first normalize the characters, which
    /// a hostile server may have made of any length.
    static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
    }

    static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes headers of a literal such as `["Accept": "application/json"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

// MARK: - What may be in a request

extension HTTPHeaders {
    /// libcurl derives these from the request. A second value could let two servers disagree on where the request ends,
    /// which is request smuggling: RFC 9112 section 11.2.
    private static let reserved = ["Host", "Content-Length", "Transfer-Encoding", "Connection", "TE", "Upgrade"]

    /// Why these cannot be the headers of a request; nil if they can.
    var problem: String? {
        for field in fields {
            let shown = "'\(ErrorText.printable(field.name.utf8, limit: 40))'"
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte) else {
                return "\(shown) is not a name of a header"
            }
            guard Self.isValue(field.value) else {
                return "the value of the header \(shown) contains a line break or another control character"
            }
            if Self.reserved.contains(where: { Self.isSame($0, field.name) }) {
                return "the header \(shown) cannot be given: it follows from the request"
            }
        }
        return nil
    }

    /// tchar of RFC 9110 section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Whether the text can be the value of a header. The tab is the only control character in one: RFC 9110 section 5.5.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
