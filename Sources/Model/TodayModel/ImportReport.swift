// SPDX-License-Identifier: MIT
import JSON

/// What todayd says about an import: `today-author --import` prints it. today-author(8) describes the JSON.
package struct ImportReport: Equatable, Sendable {
    /// A file that becomes a widget.
    package struct File: Equatable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case manifest, plugin
            /// The values of a plugin's variables.
            case values
            /// The drop-in that defines a program's sandbox.
            case sandbox
        }

        package enum Outcome: String, CaseIterable, Sendable {
            /// Written or, with --dry-run, to be written.
            case new
            /// There is a file that says the same.
            case unchanged
            /// There is something else, which stays as it is.
            case kept
            case failed
        }

        package var kind: Kind
        package var outcome: Outcome
        /// The path of the widget's file.
        package var path: String
        /// Where it comes from: `~/.config/waybar/config:3`, or the path of the plugin.
        package var source: String
        /// Its name in the configuration: `custom/weather`.
        package var module: String?
        /// Why it is not written.
        package var reason: String?
        /// Its text, with --dry-run.
        package var text: String?
        /// What its program seems to want beyond a strict sandbox, and the word that suggests it.
        package var wishes: [SandboxWish: String] = [:]

        package init(_ kind: Kind, _ outcome: Outcome, _ path: String, from source: String) {
            self.kind = kind
            self.outcome = outcome
            self.path = path
            self.source = source
        }
    }

    /// Something that the import does not carry over, or carries over only in part.
    package struct Remark: Equatable, Sendable {
        package enum Kind: String, CaseIterable, Sendable { case note, loss, error }

        package var kind: Kind
        package var file: String
        package var line: Int?
        package var text: String

        package init(_ kind: Kind, _ file: String, line: Int?, _ text: String) {
            self.kind = kind
            self.file = file
            self.line = line
            self.text = text
        }

        /// `file:line: text`, the form of compilers, which editors can open.
        package var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(text)" }
    }

    /// A module for the configuration of the other host, which shows a widget there.
    package struct Replacement: Equatable, Sendable {
        package var module: String
        /// The place of the module that it replaces.
        package var source: String
        package var value: JSON

        package init(_ module: String, from source: String, _ value: JSON) {
            self.module = module
            self.source = source
            self.value = value
        }
    }

    /// Why nothing more could be written.
    package struct Failure: Equatable, Sendable {
        package var reason: String
        package var isNotPermitted: Bool

        package init(_ reason: String, isNotPermitted: Bool) {
            self.reason = reason
            self.isNotPermitted = isNotPermitted
        }
    }

    /// The name of the other host for people.
    package var host: String
    /// What was read; nil if there was nothing.
    package var source: String?
    /// Where it was looked for, if the user named no place.
    package var places: [String] = []
    /// The directory of the widgets' files.
    package var directory: String
    package var isDryRun: Bool
    package var files: [File] = []
    /// The drop-ins of those files that were written.
    package var sandboxes: [File] = []
    /// Why there can be no sandbox here.
    package var sandboxTrouble: String?
    package var remarks: [Remark] = []
    /// Complaints about the written manifests.
    package var complaints: [FileReport.Complaint] = []
    package var replacements: [Replacement] = []
    package var failure: Failure?

    package init(host: String, directory: String, isDryRun: Bool) {
        self.host = host
        self.directory = directory
        self.isDryRun = isDryRun
    }

    /// Whether everything that can be imported is there, or would be.
    package var isComplete: Bool { failure == nil && !files.isEmpty && !files.contains { $0.outcome == .failed } }

    package var hasNewFiles: Bool { files.contains { $0.outcome == .new } }
}

// MARK: - JSON

extension ImportReport.File {
    package var json: JSON {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "outcome": .string(outcome.rawValue), "path": .string(path),
            "source": .string(source),
        ]
        object["module"] = module.map(JSON.string)
        object["reason"] = reason.map(JSON.string)
        object["text"] = text.map(JSON.string)
        if !wishes.isEmpty {
            let words = SandboxWish.allCases.compactMap { wish in wishes[wish].map { (wish.rawValue, JSON.string($0)) }
            }
            object["wishes"] = .object(JSONObject(words))
        }
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            try field.required("kind").choice(Kind.self), try field.required("outcome").choice(Outcome.self),
            try field.required("path").string(), from: try field.required("source").string())
        module = try field.optional("module")?.string()
        reason = try field.optional("reason")?.string()
        text = try field.optional("text")?.string()
        guard let told = try field.optional("wishes") else { return }
        for wish in SandboxWish.allCases { wishes[wish] = try told.optional(wish.rawValue)?.string() }
    }
}

extension ImportReport.Remark {
    package var json: JSON {
        var object: JSONObject = ["kind": .string(kind.rawValue), "file": .string(file)]
        object["line"] = line.map { .int(Int64($0)) }
        object["text"] = .string(text)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            try field.required("kind").choice(Kind.self), try field.required("file").string(),
            line: try field.optional("line")?.int(), try field.required("text").string())
    }
}

extension ImportReport.Replacement {
    package var json: JSON { ["module": .string(module), "source": .string(source), "value": value] }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            try field.required("module").string(), from: try field.required("source").string(),
            try field.required("value").value)
    }
}

extension ImportReport {
    package var json: JSON {
        var object: JSONObject = ["host": .string(host)]
        object["source"] = source.map(JSON.string)
        if source == nil { object["places"] = JSON(places) }
        object["directory"] = .string(directory)
        object["dryRun"] = .bool(isDryRun)
        object["files"] = .array(files.map(\.json))
        if !sandboxes.isEmpty { object["sandboxes"] = .array(sandboxes.map(\.json)) }
        object["sandboxTrouble"] = sandboxTrouble.map(JSON.string)
        object["remarks"] = .array(remarks.map(\.json))
        object["complaints"] = .array(complaints.map(\.json))
        object["replacements"] = .array(replacements.map(\.json))
        object["failure"] = failure.map {
            ["reason": .string($0.reason), "notPermitted": .bool($0.isNotPermitted)]
        }
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            host: try field.required("host").string(), directory: try field.required("directory").string(),
            isDryRun: try field.required("dryRun").bool())
        source = try field.optional("source")?.string()
        places = try field.optional("places")?.strings() ?? []
        for file in try field.required("files").array() { files.append(try File(file)) }
        for file in try field.optional("sandboxes")?.array() ?? [] { sandboxes.append(try File(file)) }
        sandboxTrouble = try field.optional("sandboxTrouble")?.string()
        for remark in try field.required("remarks").array() { remarks.append(try Remark(remark)) }
        for complaint in try field.required("complaints").array() {
            complaints.append(try FileReport.Complaint(complaint))
        }
        for value in try field.required("replacements").array() { replacements.append(try Replacement(value)) }
        guard let reason = try field.optional("failure") else { return }
        failure = Failure(
            try reason.required("reason").string(), isNotPermitted: try reason.required("notPermitted").bool())
    }
}
