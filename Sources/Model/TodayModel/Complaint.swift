// SPDX-License-Identifier: MIT
import JSON

/// A mistake in a file, and its place.
package struct Complaint: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, WireWord {
        /// The line is ignored and everything else counts, for example for an unknown key.
        case warning
        /// The widget, or the setting, cannot be used, for example because of a wrong value.
        case error
    }

    package var severity: Severity
    package var file: String
    package var line: Int?
    /// In characters, from 1; nil if the whole line or the whole file is meant.
    package var column: Int?
    package var reason: String

    /// `file:line: reason`, the form of compiler messages, which editors can open.
    package var description: String {
        "\(PlainText.line(file)):\(line.map { "\($0):" } ?? "") \(reason)"
    }

    /// `file:line:column: error: reason`, as compilers print it.
    package var diagnostic: String {
        let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
        return "\(PlainText.line(file))\(place): \(severity.rawValue): \(reason)"
    }

    /// The description without the directories, for hosts with little room.
    package var shortDescription: String {
        "\(PlainText.line(String(file.split(separator: "/").last ?? "/"))):\(line.map { "\($0):" } ?? "") \(reason)"
    }

    package static func warning(_ file: String, _ line: Int? = nil, _ reason: String, column: Int? = nil) -> Complaint {
        Complaint(
            severity: .warning, file: file, line: line, column: column,
            reason: PlainText.line(reason, upTo: longestReason))
    }

    package static func error(_ file: String, _ line: Int? = nil, _ reason: String, column: Int? = nil) -> Complaint {
        Complaint(
            severity: .error, file: file, line: line, column: column,
            reason: PlainText.line(reason, upTo: longestReason))
    }

    /// A reason quotes the wrong value, which may be as long as a file.
    private static let longestReason = 300

    /// The most complaints about one widget: the daemon sends all of them to hosts.
    package static let most = 20

    /// The first complaints, errors before warnings, so that the first one says why a manifest is not valid.
    package static func bounded(_ complaints: [Complaint], in source: String, most: Int = Complaint.most) -> [Complaint]
    {
        let sorted = complaints.filter { $0.severity == .error } + complaints.filter { $0.severity == .warning }
        guard complaints.count > most else { return sorted }
        return sorted.prefix(most) + [.warning(source, nil, "and \(complaints.count - most) more complaints")]
    }
}

extension Complaint: WireObject {
    package static var blank: Complaint { .error("", nil, "") }

    package mutating func list(_ members: inout WireMembers) {
        members("severity", &severity)
        members("file", &file)
        members("line", &line)
        members("column", &column)
        members("reason", &reason)
    }
}
