// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// The custom blocks of i3status-rust.
enum I3StatusRustImport {
    static func read(_ path: String, _ notes: inout ImportNotes) {
        guard let bytes = notes.text(of: path) else { return }
        let lines = notes.lines(of: bytes, file: path)
        let toml = TOMLSubset(Array(lines.joined(separator: "\n").utf8))
        for failure in toml.failures {
            notes.remark(.error, path, failure.line, "\(failure.reason); this key or table is left out")
        }
        var block: I3StatusBlock?
        for table in toml.tables {
            if table.name == ["block"], table.isElement {
                if let block { add(block, &notes) }
                block = I3StatusBlock(table: table, file: path)
            } else if table.name.first == "block" {
                block?.parts.append(table)
            }
        }
        if let block { add(block, &notes) }
    }

    private static func add(_ block: I3StatusBlock, _ notes: inout ImportNotes) {
        var block = block
        guard let type = block.table["block"]?.value.stringValue else {
            return notes.remark(.error, at: block.origin, "this block does not say which one it is: block = \"…\"")
        }
        guard type.isSpelled(as: "custom") else {
            let text =
                type.isSpelled(as: "custom_dbus")
                ? "custom_dbus is set over D-Bus; a widget with Protocol=push and todayctl push do the same"
                : BundledWidget.remark(about: type, of: "i3status-rust") { key in
                    ([block.table] + block.parts).lazy.compactMap { $0[key]?.value ?? $0["service"]?.value[key] }.first
                }
            return notes.remark(.note, at: block.origin, text)
        }
        let shell = notes.files.variable("SHELL").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let program = block.program(shell: shell)
        for remark in block.remarks { notes.remark(remark.kind, block.origin.file, remark.line, remark.text) }
        if let program { notes.add(program) }
    }
}

/// One block of the type `custom`.
private struct I3StatusBlock {
    let table: TOMLSubset.Table
    let origin: Origin
    /// Its tables: `[block.theme_overrides]`, `[[block.click]]`.
    var parts: [TOMLSubset.Table] = []
    private(set) var remarks: [(kind: ImportReport.Remark.Kind, line: Int, text: String)] = []

    init(table: TOMLSubset.Table, file: String) {
        self.table = table
        origin = Origin(file: file, line: table.line)
    }

    private static let defaultInterval = TimeSpan.seconds(10)
    private static let shells: Set<String> = ["sh", "bash", "dash", "ksh", "zsh", "ash", "mksh"]
    private static let read: Set<String> = [
        "block", "command", "cycle", "interval", "json", "persistent", "hide_when_empty", "shell", "signal",
        "watch_files",
        "if_command", "click",
    ]
    private static let looks: Set<String> = [
        "format", "icons_format", "theme_overrides", "icons_overrides", "merge_with_next",
    ]
    private static let tries: Set<String> = [
        "error_interval", "error_format", "max_retries", "error_fullscreen_format",
    ]

    private mutating func add(_ kind: ImportReport.Remark.Kind, _ key: String, _ text: String) {
        remarks.append((kind, table[key]?.line ?? table.line, text))
    }

    private mutating func text(_ key: String) -> String? {
        guard let value = table[key]?.value else { return nil }
        if let text = value.stringValue { return text }
        add(.error, key, "\(key) is \(value.kind), not a string")
        return nil
    }

    private mutating func flag(_ key: String) -> Bool {
        guard let value = table[key]?.value else { return false }
        if value.boolValue == nil { add(.error, key, "\(key) is neither true nor false") }
        return value.boolValue ?? false
    }

    mutating func program(shell: String?) -> ImportedProgram? {
        guard let command = command() else { return nil }
        let name = ShellCommand.programName(of: command) ?? "custom"
        // Both hosts read Pango's tags, and a JSON object with a text.
        var program = ImportedProgram(
            module: "block custom", name: name, origin: origin, command: command, contentProtocol: .waybar,
            interval: .every(Self.defaultInterval))
        takeShell(shell, &program)
        takeOutput(&program)
        takeInterval(&program)
        takeCondition(&program)
        takeClicks(&program)
        remarkOnOtherKeys()
        return program
    }

