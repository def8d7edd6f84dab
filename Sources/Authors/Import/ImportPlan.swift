// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What an import would write, and what it cannot carry over.
package struct ImportPlan: Equatable, Sendable {
    package var manifests: [ImportedManifest] = []
    package var plugins: [ImportedPlugin] = []
    /// What to put into the host's own configuration, so that it shows the widgets.
    package var replacements: [ImportReport.Replacement] = []
    /// In the order of the files, for people.
    package var remarks: [ImportReport.Remark] = []
    /// All programs, including those that need no manifest.
    var programs: [Program] = []
    /// The files that were read, as manifests name them.
    var read: Set<String> = []

    /// Whether there is something that could not be understood.
    package var hasErrors: Bool { remarks.contains { $0.kind == .error } }

    struct Program: Equatable, Sendable {
        /// What its name becomes in an identifier.
        let label: String
        let id: WidgetID
    }

    /// Reads a configuration and all that it includes, or a directory of plugins. The same files always give the same plan.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - client: the program that shows widgets in other hosts, with the options that choose its daemon.
    package static func plan(
        for source: ImportSource, path: String, files: ImportFiles, earlier: EarlierManifests = EarlierManifests(),
        client: String = "todayctl"
    ) -> ImportPlan {
        let plan = plan(path, ImportNotes(source: source, files: files, client: client))
        guard let choices = earlier.choices(for: plan) else { return plan }
        return self.plan(path, ImportNotes(source: source, files: files, choices, client: client))
    }

    private static func plan(_ path: String, _ empty: ImportNotes) -> ImportPlan {
        var notes = empty
        switch notes.source {
        case .waybar: WaybarImport.read(path, &notes)
        case .i3blocks: I3BlocksImport.read(path, &notes)
        case .polybar: PolybarImport.read(path, &notes)
        case .i3statusRust: I3StatusRustImport.read(path, &notes)
        case .i3, .sway: StatusCommandImport.read(path, &notes)
        case .xbar, .swiftbar, .argos, .plugins: PluginImport.read(path, &notes)
        }
        return notes.plan
    }
}

/// A manifest to be written.
package struct ImportedManifest: Equatable, Sendable {
    package let id: WidgetID
    /// What it was in the configuration: `custom/weather`.
    package let module: String
    /// Where that is.
    package let file: String
    package let line: Int
    package let text: String
    package var wishes = SandboxWishes()

    package var fileName: String { "\(id).widget" }

    /// How its first line begins.
    static func origin(_ file: String) -> String { "# Imported from \(ImportedProgram.line(file))" }

    /// Whether an existing file says the same. Comments do not count: the first one names the line of the module, which changes
    /// when lines are added above it.
    package func isEqual(to existing: [UInt8]) -> Bool { Self.statements(of: existing) == statements }

    var statements: [ArraySlice<UInt8>] { Self.statements(of: Array(text.utf8)) }

    /// The line with the program, which identifies a manifest that the user has changed.
    static func program(in statements: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
        statements.first { $0.starts(with: Array("ExecStart=".utf8)) }
    }

    static func statements(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
    }
}

/// A file that goes into a directory `plugins` unchanged, as a link or a copy.
package struct ImportedPlugin: Equatable, Sendable {
    /// The file's name in both directories.
    package let fileName: String
    package let path: String
    /// Whether the file has the values of a plugin's variables: `NAME.vars.json`.
    package let isSidecar: Bool
    package let isExecutable: Bool
    package var wishes = SandboxWishes()
}

/// The limits of what an import reads and writes.
package enum ImportLimits {
    package static let fileBytes = 1 << 20
    /// Of all files together that one configuration includes.
    static let allBytes = 8 << 20
    static let files = 64
    static let manifests = 500
    static let remarks = 1_000
    /// The longest chain of includes or references in one configuration.
    static let depth = 20
    /// A manifest has at most 64 KiB.
    package static let manifestBytes = 60 << 10
}
