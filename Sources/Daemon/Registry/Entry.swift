// SPDX-License-Identifier: MIT
import TodayModel

extension Registry {
    /// A widget that was found, and whether it can run.
    package struct Entry: Hashable, Sendable {
        /// Indirect, because a table that reserves places for entries would reserve two manifests in each.
        package indirect enum Validity: Hashable, Sendable {
            case valid(Manifest)
            /// The reason is the first error, with file and line. The manifest is there if only its program is missing;
            /// `readPart` is what could be read of it, for people.
            case invalid(reason: String, Manifest? = nil, readPart: Manifest? = nil)
            case masked
        }

        package let id: WidgetID
        package var validity: Validity
        /// The path of its manifest, or of its plugin.
        package var path: String
        /// Errors and warnings about the manifest and its drop-ins.
        package var complaints: [Complaint] = []
        var dropInDirectories: [String] = []
        /// The drop-ins that were read after the manifest, or for the plugin.
        package var dropIns: [String] = []
        /// The version of its program's file when it was read.
        var programVersion: UInt64?
        /// Directories in which a missing program may be installed.
        var awaitedDirectories: [String] = []
        /// The files that its links lead to, and a program beside a linked manifest.
        var linkedFiles: [String] = []

        package init(id: WidgetID, validity: Validity, path: String) {
            self.id = id
            self.validity = validity
            self.path = path
        }

        /// The manifest, if it can be read.
        package var manifest: Manifest? {
            switch validity {
            case .valid(let manifest): manifest
            case .invalid(_, let manifest, _): manifest
            case .masked: nil
            }
        }

        /// The manifest as far as it can be read, valid or not, so that its author finds the widget in lists.
        package var described: Manifest? {
            if case .invalid(_, nil, let readPart) = validity { return readPart }
            return manifest
        }

        /// Whether a script takes the place of a manifest.
        package var isPlugin: Bool { !path.hasSuffix(Survey.suffix) }

        /// Its name for people: DisplayName=, or the identifier.
        package var displayName: String { described?.displayName ?? id.text }

        /// The path of the program that it needs to run.
        var program: String? { manifest?.update.command.first }

        /// Why the widget cannot run, in words; nil for a valid one.
        package var reason: String? {
            switch validity {
            case .valid: nil
            case .invalid(let reason, _, _): reason
            case .masked: "masked: \(path) is empty or a link to /dev/null"
            }
        }
    }

    /// A change of one widget.
    package enum Change: Hashable, Sendable {
        case added(Entry)
        case changed(Entry, from: Entry)
        case removed(Entry)

        package var id: WidgetID {
            switch self {
            case .added(let entry), .changed(let entry, _), .removed(let entry): entry.id
            }
        }
    }
}

extension Registry.Change {
    /// Nil if the widget was absent before and is absent now. It may have existed between two reads.
    init?(from old: Registry.Entry?, to new: Registry.Entry?) {
        switch (old, new) {
        case (let old?, let new?): self = .changed(new, from: old)
        case (let old?, nil): self = .removed(old)
        case (nil, let new?): self = .added(new)
        case (nil, nil): return nil
        }
    }

    var before: Registry.Entry? {
        switch self {
        case .added: nil
        case .changed(_, let old), .removed(let old): old
        }
    }

    /// False if a second read gave the same entry as before.
    var isReal: Bool {
        if case .changed(let new, let old) = self { return new != old }
        return true
    }
}
