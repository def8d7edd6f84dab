// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// One custom module of a Waybar: waybar-custom(5).
struct WaybarModule {
    let name: String
    let origin: Origin
    let object: JSONObject
    private(set) var remarks: [(kind: ImportReport.Remark.Kind, text: String)] = []

    init(name: String, origin: Origin, object: JSONObject) {
        self.name = name
        self.origin = origin
        self.object = object
    }

    /// Keys that say how a module looks, which is up to the hosts of todayd.
    private static let looks: Set<String> = [
        "max-length", "align", "justify", "rotate", "expand", "markup", "cursor", "spacing",
        "orientation",
        "hide-empty-text", "smooth-scrolling-threshold",
    ]
    private static let read: Set<String> = [
        "exec", "exec-if", "interval", "restart-interval", "return-type", "signal", "format", "format-icons", "tooltip",
        "tooltip-format", "escape", "exec-on-event", "min-length",
    ]

    /// - Returns: nil if the command is not text.
    mutating func program(_ exec: JSON) -> ImportedProgram? {
        guard let command = exec.stringValue else { return nil }
        var program = ImportedProgram(
            module: name, name: String(name.dropFirst("custom/".count)), origin: origin, command: command,
            contentProtocol: .waybar, interval: .once)
        takeTimes(&program)
        takeCondition(&program)
        takeFormat(&program)
        if let width = object["min-length"]?.intValue { _ = program.take(.width, "\(width)") }
        takeClicks(&program)
        if let type = object["return-type"], let word = type.stringValue, !["json", ""].contains(word) {
            lose("return-type \(word) is unknown; lines or JSON are read")
        }
        takeTooltip()
        if command.includes("WAYBAR_OUTPUT_NAME") {
            lose("it reads WAYBAR_OUTPUT_NAME, which is not set: todayd runs it once for all outputs")
        }
        remarkOnOtherKeys()
        return program
    }

    private mutating func lose(_ text: String) { remarks.append((.loss, text)) }
    private mutating func note(_ text: String) { remarks.append((.note, text)) }

    // MARK: - When it runs

    /// Without an interval, a module runs on a signal; without both, its program stays and prints lines.
    private mutating func takeTimes(_ program: inout ImportedProgram) {
        let interval = object["interval"].flatMap { $0 == .null ? nil : $0 }
        let restart = object["restart-interval"].flatMap { $0 == .null ? nil : $0 }
        let signal = object["signal"].flatMap { $0 == .null ? nil : $0 }
        if interval == nil, restart != nil || signal == nil {
            program.isStream = true
            if restart != nil { note("restart-interval is todayd's own: a second, and longer each time it ends soon") }
        } else if interval == nil || interval == .string("once") {
            program.interval = .once
        } else if let interval {
            takeInterval(interval, &program)
        }
        if let signal { program.signal = signal.intValue.map { "pkill -RTMIN+\($0) waybar" } ?? "a signal" }
    }

    private mutating func takeInterval(_ value: JSON, _ program: inout ImportedProgram) {
        let text = value.stringValue.flatMap(ImportedProgram.seconds)
        guard let isShort = program.take(seconds: value.doubleValue ?? text) else {
            program.isStream = true
            return lose("interval \(value.text) is not a time; it is taken as a program that stays, as Waybar does")
        }
        if text != nil { note("interval is a string; it is read as a number") }
        if isShort { lose("interval \(value.text) is shorter than a second, todayd's shortest") }
    }

    private mutating func takeCondition(_ program: inout ImportedProgram) {
        guard let condition = object["exec-if"], condition != .null else { return }
        guard let text = condition.stringValue else { return lose("exec-if is \(condition.kind), not a command") }
        if text.utf8.contains(where: { $0 > 0x20 }) { program.condition = text }
        if program.isStream { note("exec-if is asked when the program starts") }
    }

    // MARK: - How it looks

    private mutating func takeFormat(_ program: inout ImportedProgram) {
        guard let value = object["format"], value != .null else { return }
        guard let format = value.stringValue, format.utf8.count <= 4_096 else {
            return lose("format is not short text")
        }
        let (names, _) = LabelText.placeholders(in: format)
        if names.contains("icon") { program.icon = onlyIcon }
        let places = ["": "text", "0": "text", "text": "text", "icon": "icon", "percentage": "percentage"]
        let isKnown = names.allSatisfy { places[$0] != nil && ($0 != "icon" || program.icon != nil) }
        let translated = LabelText.replacing(in: LabelText.withoutTags(format)) { places[$0].map { "{\($0)}" } ?? "" }
        if isKnown, program.take(format: translated) { return }
        let kept = program.icon == nil ? "" : "; its symbol is Icon="
        lose("format \"\(format)\" is not carried over: hosts show what the program prints\(kept)")
    }

    /// The icon of `format-icons`, if there is only one.
    private var onlyIcon: String? {
        guard let icons = object["format-icons"] else { return nil }
        if let text = icons.stringValue { return LabelText.symbol(text) }
        let values = icons.arrayValue ?? icons.objectValue?.map(\.value) ?? []
        guard values.count == 1, let text = values.first?.stringValue else { return nil }
        return LabelText.symbol(text)
    }

    private mutating func takeTooltip() {
        if object["tooltip"]?.boolValue == false {
            lose("tooltip is off in Waybar; hosts that show one take the program's")
        }
        if object["tooltip-format"] != nil { lose("tooltip-format: the tooltip is what the program prints") }
        if object["escape"]?.boolValue == true {
            note("escape is not needed: todayd shows & and < as they are, and leaves out the tags of Pango")
        }
    }

    // MARK: - What it does

    private mutating func takeClicks(_ program: inout ImportedProgram) {
        for (key, value) in object where key.hasPrefix("on-") {
            guard let command = value.stringValue else {
                lose("\(key) is \(value.kind), not a command")
                continue
            }
            guard !command.isEmpty else { continue }
            program.comments.append((key, command))
            lose("\(key) stays in Waybar's own configuration; it is kept as a comment")
        }
    }

    private mutating func remarkOnOtherKeys() {
        let others = object.keys.filter { !Self.read.contains($0) && !$0.hasPrefix("on-") }
        let looks = others.filter { Self.looks.contains($0) || $0.hasPrefix("format-") }
        if !looks.isEmpty { lose("\(looks.joined(separator: ", ")): hosts decide how a widget looks") }
        let unknown = others.filter { !Self.looks.contains($0) && !$0.hasPrefix("format-") }
        if !unknown.isEmpty { lose("\(unknown.joined(separator: ", ")): a manifest has nothing like it") }
    }
}
