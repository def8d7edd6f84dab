// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The blocks of i3blocks. A block is a section; global keys come before the first one. All keys are variables of the block's
/// command.
enum I3BlocksImport {
    /// Where distributions install the scripts that come with i3blocks.
    private static let scripts = ["/usr/share/i3blocks", "/usr/libexec/i3blocks", "/usr/lib/i3blocks"]

    static func read(_ path: String, _ notes: inout ImportNotes) {
        guard let bytes = notes.text(of: path) else { return }
        let lines = notes.lines(of: bytes, file: path)
        let file = INIFile(lines, file: path, dialect: .i3blocks, &notes)
        var global: [INIFile.Entry] = []
        var block: I3Block?
        var blocks = 0
        for line in file.lines {
            switch line {
            case .section(let name, let origin):
                if let block { add(block, &notes) } else { remarkOnLooks(of: global, &notes) }
                blocks += 1
                guard blocks <= I3Block.most else {
                    return notes.remark(
                        .error, at: origin, "more than \(I3Block.most) blocks; the rest is not imported")
                }
                block = I3Block(name: name, origin: origin, global: global)
            case .entry(let entry):
                if block == nil { global.append(entry) } else { block?.entries.append(entry) }
            }
            // Each block has all global keys.
            if global.count > I3Block.mostGlobal {
                return notes.remark(.error, path, nil, "has more than \(I3Block.mostGlobal) global keys")
            }
        }
        if let block { add(block, &notes) }
    }

    /// All blocks have the global keys, so one remark is enough.
    private static func remarkOnLooks(of global: [INIFile.Entry], _ notes: inout ImportNotes) {
        let looks = I3Block.looks(of: global)
        guard let first = global.first, !looks.isEmpty else { return }
        notes.remark(.loss, at: first.origin, "\(looks): hosts decide how a widget looks")
    }

    private static func add(_ block: I3Block, _ notes: inout ImportNotes) {
        var block = block
        // i3blocks runs commands in the directory of its configuration.
        let directory = notes.files.shortened(ImportFiles.parent(of: block.origin.file))
        let program = block.program(directory: directory)
        if let program, program.command.includes("SCRIPT_DIR"), !block.defines("SCRIPT_DIR") {
            let found =
                notes.files.variable("SCRIPT_DIR") ?? scripts.first { notes.files.list($0).entries != nil }
                ?? scripts[0]
            block.set("SCRIPT_DIR", found)
            block.note("its command reads SCRIPT_DIR, which the configuration does not set: it is \(found)")
        }
        for remark in block.remarks { notes.remark(remark.kind, at: block.origin, "\(block.name): \(remark.text)") }
        guard var program else { return }
        program.environment = block.environment
        notes.add(program)
    }
}

/// One block.
private struct I3Block {
    static let mostGlobal = 200
    static let most = 2_000

    let name: String
    let origin: Origin
    let global: [INIFile.Entry]
    var entries: [INIFile.Entry] = []
    private(set) var environment: [(name: String, value: String)] = []
    private(set) var remarks: [(kind: ImportReport.Remark.Kind, text: String)] = []

    /// Keys of the i3bar protocol that say how a block looks and that no manifest has. They are in the environment, too.
    private static let looks: Set<String> = [
        "border_top", "border_right", "border_bottom", "border_left", "align", "separator_block_width", "short_text",
        "urgent",
    ]
    private static let capitals = ["name": "BLOCK_NAME", "instance": "BLOCK_INSTANCE", "interval": "BLOCK_INTERVAL"]
    private static let mostVariables = 200

    init(name: String, origin: Origin, global: [INIFile.Entry]) {
        self.name = name
        self.origin = origin
        self.global = global
    }

    /// The keys that say how a block looks, for a remark.
    static func looks(of entries: [INIFile.Entry]) -> String {
        entries.map(\.key).filter { looks.contains($0) }.joined(separator: ", ")
    }

    mutating func note(_ text: String) { remarks.append((.note, text)) }
    private mutating func lose(_ text: String) { remarks.append((.loss, text)) }

    func defines(_ variable: String) -> Bool { environment.contains { $0.name == variable } }

    mutating func set(_ name: String, _ value: String) { environment.append((name, value)) }

    /// The keys of the block, each once, with its last value.
    private var merged: [(key: String, value: String)] {
        var merged: [(key: String, value: String)] = [("name", name)]
        var positions: [SpelledText: Int] = [SpelledText("name"): 0]
        // The name in the section counts before a global one.
        for entry in global.filter({ $0.key != "name" }) + entries {
            if let position = positions[SpelledText(entry.key)] {
                merged[position].value = entry.value
            } else {
                positions[SpelledText(entry.key)] = merged.count
                merged.append((entry.key, entry.value))
            }
        }
        return merged
    }