    /// The command, or the first one that clicks cycle through.
    private mutating func command() -> String? {
        if table["command"] != nil {
            if table["cycle"] != nil { add(.loss, "cycle", "cycle: a widget has one command; clicks change nothing") }
            return text("command")
        }
        guard let cycle = table["cycle"] else {
            add(.error, "block", "the block has no command")
            return nil
        }
        guard let first = cycle.value.arrayValue?.first?.stringValue else {
            add(.error, "cycle", "cycle is not a list of commands")
            return nil
        }
        add(.loss, "cycle", "cycle: only its first command is imported, as a widget has one")
        return first
    }

    /// i3status-rust runs commands in the shell of the user.
    private mutating func takeShell(_ shell: String?, _ program: inout ImportedProgram) {
        guard let chosen = table["shell"] == nil ? shell : text("shell") else { return }
        // Other letters, such as `=`, would mean something else in ExecStart=.
        let isName = chosen.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._+-/".unicodeScalars.contains(scalar))
        }
        if isName, !chosen.isEmpty, chosen.hasPrefix("/") || !chosen.contains("/") {
            program.shell = chosen
        } else {
            add(.error, "shell", "shell is neither a path nor a name; it is /bin/sh")
        }
    }

    private mutating func takeOutput(_ program: inout ImportedProgram) {
        if flag("json") {
            add(
                .note, "json", "json: an icon that is the name of one in i3status-rust's sets is not shown, a symbol is"
            )
        }
        if flag("persistent") {
            program.isStream = true
            program.interval = .once
        }
    }

    private mutating func takeInterval(_ program: inout ImportedProgram) {
        if let signal = table["signal"]?.value.intValue {
            program.signal = "pkill -RTMIN+\(signal) i3status-rs"
        }
        if table["watch_files"] != nil {
            add(.loss, "watch_files", "watch_files: todayd watches no files for a widget; it runs by its interval")
        }
        guard let interval = table["interval"]?.value, !program.isStream else { return }
        if interval == .string("once") {
            program.interval = .once
            return
        }
        guard let isShort = program.take(seconds: interval.doubleValue) else {
            return add(.error, "interval", "interval is not a number of seconds; it is 10, as without one")
        }
        if isShort { add(.loss, "interval", "interval \(interval.text) is shorter than a second, todayd's shortest") }
    }

    private mutating func takeCondition(_ program: inout ImportedProgram) {
        guard table["if_command"] != nil, let condition = text("if_command"), !condition.isEmpty else { return }
        if Self.shells.contains(ImportFiles.name(of: program.shell)) {
            program.condition = condition
        } else {
            add(
                .loss, "if_command",
                "if_command: write the condition into the command; \(program.shell) has its own language")
        }
    }

    private mutating func takeClicks(_ program: inout ImportedProgram) {
        for click in parts where click.name == ["block", "click"] {
            takeClick(
                button: click["button"]?.value.stringValue, click["cmd"]?.value.stringValue, line: click.line, &program)
        }
        for click in table["click"]?.value.arrayValue ?? [] {
            let line = table["click"]?.line ?? table.line
            takeClick(button: click["button"]?.stringValue, click["cmd"]?.stringValue, line: line, &program)
        }
    }

    private mutating func takeClick(
        button: String?, _ command: String?, line: Int, _ program: inout ImportedProgram
    ) {
        let key = "click \(button ?? "left")"
        guard let command, !command.isEmpty else {
            remarks.append((.loss, line, "\(key) has no command: a manifest has nothing like it"))
            return
        }
        program.comments.append((key, command))
        remarks.append((.loss, line, "\(key): a manifest has no commands for clicks; it is kept as a comment"))
    }

    private mutating func remarkOnOtherKeys() {
        var keys = table.entries.compactMap(\.key.first)
        keys += parts.filter { $0.name != ["block", "click"] }.compactMap { $0.name.dropFirst().first }
        let others = keys.reduce(into: [String]()) { list, key in
            if !Self.read.contains(key), list.count < 32, !list.contains(key) { list.append(key) }
        }
        let looks = others.filter { Self.looks.contains($0) }
        if let first = looks.first {
            add(.loss, first, "\(looks.joined(separator: ", ")): hosts decide how a widget looks")
        }
        let tries = others.filter { Self.tries.contains($0) }
        if let first = tries.first {
            add(.loss, first, "\(tries.joined(separator: ", ")): todayd has its own times after a failure")
        }
        let unknown = others.filter { !Self.looks.contains($0) && !Self.tries.contains($0) }
        if let first = unknown.first {
            add(.loss, first, "\(unknown.joined(separator: ", ")): a manifest has nothing like it")
        }
    }
}
