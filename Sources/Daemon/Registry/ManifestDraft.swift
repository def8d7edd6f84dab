// SPDX-License-Identifier: MIT
import TodayModel

/// What a manifest says for people, also one that cannot be used: its author has to find it again.
struct ManifestTexts: Hashable, Sendable {
    var displayName: String?
    var summary: String?
}

/// A manifest while its files are being read: what has been said so far.
struct ManifestDraft {
    /// A text of which the best fitting localization counts, and of equal ones the last.
    struct Localized {
        private(set) var text: String?
        private var rank = Int.max

        mutating func take(_ text: String, rank: Int?) {
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

    /// What is missing as a whole.
    var flaw: String? {
        command.isEmpty && contentProtocol.hasProgram ? "ExecStart= is missing: there is no program to run" : nil
    }

    /// What is said of a program that will never run.
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
