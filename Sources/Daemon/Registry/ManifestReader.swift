// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Reads a manifest from the assignments in a `.widget` file and its drop-ins. It opens no file: `uid` looks up users.
struct ManifestReader: Sendable {
    static let keys: [String: [String]] = [
        "Widget": [
            "DisplayName", "Description", "Icon", "ExtensionPoint", "LargestDisplayMode", "AllowsEditing",
            "ContainingApp",
            "AppUser", "URLSchemes", "AppGroups",
        ],
        "Update": ["ExecStart", "Protocol", "Interval", "Timeout", "UpdateOnAppear", "Environment"],
        "Limits": ["MemoryMax", "OutputMax", "Network"],
    ]
    static let sections = Set(keys.keys)
    /// The most app groups of a widget, each of which adds a directory and a variable to every run, and the most URL schemes.
    static let mostListed = 32

    var locale = MessageLocale("C")
    var settings = Settings()
    var specifiers = Specifiers()
    var uid: @Sendable (_ name: String) -> UInt32?

    struct Reading {
        /// Nil if a complaint is an error.
        var manifest: Manifest?
        var texts: ManifestTexts
        var complaints: [Complaint]
        /// The file and line of ExecStart=, for complaints about the program.
        var command: (file: String, line: Int)?
    }

    /// - Parameters:
    ///   - files: the manifest and then its drop-ins. A later value replaces an earlier one; a list grows until `Key=` empties
    ///     it.
    ///   - directory: what `./` in ExecStart= means.
    func read(_ id: WidgetID, _ files: [UnitFile], directory: () -> String) -> Reading {
        var draft = ManifestDraft(id: id, settings: settings)
        var complaints: [Complaint] = []
        for file in files {
            complaints += file.complaints
            for assignment in file.assignments {
                do throws(WrongValue) {
                    guard try apply(assignment, of: file.path, to: &draft, directory: directory) else {
                        complaints.append(unknown(assignment, file.path))
                        continue
                    }
                } catch {
                    complaints.append(.error(file.path, assignment.line, "\(assignment.key)=: \(error.reason)"))
                }
            }
        }
        let source = files.first?.path ?? id.text
        if let missing = draft.missingKey, !complaints.contains(where: { $0.severity == .error }) {
            complaints.append(.error(source, nil, missing))
        }
        for (key, place) in draft.idleKeys {
            complaints.append(.warning(place.file, place.line, "\(key)= has no effect with Protocol=push"))
        }
        let isValid = !complaints.contains { $0.severity == .error }
        return Reading(
            manifest: isValid ? draft.manifest : nil, texts: draft.texts, complaints: complaints,
            command: draft.commandPlace)
    }

    private func unknown(_ assignment: UnitFile.Assignment, _ path: String) -> Complaint {
        let key = assignment.key
        if let locale = assignment.locale, Self.keys[assignment.section]?.contains(key) == true {
            return .warning(path, assignment.line, "\(key)[\(locale)]=: \(key)= is not localized")
        }
        if let section = Self.keys.first(where: { $0.value.contains(key) })?.key, section != assignment.section {
            return .warning(path, assignment.line, "\(key)= belongs into [\(section)]")
        }
        let known = Self.keys[assignment.section] ?? []
        let hint = nearestName(to: key, among: known).map { "; did you mean \($0)=?" } ?? ""
        return .warning(path, assignment.line, "unknown key \(key)= in [\(assignment.section)]\(hint)")
    }

