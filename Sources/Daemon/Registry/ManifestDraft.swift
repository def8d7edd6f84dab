// SPDX-License-Identifier: MIT
import TodayModel

/// The texts of a manifest for people. A manifest that is not valid has them too, so that its author finds it in lists.
struct ManifestTexts: Hashable, Sendable {
    var displayName: String?
    var summary: String?
}

/// The values of a manifest while its files are being read.
struct ManifestDraft {
    /// A text with localizations: the one that fits best counts, and of equals the last.
    struct Localized {
        private(set) var text: String?
        private var rank = Int.max

        /// Replaces the text if the new one fits at least as well; nil fits not at all.
        mutating func replace(with text: String, rank: Int?) {
            guard let rank, rank <= self.rank else { return }
            self.text = text.isEmpty ? nil : text
            self.rank = text.isEmpty ? .max : rank
        }
    }

    let id: WidgetID
    let settings: Settings

    var displayName = Localized()
    var summary = Localized()
    var icon: String?
    var extensionPoints: [ExtensionPoint] = []
    var largestDisplayMode = DisplayMode.compact
    var allowsEditing = false
    var containingApp: String?
    var appUser: UInt32?
    var urlSchemes: [String] = []
    var appGroups: [AppGroup] = []

    var command: [String] = []
    var commandPlace: (file: String, line: Int)?
    var contentProtocol = ContentProtocol.text
    var interval: TimeSpan?
    var timeout: TimeSpan?
    var updateOnAppear: TimeSpan?
    var updateOnAppearPlace: (file: String, line: Int)?
    var environment: [String: String] = [:]

    var memory: ByteSize?
    var output: ByteSize
    var network = true

    init(id: WidgetID, settings: Settings) {
        self.id = id
        self.settings = settings
        memory = settings.defaultMemoryMax
        output = settings.defaultOutputMax
    }

    var texts: ManifestTexts { ManifestTexts(displayName: displayName.text, summary: summary.text) }

    /// The complaint about a missing key.
    var missingKey: String? {
        command.isEmpty && contentProtocol.hasProgram ? "ExecStart= is missing: there is no program to run" : nil
    }

    /// The keys about a program that have no effect, because the protocol runs none.
    var idleKeys: [(key: String, place: (file: String, line: Int))] {
        if contentProtocol.hasProgram { return [] }
        let places = [("ExecStart", commandPlace), ("UpdateOnAppear", updateOnAppearPlace)]
        return places.compactMap { key, place in place.map { (key, $0) } }
    }

    var manifest: Manifest {
        var plan = UpdatePlan(
            command: contentProtocol.hasProgram ? command : [], contentProtocol: contentProtocol,
            interval: interval ?? UpdatePlan.defaultInterval, timeout: timeout ?? settings.defaultTimeout)
        plan.updateOnAppear = contentProtocol.hasProgram ? updateOnAppear : nil
        plan.environment = environment
        var manifest = Manifest(id: id, displayName: displayName.text ?? id.text, update: plan)
        manifest.summary = summary.text
        manifest.icon = icon
        manifest.extensionPoints = extensionPoints.isEmpty ? [.today] : extensionPoints
        manifest.largestDisplayMode = largestDisplayMode
        manifest.allowsEditing = allowsEditing
        manifest.containingApp = containingApp
        manifest.appUser = appUser
        manifest.urlSchemes = urlSchemes
        manifest.appGroups = appGroups
        manifest.limits.memory = memory
        manifest.limits.output = output
        manifest.limits.network = network
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
