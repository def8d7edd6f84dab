// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The scripts of Polybar: modules of the type custom/script.
enum PolybarImport {
    private static let prefix = "module/"

    static func read(_ path: String, _ notes: inout ImportNotes) {
        let configuration = PolybarConfiguration(at: path, &notes)
        let listed = listed(configuration)
        for section in configuration.sections where section.name.hasPrefix(prefix) {
            let name = String(section.name.dropFirst(prefix.count))
            var module = PolybarModule(name: name, section: section, configuration: configuration)
            let type = module.text("type") ?? ""
            if let listed, !listed.contains(SpelledText(name)) {
                if type == "custom/script" {
                    notes.remark(.note, at: section.origin, "\(name) is in no list of modules; it is not imported")
                }
                continue
            }
            switch type {
            case "custom/script":
                let program = module.program()
                for remark in module.remarks { notes.remark(remark.kind, at: remark.origin, "\(name): \(remark.text)") }
                if let program {
                    notes.add(program)
                } else {
                    notes.remark(.error, at: section.origin, "\(name) is not imported")
                }
            case "custom/text":
                notes.remark(.note, at: section.origin, "\(name) is a label without a program")
            case "custom/menu":
                notes.remark(.loss, at: section.origin, "\(name) is a menu of commands; a manifest has nothing like it")
            case "custom/ipc":
                notes.remark(
                    .loss, at: section.origin,
                    "\(name) is shown by messages; a widget with Protocol=push and todayctl push do the same")
            case "":
                notes.remark(.error, at: section.origin, "\(name) has no type")
            default:
                let text = BundledWidget.remark(about: type, of: "Polybar")
                notes.remark(.note, at: section.origin, "\(name): \(text)")
            }
        }
    }

    /// The modules that bars show; nil if no bar has a list, as in a file that others include.
    private static func listed(_ configuration: PolybarConfiguration) -> Set<SpelledText>? {
        var names: Set<SpelledText> = []
        var hasLists = false
        for bar in configuration.sections where bar.name.hasPrefix("bar/") {
            for key in ["modules-left", "modules-center", "modules-right"] {
                guard let entry = bar[key] else { continue }
                hasLists = true
                guard case .text(let value, _) = configuration.value(of: entry, in: bar.name) else { continue }
                names.formUnion(value.split(separator: " ").map { SpelledText(String($0)) })
            }
        }
        return hasLists ? names : nil
    }
}

/// One script: the page "Module: script" of Polybar's documentation.
private struct PolybarModule {
    let name: String
    let section: PolybarConfiguration.Section
    let configuration: PolybarConfiguration
    private(set) var remarks: [(kind: ImportReport.Remark.Kind, origin: Origin, text: String)] = []

    init(name: String, section: PolybarConfiguration.Section, configuration: PolybarConfiguration) {
        self.name = name
        self.section = section
        self.configuration = configuration
    }

    private static let defaultInterval = TimeSpan.seconds(5)
    private static let read: Set<String> = [
        "type", "exec", "exec-if", "tail", "interval", "interval-fail", "interval-if", "label", "format",
        "format-prefix", "format-suffix", "format-foreground", "format-background", "label-minlen",
    ]
    private static let clicks = ["click-", "double-click-", "scroll-"]
    private static let looks = ["label-", "format-", "content-", "ramp-", "bar-", "animation-"]
    private static let mostVariables = 100

    private mutating func add(_ kind: ImportReport.Remark.Kind, _ key: String, _ text: String) {
        remarks.append((kind, section[key]?.origin ?? section.origin, text))
    }

    /// The value of a key, with its references.
    mutating func text(_ key: String) -> String? {
        guard let entry = section[key] else { return nil }
        switch configuration.value(of: entry, in: section.name) {
        case .text(let value, let remark):
            if let remark { add(.note, key, "\(key): \(remark)") }
            return value
        case .unknown(let reason):
            add(.error, key, "\(key): \(reason)")
            return nil
        }
    }

    mutating func program() -> ImportedProgram? {
        guard let command = text("exec"), !command.isEmpty else {
            if section["exec"] == nil { add(.error, "type", "it has no exec") }
            return nil
        }
        var program = ImportedProgram(
            module: "module/\(name)", name: name, origin: section.origin, command: command, contentProtocol: .polybar,
            interval: .every(Self.defaultInterval))
        takeTimes(&program)
        if section["exec-if"] != nil {
            // Without its condition, the program would run when it should not.
            guard let condition = text("exec-if") else { return nil }
            program.condition = condition.isEmpty ? nil : condition
            if program.isStream { add(.note, "exec-if", "exec-if is asked when the program starts") }
        }
        takeLabel(&program)
        takeVariables(&program)
        takeClicks(&program)
        if command.includes("%counter%") {
            add(.loss, "exec", "exec: %counter% is given to the program as it stands")
        }
        if command.includes("%pid%") { add(.loss, "exec", "exec: %pid% is given to the program as it stands") }
        remarkOnOtherKeys()
        return program
    }

