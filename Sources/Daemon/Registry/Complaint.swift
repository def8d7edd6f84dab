// SPDX-License-Identifier: MIT
import TodayModel

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
        "\(PlainText.line(file)):\(line.map { "\($0):" } ?? "") \(reason)"
    }

    /// The same without the directories: where there is little room, what is wrong must not disappear behind a path.
    var shortDescription: String {
        "\(PlainText.line(String(file.split(separator: "/").last ?? "/"))):\(line.map { "\($0):" } ?? "") \(reason)"
    }

    static func warning(_ file: String, _ line: Int? = nil, _ reason: String) -> Complaint {
        Complaint(severity: .warning, file: file, line: line, reason: PlainText.line(reason, upTo: longestReason))
    }

    static func error(_ file: String, _ line: Int? = nil, _ reason: String) -> Complaint {
        Complaint(severity: .error, file: file, line: line, reason: PlainText.line(reason, upTo: longestReason))
    }

    /// A reason quotes what is wrong, and that may be a whole file.
    private static let longestReason = 300

    /// More about one widget is no help, and hosts are sent all of it.
    private static let most = 20

    /// The first complaints, errors before warnings: the first one says why a manifest is not valid.
    static func bounded(_ complaints: [Complaint], in source: String) -> [Complaint] {
        let sorted = complaints.filter { $0.severity == .error } + complaints.filter { $0.severity == .warning }
        guard complaints.count > most else { return sorted }
        return sorted.prefix(most) + [.warning(source, nil, "and \(complaints.count - most) more complaints")]
    }
}

/// Why a value cannot be what its key needs; the reader of the file adds where it stands.
struct WrongValue: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