    /// Nil if the block has no program.
    mutating func program(directory: String) -> ImportedProgram? {
        let keys = merged
        func value(_ key: String) -> String? { keys.first { $0.key == key }?.value }
        guard let command = value("command"), !command.isEmpty else {
            note(
                value("full_text") == nil
                    ? "has no command: there is no program to import"
                    : "has no command: it is a label without a program")
            return nil
        }
        var program = ImportedProgram(
            module: name, name: name, origin: origin, command: command, contentProtocol: .i3blocks, interval: .once)
        // The instance tells two blocks of a kind apart: `disk-home`, not `disk-2`.
        if let instance = value("instance"), !instance.isEmpty {
            program.displayName += " \(instance)"
            program.name += "-\(instance)"
        }
        program.workingDirectory = directory
        takeInterval(value("interval"), signal: value("signal"), &program)
        takeLabel(value("label"), &program)
        takeLooks(keys, &program)
        if let markup = value("markup"), markup != "none" {
            lose("markup=\(markup): texts are taken without their tags")
        }
        let looks = Self.looks(of: entries)
        if !looks.isEmpty { lose("\(looks): hosts decide how a widget looks") }
        takeEnvironment(keys)
        return program
    }

    private mutating func takeInterval(_ text: String?, signal: String?, _ program: inout ImportedProgram) {
        if let signal { program.signal = "pkill -RTMIN+\(PlainText.line(signal, upTo: 20)) i3blocks" }
        switch text {
        case "persist", "-3":
            program.isStream = true
            lose("interval=persist: a click starts the program again with BLOCK_BUTTON; it reaches no standard input")
        case "repeat", "-2":
            program.interval = .every(UpdatePlan.shortestInterval)
            program.timeout = .days(1)
            note(
                "interval=repeat: todayd starts it again within a second; it takes one of the places of runs meanwhile")
        case "once", "-1": program.interval = .once
        case nil, "", "0":
            note("has no interval: i3blocks runs it when it is clicked or signalled, todayd also at the start")
        case let text?:
            guard let isShort = program.take(seconds: ImportedProgram.seconds(text)) else {
                return lose("interval=\(text) is not a number of seconds; it runs at the start")
            }
            if isShort { lose("interval=\(text) is shorter than a second, todayd's shortest") }
        }
    }

    private mutating func takeLabel(_ label: String?, _ program: inout ImportedProgram) {
        guard let label, label.contains(where: { !$0.isWhitespace }) else { return }
        program.icon = LabelText.symbol(label)
        let plain = LabelText.withoutTags(label).trimmed
        if program.icon == nil, !program.take(.label, plain) { lose("label=\(label) cannot be a label") }
    }

    private mutating func takeLooks(_ keys: [(key: String, value: String)], _ program: inout ImportedProgram) {
        let colors: [String: Face.Key] = ["color": .color, "background": .background, "border": .border]
        for (name, value) in keys where !value.isEmpty {
            var isTaken = true
            if let key = colors[name] {
                isTaken = LabelText.color(value).map { program.take(key, $0) } ?? false
            } else if name == "separator" {
                isTaken = program.take(.separator, value)
            } else if name == "min_width" {
                // A number is a width in pixels, and a letter is about eight wide; a text is as wide as itself.
                let columns = Int(value).map { min(max(0, $0) / 8, 200) } ?? min(value.count, 200)
                isTaken = program.take(.width, "\(columns)")
                if Int(value) != nil { note("min_width=\(value) is in pixels: BarWidth=\(columns) counts letters") }
            }
            if !isTaken { lose("\(name)=\(value) is not carried over") }
        }
    }

    /// All keys but the command; the old ones also in capitals.
    private mutating func takeEnvironment(_ keys: [(key: String, value: String)]) {
        var refused: [String] = []
        for (key, value) in keys where key != "command" {
            guard EnvironmentName.isValid(key), ImportedProgram.obstacle(in: value) == nil,
                environment.count < Self.mostVariables
            else {
                refused.append(key)
                continue
            }
            environment.append((key, value))
            if let other = Self.capitals[key] { environment.append((other, value)) }
        }
        if !refused.isEmpty {
            lose("\(refused.prefix(8).joined(separator: ", ")): no variable can have this name or value")
        }
    }
}

/// The names of environment variables that a manifest accepts.
enum EnvironmentName {
    static func isValid(_ name: String) -> Bool {
        SettingName.isVariable(name) && name.utf8.count <= 256 && !name.hasPrefix("TODAY_")
    }
}