    /// Returns false for an unknown key. Keys that begin with X- are for other programs.
    private func apply(
        _ assignment: UnitFile.Assignment, of path: String, to draft: inout ManifestDraft, directory: () -> String
    ) throws(WrongValue) -> Bool {
        if assignment.key.hasPrefix("X-") { return true }
        let value = assignment.value
        if assignment.locale != nil, assignment.key != "DisplayName", assignment.key != "Description" { return false }
        switch (assignment.section, assignment.key) {
        case ("Widget", "DisplayName"):
            draft.displayName.replace(with: try Values.line(value), rank: locale.rank(of: assignment.locale))
        case ("Widget", "Description"):
            draft.summary.replace(with: try Values.line(value), rank: locale.rank(of: assignment.locale))
        case ("Widget", "Icon"):
            draft.icon = value.isEmpty ? nil : try Values.line(value, upTo: ContentLimits.iconBytes)
        case ("Widget", "ExtensionPoint"):
            try Self.extend(&draft.extensionPoints, value) { word throws(WrongValue) in
                try Values.choice(word, of: ExtensionPoint.self, identifiedBy: \.name)
            }
        case ("Widget", "LargestDisplayMode"):
            draft.largestDisplayMode =
                value.isEmpty ? .compact : try Values.choice(value, of: DisplayMode.self, identifiedBy: \.rawValue)
        case ("Widget", "AllowsEditing"):
            draft.allowsEditing = value.isEmpty ? false : try Values.boolean(value)
        case ("Widget", "ContainingApp"):
            draft.containingApp = value.isEmpty ? nil : try Values.identifier(value)
        case ("Widget", "AppUser"):
            draft.appUser = value.isEmpty ? nil : try user(value)
        case ("Widget", "URLSchemes"):
            try Self.extend(&draft.urlSchemes, value, Values.urlScheme)
        case ("Widget", "AppGroups"):
            try Self.extend(&draft.appGroups, value, Values.appGroup)
            try Self.checkVariables(of: draft.appGroups)
        case ("Update", "ExecStart"):
            draft.command = try ProgramCommand.read(value, specifiers, directory: directory)
            draft.commandPlace = value.isEmpty ? nil : (path, assignment.line)
        case ("Update", "Protocol"):
            draft.contentProtocol =
                value.isEmpty
                ? .text
                : try Values.choice(
                    value, of: ContentProtocol.self, offering: ContentProtocol.supported, identifiedBy: \.rawValue)
        case ("Update", "Interval"):
            draft.interval =
                value.isEmpty ? nil : try Values.time(value, atLeast: UpdatePlan.shortestInterval)
        case ("Update", "Timeout"):
            draft.timeout = value.isEmpty ? nil : try Values.time(value, atLeast: .milliseconds(1))
        case ("Update", "UpdateOnAppear"):
            draft.updateOnAppear = value.isEmpty ? nil : try Values.age(value)
            draft.updateOnAppearPlace = draft.updateOnAppear == nil ? nil : (path, assignment.line)
        case ("Update", "Environment"):
            if value.isEmpty { draft.environment = [:] }
            for word in try QuotedWords.split(value, specifiers) {
                let (name, value) = try Self.variable(word)
                draft.environment[name] = value
            }
        case ("Limits", "MemoryMax"):
            draft.memory = value.isEmpty ? settings.defaultMemoryMax : try Values.size(value)
        case ("Limits", "OutputMax"):
            draft.output = value.isEmpty ? settings.defaultOutputMax : try Values.outputSize(value)
        case ("Limits", "Network"):
            draft.network = value.isEmpty ? true : try Values.boolean(value)
        default:
            return false
        }
        return true
    }

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

    private func user(_ text: String) throws(WrongValue) -> UInt32 {
        if let number = UInt32(text) {
            // (uid_t) -1 means "no change" in setuid(2) and its like.
            guard number != .max else { throw WrongValue("\(text) is no uid") }
            return number
        }
        guard let number = uid(text) else { throw WrongValue("there is no user \"\(text)\"") }
        return number
    }

    private static func variable(_ word: String) throws(WrongValue) -> (String, String) {
        guard let equals = word.firstIndex(of: "=") else {
            throw WrongValue("\"\(word)\" is not NAME=value")
        }
        let name = String(word[..<equals])
        let isName = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
            default: false
            }
        }
        guard isName, !name.isEmpty else { throw WrongValue("\"\(name)\" is not the name of a variable") }
        guard !name.hasPrefix("TODAY_") else { throw WrongValue("\(name): names in TODAY_ are the daemon's") }
        return (name, String(word[word.index(after: equals)...]))
    }
}
