// SPDX-License-Identifier: MIT

/// Something wrong in a file, and where.
package struct Complaint: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: Hashable, Sendable {
        /// Left out, and all else still counts: an unknown key.
        case warning
        /// What it is about cannot be used: a wrong value.
        case error
    }

    package var severity: Severity
    package var file: String
    package var line: Int?
    package var reason: String

    /// `file:line: reason`, as compilers write it and editors jump to.
    package var description: String {
        "\(file):\(line.map { "\($0):" } ?? "") \(reason)"
    }

    static func warning(_ file: String, _ line: Int? = nil, _ reason: String) -> Complaint {
        Complaint(severity: .warning, file: file, line: line, reason: reason)
    }

    static func error(_ file: String, _ line: Int? = nil, _ reason: String) -> Complaint {
        Complaint(severity: .error, file: file, line: line, reason: reason)
    }
}

/// Why a value cannot be what its key needs; whoever reads the file adds where it stands.
struct WrongValue: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
