// SPDX-License-Identifier: MIT
import Platform
import TodayModel

/// A manifest while its files are being read.
struct ManifestDraft {
    /// A text with translations: the one that fits best counts, and among equals the last.
    struct Localized {
        private(set) var text: String?
        private var rank = Int.max

        /// Replaces the text if the new one fits at least as well; a rank of nil does not fit at all.
        mutating func replace(with text: String, rank: Int?) {
            guard let rank, rank <= self.rank else { return }
            self.text = text.isEmpty ? nil : text
            self.rank = text.isEmpty ? .max : rank
        }
    }

    /// Where the value of a key is.
    struct Place: Hashable {
        let file: String
        let line: Int
        /// The column of the value; nil on a continued line.
        let column: Int?

        /// Nil for an empty value.
        init?(of assignment: UnitFile.Assignment, in file: UnitFile) {
            guard !assignment.value.isEmpty else { return nil }
            (self.file, line, column) = (file.path, assignment.line, assignment.valueColumn)
        }
    }

    /// The values that count if no file sets them, or if an empty value resets them.
    let defaults: Manifest
    /// The values that depend on one key only.
    var manifest: Manifest
    var displayName = Localized()
    var summary = Localized()
    var extensionPoints: [ExtensionPoint] = []
    var settings: [SettingDeclaration] = []
    var fleetScope: FleetPlan.Scope?
    var whenAlone: FleetPlan.Alone?
    /// Of everything in the files, except [Fleet].
    var hash = StableHash()
    /// The place of each key, unless its value is empty.
    var places: [String: Place] = [:]
    /// The place of each setting.
    var settingPlaces: [String: Place] = [:]

    /// The draft of a manifest's files.
    init(id: WidgetID, settings: Settings) {
        let plan = UpdatePlan(command: [], contentProtocol: .text, timeout: settings.defaultTimeout)
        var manifest = Manifest(id: id, displayName: id.text, update: plan)
        manifest.limits.memory = settings.defaultMemoryMax
        manifest.limits.output = settings.defaultOutputMax
        manifest.sandbox.level = settings.defaultSandbox
        self.init(changing: manifest)
    }

    /// The draft of drop-ins alone.
    init(changing manifest: Manifest) {
        defaults = manifest
        self.manifest = manifest
        settings = manifest.settings.map { SettingDeclaration($0) }
    }

    /// The complaint about a missing key.
    var missingKey: String? {
        manifest.update.command.isEmpty && manifest.update.contentProtocol.hasProgram
            ? "ExecStart= is missing: there is no program to run" : nil
    }

    /// Why the program of this protocol cannot be a stream, with the place of Stream=.
    var streamConflict: (reason: String, place: Place)? {
        guard manifest.update.isStream, let place = places["Stream"] ?? places["Protocol"] else { return nil }
        switch manifest.update.contentProtocol {
        case .push: return ("there is no program with Protocol=push", place)
        case .varlink: return ("a program with Protocol=varlink stays anyway; remove Stream=", place)
        default: return nil
        }
    }

    /// Why the widget cannot belong to a fleet, with the place of Scope=.
    var fleetConflict: (reason: String, place: Place)? {
        guard fleetScope != nil, let place = places["Scope"] else { return nil }
        return manifest.update.isStream ? ("a program with Stream=yes is run by each machine itself", place) : nil
    }

    /// The keys without an effect: because the protocol runs no program, or because a stream decides by itself.
    var idleKeys: [(key: String, reason: String, place: Place)] {
        var idle: [(key: String, reason: String, place: Place)] = []
        func add(_ keys: [String], _ reason: String) {
            for key in keys { if let place = places[key] { idle.append((key, reason, place)) } }
        }
        if manifest.sandbox.level == .none, places["Level"] != nil {
            add(["ReadPaths", "WritePaths", "Devices", "Bus"], "with Level=none")
        }
        if fleetScope == nil { add(["WhenAlone"], "without Scope=") }
        let appear = manifest.update.updateOnAppear == nil ? [] : ["UpdateOnAppear"]
        if manifest.update.contentProtocol.hasProgram {
            if manifest.update.isStream { add(appear, "with Stream=yes") }
            return idle
        }
        add(["ExecStart"] + appear, "with Protocol=push")
        if let name = settings.first?.setting.name, let place = settingPlaces[name] {
            idle.append((name, "with Protocol=push", place))
        }
        return idle
    }

    /// The manifest that the files describe.
    var finished: Manifest {
        var manifest = manifest
        manifest.displayName = displayName.text ?? defaults.displayName
        manifest.summary = summary.text ?? defaults.summary
        if !extensionPoints.isEmpty { manifest.extensionPoints = extensionPoints }
        manifest.settings = settings.map(\.setting)
        if !manifest.update.contentProtocol.hasProgram {
            manifest.settings = []
            manifest.update.command = []
        }
        if let fleetScope {
            var fleet = FleetPlan(fleetScope)
            (fleet.alone, fleet.hash) = (whenAlone ?? fleet.alone, hash.value)
            manifest.update.fleet = fleet
        }
        if !manifest.update.contentProtocol.hasProgram || manifest.update.isStream {
            manifest.update.updateOnAppear = nil
        }
        return manifest
    }
}

/// The user's language, and how well a localized key fits it, by the rules of the Desktop Entry Specification, "Localized
/// values for keys".
package struct MessageLocale: Hashable, Sendable {
    /// The tags that fit, the best first, for example de_CH@formal, de_CH, de@formal, de.
    let tags: [String]

    /// - Parameter name: `lang_COUNTRY.ENCODING@MODIFIER`, as in LC_MESSAGES. No tag fits the C locale.
    package init(_ name: String) {
        let (body, modifier) = Self.cut(name, at: "@")
        let (region, _) = Self.cut(body, at: ".")
        let (language, country) = Self.cut(region, at: "_")
        guard !language.isEmpty, language != "C", language != "POSIX" else {
            tags = []
            return
        }
        var tags: [String] = []
        if let country {
            if let modifier { tags.append("\(language)_\(country)@\(modifier)") }
            tags.append("\(language)_\(country)")
        }
        if let modifier { tags.append("\(language)@\(modifier)") }
        self.tags = tags + [language]
    }

    /// Takes the first of LC_ALL, LC_MESSAGES and LANG that is not empty (locale(7)).
    package init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(name ?? "C")
    }

    /// 0 is the best, nil does not fit. A value without a tag fits less than each tag that fits.
    func rank(of tag: String?) -> Int? {
        guard let tag else { return tags.count }
        return tags.firstIndex(of: tag)
    }

    private static func cut(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }
}
