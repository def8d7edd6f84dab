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
    }

    let section: String
    let name: String
    var isLocalized = false
    /// Whether the author of the manifest chooses the name, as in `[Settings]`; `name` then stands for any.
    var isFree = false
    let read: @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void

    static func of(_ assignment: UnitFile.Assignment) -> ManifestKey? {
        let key = byName[assignment.section]?[assignment.key] ?? free[assignment.section]
        return assignment.locale == nil || key?.isLocalized == true ? key : nil
    }

    /// The keys whose names are known.
    static let all: [ManifestKey] = widget + face + update + limits + sandbox + fleet
    /// The keys of sections in which the author chooses the names.
    static let free: [String: ManifestKey] = ["Settings": settings]
    private static let byName = Dictionary(grouping: all, by: \.section).mapValues { keys in
        Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
    }

    /// The most URL schemes of a widget, and the most app groups, each of which adds a directory and a variable to every run.
    static let mostListed = 32
}

// MARK: - [Widget]

extension ManifestKey {
    private static let widget: [ManifestKey] = [
        inWidget("DisplayName", isLocalized: true) { value, draft throws(WrongValue) in
            let rank = value.reader.locale.rank(of: value.locale)
            draft.displayName.replace(with: try Values.line(value.text), rank: rank)
        },
        inWidget("Description", isLocalized: true) { value, draft throws(WrongValue) in
            let rank = value.reader.locale.rank(of: value.locale)
            draft.summary.replace(with: try Values.line(value.text), rank: rank)
        },
        inWidget("Icon") { value, draft throws(WrongValue) in
            draft.manifest.icon = try value.optional { text throws(WrongValue) in
                try Values.line(text, upTo: ContentLimits.iconBytes)
            }
        },
        inWidget("Example") { value, draft throws(WrongValue) in
            draft.manifest.example = try value.optional { text throws(WrongValue) in try Values.line(text) }
        },
        inWidget("ExtensionPoint") { value, draft throws(WrongValue) in
            try extend(&draft.extensionPoints, value.text) { word throws(WrongValue) in
                try Values.choice(word, of: ExtensionPoint.self, identifiedBy: \.name)
            }
        },
        inWidget("LargestDisplayMode") { value, draft throws(WrongValue) in
            let mode = try value.optional { text throws(WrongValue) in
                try Values.choice(text, of: DisplayMode.self, identifiedBy: \.rawValue)
            }
            draft.manifest.largestDisplayMode = mode ?? draft.defaults.largestDisplayMode
        },
        inWidget("AllowsEditing") { value, draft throws(WrongValue) in
            draft.manifest.allowsEditing = try value.optional(Values.boolean) ?? draft.defaults.allowsEditing
        },
        inWidget("AllowsCommands") { value, draft throws(WrongValue) in
            draft.manifest.allowsCommands = try value.optional(Values.boolean) ?? draft.defaults.allowsCommands
        },
        inWidget("ContainingApp") { value, draft throws(WrongValue) in
            draft.manifest.containingApp = try value.optional(Values.identifier)
        },
        inWidget("AppUser") { value, draft throws(WrongValue) in
            draft.manifest.appUser = try value.optional { text throws(WrongValue) in try user(text, value.reader.uid) }
        },
        inWidget("URLSchemes") { value, draft throws(WrongValue) in
            try extend(&draft.manifest.urlSchemes, value.text, Values.urlScheme)
        },
        inWidget("AppGroups") { value, draft throws(WrongValue) in
            try extend(&draft.manifest.appGroups, value.text, Values.appGroup)
            try checkVariables(of: draft.manifest.appGroups)
        },
    ]

    private static let face = Face.Key.allCases.filter { $0 != .name && $0 != .icon }.map { key in
        inWidget(key.rawValue) { value, draft throws(WrongValue) in
            draft.manifest.face[key] =
                try value.optional { text throws(WrongValue) in
                    do throws(SettingMistake) { return try key.value(from: text).text } catch {
                        throw WrongValue("\(Setting.quoted(text)) \(error.reason)")
                    }
                } ?? draft.defaults.face[key]
        }
    }

    private static func inWidget(
        _ name: String, isLocalized: Bool = false,
        _ read: @escaping @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void
    ) -> ManifestKey {
        ManifestKey(section: "Widget", name: name, isLocalized: isLocalized, read: read)
    }
}

// MARK: - [Update]

