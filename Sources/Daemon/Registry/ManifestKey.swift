// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// A key of manifests: its section, and how its value changes the manifest that is being read.
///
/// An empty value resets the key to its default, and empties a list. docs/manifest.md describes each key.
struct ManifestKey: Sendable {
    /// The value of an assignment, and what it may depend on.
    struct Value {
        /// The key as the file spells it.
        let key: String
        let text: String
        /// The tag of a localized key, as in `DisplayName[de]=`.
        let locale: String?
        let reader: ManifestReader
        /// What `./` in ExecStart= means.
        let directory: () -> String

        /// The value, or nil if it is empty.
        func optional<T>(_ read: (String) throws(WrongValue) -> T) throws(WrongValue) -> T? {
            text.isEmpty ? nil : try read(text)
        }

        /// Sets a member of the manifest, or resets it if the value is empty.
        func set<T>(
            _ member: WritableKeyPath<Manifest, T>, in draft: inout ManifestDraft,
            _ read: (String) throws(WrongValue) -> T
        ) throws(WrongValue) {
            draft.manifest[keyPath: member] = text.isEmpty ? draft.defaults[keyPath: member] : try read(text)
        }
    }

    typealias Read = @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void

    let section: String
    let name: String
    let isLocalized: Bool
    /// Whether the author of the manifest chooses the name, as in `[Settings]`; `name` then stands for any.
    let isFree: Bool
    let read: Read

    init(
        _ section: String, _ name: String, isLocalized: Bool = false, isFree: Bool = false, _ read: @escaping Read
    ) {
        (self.section, self.name, self.isLocalized, self.isFree) = (section, name, isLocalized, isFree)
        self.read = read
    }

    /// A key that sets one member of the manifest.
    init<T>(
        _ section: String, _ name: String, _ member: any WritableKeyPath<Manifest, T> & Sendable,
        _ read: @escaping @Sendable (String) throws(WrongValue) -> T
    ) {
        self.init(section, name) { value, draft throws(WrongValue) in try value.set(member, in: &draft, read) }
    }

    static func of(_ assignment: UnitFile.Assignment) -> ManifestKey? {
        let key = byName[assignment.section]?[assignment.key] ?? free[assignment.section]
        return assignment.locale == nil || key?.isLocalized == true ? key : nil
    }

    /// The keys whose names are known.
    static let all: [ManifestKey] = widget + face + update + limits + sandbox + fleet
    /// The keys of sections in which the author chooses the names.
    static let free: [String: ManifestKey] = ["Settings": settings]
    /// The keys by what desktop entries, units of systemd and the configurations of bars call the same, in small letters.
    static let elsewhere: [String: ManifestKey] = {
        let names = [
            "DisplayName": ["title"], "Description": ["comment"], "ExecStart": ["exec", "command", "script"],
            "Interval": ["oncalendar", "onunitactivesec", "refresh", "every"],
            "Protocol": ["type", "return-type"], "WorkingDirectory": ["path"],
        ]
        let keys = all.flatMap { key in (names[key.name] ?? []).map { ($0, key) } }
        return Dictionary(uniqueKeysWithValues: keys)
    }()
    private static let byName = Dictionary(grouping: all, by: \.section).mapValues { keys in
        Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
    }

    /// The most URL schemes of a widget, and the most app groups, each of which adds a directory and a variable to every run.
    static let mostListed = 32
}

// MARK: - [Widget]

