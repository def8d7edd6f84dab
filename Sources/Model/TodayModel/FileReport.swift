// SPDX-License-Identifier: MIT
import JSON

/// todayd's view of one file of an author: `today-author --check` prints it, and `today-author --once` prints it with a run.
/// today-author(8) describes the JSON.
package struct FileReport: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// `ID.widget`.
        case manifest
        /// A program without a manifest.
        case script
        /// todayd.conf, or one of its drop-ins.
        case settings
        /// None of these: todayd does not read it.
        case other
    }

    package struct Complaint: Hashable, Sendable {
        package enum Severity: String, CaseIterable, Sendable { case warning, error }

        package var severity: Severity
        package var file: String
        package var line: Int?
        package var column: Int?
        package var reason: String

        package init(_ severity: Severity, _ file: String, line: Int? = nil, column: Int? = nil, _ reason: String) {
            self.severity = severity
            self.file = file
            self.line = line
            self.column = column
            self.reason = reason
        }

        /// `file:line:column: error: reason`, the form of compilers, which editors can open.
        package var description: String {
            let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
            return "\(file)\(place): \(severity.rawValue): \(reason)"
        }
    }

    /// What `today-author --once` adds.
    package struct Trial: Hashable, Sendable {
        /// Nil if nothing was run, and then `reason` says why.
        package var run: RunRecord?
        package var reason: String?
        /// What the program printed; nil if nothing was run or the program does not print its content.
        package var printed: Printed?
        /// What was not understood of it.
        package var notes: [String] = []
        /// The widget as a host would get it.
        package var item: Item

        package init(_ item: Item) { self.item = item }
    }

    package var file: String
    package var kind: Kind
    package var complaints: [Complaint] = []
    package var widget: WidgetID?
    package var name: String?
    /// An empty manifest or a link to /dev/null.
    package var isMasked = false
    package var command: [String] = []
    package var contentProtocol: String?
    package var interval: TimeSpan?
    package var timeout: TimeSpan?
    package var trial: Trial?

    package init(file: String, kind: Kind) {
        self.file = file
        self.kind = kind
    }

    package var isValid: Bool { kind != .other && !complaints.contains { $0.severity == .error } }
}

/// What a program printed to standard output.
package struct Printed: Hashable, Sendable {
    /// The beginning, as text without terminal sequences and control characters.
    package var beginning: String
    /// The length of everything that was read.
    package var bytes: Int
    package var isCut: Bool

    package init(_ output: [UInt8], keeping most: Int) {
        beginning = PlainText.harmless(String(decoding: output.prefix(most), as: UTF8.self))
        bytes = output.count
        isCut = output.count > most
    }
}

// MARK: - JSON

extension Printed {
    package var json: JSON {
        ["beginning": .string(beginning), "bytes": .int(Int64(bytes)), "cut": .bool(isCut)]
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        beginning = try field.required("beginning").string()
        bytes = try field.required("bytes").int()
        isCut = try field.required("cut").bool()
    }
}

extension FileReport.Complaint {
    package var json: JSON {
        var object: JSONObject = ["severity": .string(severity.rawValue), "file": .string(file)]
        object["line"] = line.map { .int(Int64($0)) }
        object["column"] = column.map { .int(Int64($0)) }
        object["reason"] = .string(reason)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            try field.required("severity").choice(Severity.self), try field.required("file").string(),
            line: try field.optional("line")?.int(), column: try field.optional("column")?.int(),
            try field.required("reason").string())
    }
}

extension FileReport {
    package var json: JSON {
        var object: JSONObject = [
            "file": .string(file), "kind": .string(kind.rawValue), "valid": .bool(isValid), "masked": .bool(isMasked),
        ]
        object["id"] = widget.map { .string($0.text) }
        object["name"] = name.map(JSON.string)
        object["command"] = .array(command.map(JSON.string))
        object["protocol"] = contentProtocol.map(JSON.string)
        object["interval"] = interval.map { .int($0.microseconds) }
        object["timeout"] = timeout.map { .int($0.microseconds) }
        object["complaints"] = .array(complaints.map(\.json))
        guard let trial else { return .object(object) }
        object["run"] = trial.run?.json
        object["reason"] = trial.reason.map(JSON.string)
        object["printed"] = trial.printed?.json
        object["notes"] = .array(trial.notes.map(JSON.string))
        object["item"] = trial.item.json
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(file: try field.required("file").string(), kind: try field.required("kind").choice(Kind.self))
        isMasked = try field.required("masked").bool()
        widget = try field.optional("id")?.widget()
        name = try field.optional("name")?.string()
        command = try field.required("command").strings()
        contentProtocol = try field.optional("protocol")?.string()
        interval = try field.optional("interval")?.span()
        timeout = try field.optional("timeout")?.span()
        for complaint in try field.required("complaints").array() { complaints.append(try Complaint(complaint)) }
        guard let item = try field.optional("item") else { return }
        var trial = Trial(try Item(item))
        trial.run = try field.optional("run").map { field throws(JSONMismatch) in try RunRecord(field) }
        trial.reason = try field.optional("reason")?.string()
        trial.printed = try field.optional("printed").map { field throws(JSONMismatch) in try Printed(field) }
        trial.notes = try field.optional("notes")?.strings() ?? []
        self.trial = trial
    }
}
