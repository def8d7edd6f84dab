// SPDX-License-Identifier: MIT

/// One value to bind to a statement's parameter: the five storage classes of SQLite.
package enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package init(_ value: Int64?) { self = value.map(SQLiteValue.integer) ?? .null }
    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Double?) { self = value.map(SQLiteValue.real) ?? .null }
    package init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
    package init(_ value: [UInt8]?) { self = value.map(SQLiteValue.blob) ?? .null }
    /// SQLite has no truth values: 1 and 0, as its own `TRUE` and `FALSE`.
    package init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self.init(value) }
}
