// SPDX-License-Identifier: MIT
import SQLite

/// A value of a row or of a question mark in SQL: one of SQLite's five storage classes. Literals are values, too.
public enum DatabaseValue: Hashable, Sendable {
    /// NULL.
    case null
    /// INTEGER.
    case int(Int)
    /// REAL.
    case double(Double)
    /// TEXT.
    case string(String)
    /// BLOB.
    case data([UInt8])

    /// The whole number, else 0.
    public var int: Int { if case .int(let number) = self { number } else { 0 } }
    /// The number, else 0.
    public var double: Double { if case .double(let number) = self { number } else { Double(int) } }
    /// The text, else an empty one.
    public var string: String { if case .string(let text) = self { text } else { "" } }
    /// The bytes, else none.
    public var data: [UInt8] { if case .data(let bytes) = self { bytes } else { [] } }

    init(_ value: SQLiteValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .int(Int(number))
        case .real(let number): self = .double(number)
        case .text(let text): self = .string(text)
        case .blob(let bytes): self = .data(bytes)
        }
    }

    var value: SQLiteValue {
        switch self {
        case .null: .null
        case .int(let number): .integer(Int64(number))
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .data(let bytes): .blob(bytes)
        }
    }
}

extension DatabaseValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// Makes NULL.
    public init(nilLiteral: ()) { self = .null }
    /// Makes an INTEGER.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// Makes a REAL.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Makes a TEXT.
    public init(stringLiteral value: String) { self = .string(value) }
}

/// Why a database cannot be read or changed, in words that say what to do.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, with the path of the file.
    public let description: String
    /// Whether another program had the database locked until the time was over. Trying again may help.
    public let isBusy: Bool

    init(_ path: String, _ reason: String) { (description, isBusy) = ("\(path) cannot be used: \(reason)", false) }

    init(_ error: SQLiteError, _ path: String) {
        isBusy = error.isBusy
        description =
            if error.isCorrupt {
                """
                \(path) is damaged (\(error.message)). Nothing was changed. To save what can be read: sqlite3 \(path) .recover; \
                to begin anew, move it away
                """
            } else if error.isBusy {
                "\(path) has been in use by another program all the time; try again when that has ended"
            } else if error.isFull || error.isReadOnly {
                "\(path) cannot be written: \(error.message). Make room, or see who may write there"
            } else {
                "\(path) cannot be used: \(error)"
            }
    }
}