extension ManifestKey {
    private static let widget: [ManifestKey] = [
        localized("DisplayName", \.displayName), localized("Description", \.summary),
        .init("Widget", "Icon", \.icon) { text throws(WrongValue) in
            try Values.line(text, upTo: ContentLimits.iconBytes)
        },
        .init("Widget", "Example", \.example) { text throws(WrongValue) in try Values.line(text) },
        .init("Widget", "ExtensionPoint") { value, draft throws(WrongValue) in
            try extend(&draft.extensionPoints, value.text) { word throws(WrongValue) in
                try Values.choice(word, identifiedBy: \.name)
            }
        },
        .init("Widget", "LargestDisplayMode", \.largestDisplayMode, Values.word),
        .init("Widget", "AllowsEditing", \.allowsEditing, Values.boolean),
        .init("Widget", "AllowsCommands", \.allowsCommands, Values.boolean),
        .init("Widget", "ContainingApp", \.containingApp, Values.identifier),
        .init("Widget", "AppUser") { value, draft throws(WrongValue) in
            try value.set(\.appUser, in: &draft) { text throws(WrongValue) in try user(text, value.reader.uid) }
        },
        .init("Widget", "URLSchemes") { value, draft throws(WrongValue) in
            try extend(&draft.manifest.urlSchemes, value.text, Values.urlScheme)
        },
        .init("Widget", "AppGroups") { value, draft throws(WrongValue) in
            try extend(&draft.manifest.appGroups, value.text, Values.appGroup)
            try checkVariables(of: draft.manifest.appGroups)
        },
    ]

    private static let face = Face.Key.allCases.filter { $0 != .name && $0 != .icon }.map { key in
        ManifestKey("Widget", key.rawValue, \.face[key]) { text throws(WrongValue) in
            do throws(SettingMistake) { return try key.value(from: text).text } catch {
                throw WrongValue("\(Setting.quoted(text)) \(error.reason)")
            }
        }
    }

    private static func localized(
        _ name: String, _ member: any WritableKeyPath<ManifestDraft, ManifestDraft.Localized> & Sendable
    ) -> ManifestKey {
        ManifestKey("Widget", name, isLocalized: true) { value, draft throws(WrongValue) in
            let rank = value.reader.locale.rank(of: value.locale)
            draft[keyPath: member].replace(with: try Values.line(value.text), rank: rank)
        }
    }
}

// MARK: - [Update]

extension ManifestKey {
    private static let update: [ManifestKey] = [
        .init("Update", "ExecStart") { value, draft throws(WrongValue) in
            try value.set(\.update.command, in: &draft) { text throws(WrongValue) in
                try ProgramCommand.read(text, value.reader.specifiers, directory: value.directory)
            }
        },
        .init("Update", "Protocol", \.update.contentProtocol, Values.word),
        .init("Update", "Stream", \.update.isStream, Values.boolean),
        .init("Update", "Interval", \.update.interval) { text throws(WrongValue) in
            text == "once" ? nil : try Values.time(text, atLeast: UpdatePlan.shortestInterval)
        },
        .init("Update", "Timeout", \.update.timeout) { text throws(WrongValue) in
            try Values.time(text, atLeast: .milliseconds(1))
        },
        .init("Update", "UpdateOnAppear", \.update.updateOnAppear, Values.age),
        .init("Update", "WorkingDirectory") { value, draft throws(WrongValue) in
            try value.set(\.update.workingDirectory, in: &draft) { text throws(WrongValue) in
                try ProgramCommand.directory(text, value.reader.specifiers, manifest: value.directory)
            }
        },
        .init("Update", "Environment") { value, draft throws(WrongValue) in
            if value.text.isEmpty { draft.manifest.update.environment = [:] }
            for word in try QuotedWords.split(value.text, value.reader.specifiers) {
                let (name, value) = try variable(word)
                draft.manifest.update.environment[name] = value
            }
        },
    ]
}

// MARK: - [Limits], [Sandbox] and [Fleet]

extension ManifestKey {
    private static let limits: [ManifestKey] = [
        .init("Limits", "MemoryMax", \.limits.memory, Values.size),
        .init("Limits", "TasksMax", \.limits.tasks, Values.tasks),
        .init("Limits", "CPUQuota", \.limits.processor, Values.quota),
        .init("Limits", "OutputMax", \.limits.output, Values.outputSize),
    ]