    private mutating func takeTimes(_ program: inout ImportedProgram) {
        if text("tail")?.boolean == true {
            program.isStream = true
            program.interval = .once
            if section["interval"] != nil {
                add(.note, "interval", "interval: todayd starts a program that stays again itself")
            }
        } else if let interval = text("interval") {
            let isShort = program.take(seconds: ImportedProgram.seconds(interval))
            if isShort == true {
                add(.loss, "interval", "interval \(interval) is shorter than a second, todayd's shortest")
            } else if isShort == nil {
                add(.loss, "interval", "interval \(interval) is not a number of seconds; it is 5, as without one")
            }
        }
        for key in ["interval-fail", "interval-if"] where section[key] != nil {
            add(.loss, key, "\(key): todayd has its own times after a failure")
        }
    }

    private mutating func takeLabel(_ program: inout ImportedProgram) {
        let (format, label) = (text("format") ?? "<label>", text("label") ?? "%output%")
        func lose(_ key: String, _ value: String) {
            add(.loss, key, "\(key) \"\(value)\" is not carried over: hosts show what the program prints")
        }
        var outer = Self.around("<label>", in: format) ?? ("", "")
        if format.replacing("<label>", by: "").contains("<") || !format.includes("<label>") {
            lose("format", format)
            outer = ("", "")
        }
        if let inner = Self.around("%output", in: label), let end = inner.after.firstIndex(of: "%") {
            // What is between the colons limits the length: %output:0:30:...%
            if inner.after.startIndex < end { add(.loss, "label", "label \"\(label)\": hosts decide how long it is") }
            let before = "\(text("format-prefix") ?? "")\(outer.before)\(inner.before)"
            let after = "\(inner.after[end...].dropFirst())\(outer.after)\(text("format-suffix") ?? "")"
            // Not joined yet: a percent sign before {text} would look like a tag.
            let (plainBefore, plainAfter) = (LabelText.withoutPolybarTags(before), LabelText.withoutPolybarTags(after))
            if !program.take(format: "\(plainBefore){text}\(plainAfter)") { lose("label", label) }
        } else {
            lose("label", label)
        }
        for (key, taken) in [("format-foreground", Face.Key.color), ("format-background", .background)] {
            guard let value = text(key) else { continue }
            if LabelText.color(value, opacityFirst: true).map({ program.take(taken, $0) }) != true {
                add(.loss, key, "\(key) \(value) is not carried over")
            }
        }
        if let width = text("label-minlen").flatMap({ Int($0) }) { _ = program.take(.width, "\(width)") }
    }

    private static func around(_ mark: String, in text: String) -> (before: Substring, after: Substring)? {
        text.range(of: mark).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
    }

    private mutating func takeVariables(_ program: inout ImportedProgram) {
        for entry in section.entries where entry.key.hasPrefix("env-") {
            let name = String(entry.key.dropFirst(4))
            guard let value = text(entry.key) else { continue }
            if EnvironmentName.isValid(name), ImportedProgram.obstacle(in: value) == nil,
                program.environment.count < Self.mostVariables
            {
                program.environment.append((name, value))
            } else {
                add(.loss, entry.key, "\(entry.key): no variable can have this name or value")
            }
        }
    }

    private mutating func takeClicks(_ program: inout ImportedProgram) {
        for entry in section.entries where Self.clicks.contains(where: entry.key.hasPrefix) {
            guard let command = text(entry.key), !command.isEmpty else { continue }
            program.comments.append((entry.key, command))
            add(.loss, entry.key, "\(entry.key): a manifest has no commands for clicks; it is kept as a comment")
        }
    }

    private mutating func remarkOnOtherKeys() {
        let others = section.entries.filter { entry in
            !Self.read.contains(entry.key) && !entry.key.hasPrefix("env-") && !entry.key.hasPrefix("inherit")
                && !Self.clicks.contains(where: entry.key.hasPrefix)
        }
        func isLook(_ entry: INIFile.Entry) -> Bool { Self.looks.contains(where: entry.key.hasPrefix) }
        let looks = others.filter(isLook).map(\.key)
        if let first = looks.first {
            add(.loss, first, "\(looks.joined(separator: ", ")): hosts decide how a widget looks")
        }
        let unknown = others.filter { !isLook($0) }.map(\.key)
        if let first = unknown.first {
            add(.loss, first, "\(unknown.joined(separator: ", ")): a manifest has nothing like it")
        }
    }
}