extension ManifestKey {
    private static let update: [ManifestKey] = [
        inUpdate("ExecStart") { value, draft throws(WrongValue) in
            let command = try ProgramCommand.read(value.text, value.reader.specifiers, directory: value.directory)
            draft.manifest.update.command = command.isEmpty ? draft.defaults.update.command : command
        },
        inUpdate("Protocol") { value, draft throws(WrongValue) in
            let chosen = try value.optional { text throws(WrongValue) in
                try Values.choice(text, of: ContentProtocol.self, identifiedBy: \.rawValue)
            }
            draft.manifest.update.contentProtocol = chosen ?? draft.defaults.update.contentProtocol
        },
        inUpdate("Stream") { value, draft throws(WrongValue) in
            draft.manifest.update.isStream = try value.optional(Values.boolean) ?? draft.defaults.update.isStream
        },
        inUpdate("Interval") { value, draft throws(WrongValue) in
            if value.text == "once" {
                draft.manifest.update.interval = nil
                return
            }
            let interval = try value.optional { text throws(WrongValue) in
                try Values.time(text, atLeast: UpdatePlan.shortestInterval)
            }
            draft.manifest.update.interval = interval ?? draft.defaults.update.interval
        },
        inUpdate("Timeout") { value, draft throws(WrongValue) in
            let timeout = try value.optional { text throws(WrongValue) in
                try Values.time(text, atLeast: .milliseconds(1))
            }
            draft.manifest.update.timeout = timeout ?? draft.defaults.update.timeout
        },
        inUpdate("UpdateOnAppear") { value, draft throws(WrongValue) in
            let age = try value.optional(Values.age)
            draft.manifest.update.updateOnAppear = age ?? draft.defaults.update.updateOnAppear
        },
        inUpdate("WorkingDirectory") { value, draft throws(WrongValue) in
            let directory = try value.optional { text throws(WrongValue) in
                try ProgramCommand.directory(text, value.reader.specifiers, manifest: value.directory)
            }
            draft.manifest.update.workingDirectory = directory ?? draft.defaults.update.workingDirectory
        },
        inUpdate("Environment") { value, draft throws(WrongValue) in
            if value.text.isEmpty { draft.manifest.update.environment = [:] }
            for word in try QuotedWords.split(value.text, value.reader.specifiers) {
                let (name, value) = try variable(word)
                draft.manifest.update.environment[name] = value
            }
        },
    ]

    private static func inUpdate(
        _ name: String, _ read: @escaping @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void
    ) -> ManifestKey {
        ManifestKey(section: "Update", name: name, read: read)
    }
}

// MARK: - [Limits]

extension ManifestKey {
    private static let limits: [ManifestKey] = [
        inLimits("MemoryMax") { value, draft throws(WrongValue) in
            let isEmpty = value.text.isEmpty
            draft.manifest.limits.memory =
                isEmpty ? draft.defaults.limits.memory : try Values.size(value.text)
        },
        inLimits("TasksMax") { value, draft throws(WrongValue) in
            let limit = try value.optional(Values.tasks)
            draft.manifest.limits.tasks = limit ?? RunLimits.defaultTasks
        },
        inLimits("CPUQuota") { value, draft throws(WrongValue) in
            draft.manifest.limits.processor = try value.optional(Values.quota) ?? nil
        },
        inLimits("OutputMax") { value, draft throws(WrongValue) in
            let size = try value.optional(Values.outputSize)
            draft.manifest.limits.output = size ?? draft.defaults.limits.output
        },
    ]

    private static func inLimits(
        _ name: String, _ read: @escaping @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void
    ) -> ManifestKey {
        ManifestKey(section: "Limits", name: name, read: read)
    }
}

// MARK: - [Sandbox]

extension ManifestKey {
    private static let sandbox: [ManifestKey] = [
        inSandbox("Level") { value, draft throws(WrongValue) in
            let level = try value.optional { text throws(WrongValue) in
                try Values.choice(text, of: Sandbox.Level.self, identifiedBy: \.rawValue)
            }
            draft.manifest.sandbox.level = level ?? draft.defaults.sandbox.level
        },
        inSandbox("Network") { value, draft throws(WrongValue) in
            draft.manifest.sandbox.network = try value.optional(Values.boolean)
        },
        inSandbox("ReadPaths") { value, draft throws(WrongValue) in try open(&draft.manifest.sandbox.readable, value) },
        inSandbox("WritePaths") { value, draft throws(WrongValue) in
            try open(&draft.manifest.sandbox.writable, value)
        },
        inSandbox("Devices") { value, draft throws(WrongValue) in try open(&draft.manifest.sandbox.devices, value) },
        inSandbox("Bus") { value, draft throws(WrongValue) in
            draft.manifest.sandbox.bus = try value.optional(Values.boolean) ?? false
        },
    ]

    private static func inSandbox(
        _ name: String, _ read: @escaping @Sendable (Value, inout ManifestDraft) throws(WrongValue) -> Void
    ) -> ManifestKey {
        ManifestKey(section: "Sandbox", name: name, read: read)
    }

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

// MARK: - [Fleet]

extension ManifestKey {
    private static let fleet: [ManifestKey] = [
        ManifestKey(section: "Fleet", name: "Scope") { value, draft throws(WrongValue) in
            draft.fleetScope = try value.optional { text throws(WrongValue) in
                try Values.choice(text, of: FleetPlan.Scope.self, identifiedBy: \.rawValue)
            }
        },
        ManifestKey(section: "Fleet", name: "WhenAlone") { value, draft throws(WrongValue) in
            draft.whenAlone = try value.optional { text throws(WrongValue) in
                try Values.choice(text, of: FleetPlan.Alone.self, identifiedBy: \.rawValue)
            }
        },
    ]
}

// MARK: - [Settings]

extension ManifestKey {
    private static let settings = ManifestKey(section: "Settings", name: "NAME", isFree: true) {
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