    private static let sandbox: [ManifestKey] = [
        .init("Sandbox", "Level", \.sandbox.level, Values.word),
        .init("Sandbox", "Network", \.sandbox.network, Values.boolean),
        .init("Sandbox", "ReadPaths") { value, draft throws(WrongValue) in
            try open(&draft.manifest.sandbox.readable, value)
        },
        .init("Sandbox", "WritePaths") { value, draft throws(WrongValue) in
            try open(&draft.manifest.sandbox.writable, value)
        },
        .init("Sandbox", "Devices") { value, draft throws(WrongValue) in
            try open(&draft.manifest.sandbox.devices, value)
        },
        .init("Sandbox", "Bus", \.sandbox.bus, Values.boolean),
    ]

    private static let fleet: [ManifestKey] = [
        .init("Fleet", "Scope") { value, draft throws(WrongValue) in
            draft.fleetScope = try value.optional(Values.word)
        },
        .init("Fleet", "WhenAlone") { value, draft throws(WrongValue) in
            draft.whenAlone = try value.optional(Values.word)
        },
    ]

    /// Adds paths to a list. An empty value empties it.
    private static func open(_ doors: inout [Sandbox.Door], _ value: Value) throws(WrongValue) {
        if value.text.isEmpty { doors = [] }
        for word in try QuotedWords.split(value.text, value.reader.specifiers) {
            let isOptional = word.hasPrefix("-")
            let path = isOptional ? String(word.dropFirst()) : word
            guard path.hasPrefix("/"), path != "/", !path.split(separator: "/").contains("..") else {
                throw WrongValue("\(Setting.quoted(word)) is not an absolute path below / without .. (%h is the home)")
            }
            guard doors.count < mostListed else { throw WrongValue("more than \(mostListed) of them") }
            doors.append(Sandbox.Door(path, isOptional: isOptional))
        }
    }
}

// MARK: - [Settings]

extension ManifestKey {
    private static let settings = ManifestKey("Settings", "NAME", isFree: true) {
        value, draft throws(WrongValue) in
        try draft.declare(value.key, try QuotedWords.split(value.text, value.reader.specifiers))
    }
}

// MARK: - Values of several words

extension ManifestKey {
    /// Adds the words of an assignment to a list, each once. An empty value empties the list.
    private static func extend<T: Equatable>(
        _ list: inout [T], _ value: String, _ read: (String) throws(WrongValue) -> T
    ) throws(WrongValue) {
        if value.isEmpty { list = [] }
        for word in Values.words(value) {
            let item = try read(word)
            if list.contains(item) { continue }
            guard list.count < mostListed else { throw WrongValue("more than \(mostListed) of them") }
            list.append(item)
        }
    }

    /// Refuses two groups that would have the same variable for their directories.
    private static func checkVariables(of groups: [AppGroup]) throws(WrongValue) {
        var owners: [String: AppGroup] = [:]
        for group in groups {
            if let other = owners.updateValue(group, forKey: group.variableName) {
                throw WrongValue(
                    "\(other) and \(group) would have one variable, TODAY_GROUP_DIRECTORY_\(group.variableName)")
            }
        }
    }

    /// - Parameter uid: looks up a name.
    private static func user(_ text: String, _ uid: (String) -> UInt32?) throws(WrongValue) -> UInt32 {
        if let number = UInt32(text) {
            // (uid_t) -1 means "no change" to setuid(2) and similar calls.
            guard number != .max else { throw WrongValue("\(text) is not a uid") }
            return number
        }
        guard let number = uid(text) else {
            throw WrongValue("there is no user \"\(text)\" in /etc/passwd; write the uid of a user from elsewhere")
        }
        return number
    }

    private static func variable(_ word: String) throws(WrongValue) -> (String, String) {
        guard let (name, value) = word.assignment else { throw WrongValue("\"\(word)\" is not NAME=value") }
        guard SettingName.isVariable(name) else { throw WrongValue("\"\(name)\" is not the name of a variable") }
        guard !name.hasPrefix("TODAY_") else { throw WrongValue("\(name): names in TODAY_ are the daemon's") }
        return (name, value)
    }
}
