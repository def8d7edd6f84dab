// SPDX-License-Identifier: MIT
import TodayModel

extension Registry {
    /// One widget that was found, and what is to be made of it.
    package struct Entry: Hashable, Sendable {
        package enum Standing: Hashable, Sendable {
            case valid(Manifest)
            /// Why, in words: the first error with file and line.
            case invalid(String)
            case masked
            /// A valid manifest that needs what this version cannot do, and what that is.
            case unsupported(Manifest, reason: String)
        }

        package let id: WidgetID
        package var standing: Standing
        /// The file that declares it.
        package var source: String
        /// What is wrong in it and its drop-ins, warnings included.
        package var complaints: [Complaint] = []
        /// What an invalid one declares, where only its program is wrong.
        var declared: Manifest?
        /// What an invalid one says for people, whatever is wrong.
        var texts = ManifestTexts()
        var dropInDirectories: [String] = []
        /// Where the program may come that is missing.
        var awaitedDirectories: [String] = []

        init(id: WidgetID, standing: Standing, source: String) {
            self.id = id
            self.standing = standing
            self.source = source
        }

        /// What it declares, if that can be read at all.
        package var manifest: Manifest? {
            switch standing {
            case .valid(let manifest), .unsupported(let manifest, _): manifest
            case .invalid: declared
            case .masked: nil
            }
        }

        /// Its name for people.
        package var displayName: String { manifest?.displayName ?? texts.displayName ?? id.text }

        /// What it shows, in one line.
        package var summary: String? { manifest?.summary ?? texts.summary }

        /// The program that has to be there for it to run.
        var program: String? {
            if case .unsupported = standing { return nil }
            return manifest?.update.command.first
        }

        /// Why it cannot run, in words; nil for a valid one.
        package var reason: String? {
            switch standing {
            case .valid: nil
            case .invalid(let reason), .unsupported(_, let reason): reason
            case .masked: "masked: \(source) is empty or a link to /dev/null"
            }
        }
    }

    /// What has become of one widget.
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
