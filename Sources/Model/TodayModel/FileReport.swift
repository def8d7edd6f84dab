// SPDX-License-Identifier: MIT
import JSON

/// todayd's view of one file of an author: `today-author --check` prints it, and `today-author --once` prints it with a run.
/// today-author(8) describes the JSON.
package struct FileReport: Hashable, Sendable {
    package enum Kind: String, WireWord {
        /// `ID.widget`.
        case manifest
        /// A program without a manifest.
        case script
        /// todayd.conf, or one of its drop-ins.
        case settings
        /// None of these: todayd does not read it.
        case other
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

extension Printed: WireObject {
    package static var blank: Self { Printed([], keeping: 0) }

    package mutating func list(_ members: inout WireMembers) {
        members("beginning", &beginning)
        members("bytes", &bytes)
        members("cut", &isCut)
    }
}

extension FileReport: WireObject {
    package static var blank: Self { FileReport(file: "", kind: .other) }

    package mutating func list(_ members: inout WireMembers) {
        members("file", &file)
        members("kind", &kind)
        members.write("valid", .bool(isValid))
        members("masked", &isMasked)
        members("id", &widget)
        members("name", &name)
        members("command", &command)
        members("protocol", &contentProtocol)
        members("interval", &interval)
        members("timeout", &timeout)
        members("complaints", &complaints)
        members.read { field throws(JSONMismatch) in trial = try field.optional("item").map { _ in Trial(.blank) } }
        trial?.list(&members)
    }
}

extension FileReport.Trial {
    fileprivate mutating func list(_ members: inout WireMembers) {
        members("run", &run)
        members("reason", &reason)
        members("printed", &printed)
        members("notes", &notes)
        members("item", &item)
    }
}
