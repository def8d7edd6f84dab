// SPDX-License-Identifier: MIT
import JSON

/// What todayd says about an import: `today-author --import` prints it. today-author(8) describes the JSON.
package struct ImportReport: Equatable, Sendable {
    /// A file that becomes a widget.
    package struct File: Equatable, Sendable {
        package enum Kind: String, WireWord {
            case manifest, plugin
            /// The values of a plugin's variables.
            case values
            /// The drop-in that defines a program's sandbox.
            case sandbox
        }

        package enum Outcome: String, WireWord {
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
    package struct Remark: Equatable, Sendable, CustomStringConvertible {
        package enum Kind: String, WireWord {
            /// Nothing is lost, but the user should know.
            case note
            /// A part of the configuration for which manifests have no key.
            case loss
            /// It cannot be read or understood.
            case error
        }

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
    package var complaints: [Complaint] = []
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

extension ImportReport.File: WireObject {
    package static var blank: Self { Self(.manifest, .new, "", from: "") }

    package mutating func list(_ members: inout WireMembers) {
        members("kind", &kind)
        members("outcome", &outcome)
        members("path", &path)
        members("source", &source)
        members("module", &module)
        members("reason", &reason)
        members("text", &text)
        let words = SandboxWish.allCases.compactMap { wish in wishes[wish].map { (wish.rawValue, JSON.string($0)) } }
        members.write("wishes", words.isEmpty ? nil : .object(JSONObject(words)))
        members.read { field throws(JSONMismatch) in
            guard let told = try field.optional("wishes") else { return }
            for wish in SandboxWish.allCases { wishes[wish] = try told.optional(wish.rawValue)?.string() }
        }
    }
}

extension ImportReport.Remark: WireObject {
    package static var blank: Self { Self(.note, "", line: nil, "") }

    package mutating func list(_ members: inout WireMembers) {
        members("kind", &kind)
        members("file", &file)
        members("line", &line)
        members("text", &text)
    }
}

extension ImportReport.Replacement: WireObject {
    package static var blank: Self { Self("", from: "", .null) }

    package mutating func list(_ members: inout WireMembers) {
        members("module", &module)
        members("source", &source)
        members("value", &value)
    }
}

extension ImportReport.Failure: WireObject {
    package static var blank: Self { Self("", isNotPermitted: false) }

    package mutating func list(_ members: inout WireMembers) {
        members("reason", &reason)
        members("notPermitted", &isNotPermitted)
    }
}

extension ImportReport: WireObject {
    package static var blank: Self { ImportReport(host: "", directory: "", isDryRun: false) }

    package mutating func list(_ members: inout WireMembers) {
        members("host", &host)
        members("source", &source)
        if source == nil { members(ifAny: "places", &places) }
        members("directory", &directory)
        members("dryRun", &isDryRun)
        members("files", &files)
        members(unlessEmpty: "sandboxes", &sandboxes)
        members("sandboxTrouble", &sandboxTrouble)
        members("remarks", &remarks)
        members("complaints", &complaints)
        members("replacements", &replacements)
        members("failure", &failure)
    }
}
