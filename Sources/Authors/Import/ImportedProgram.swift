// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// A program of another host, in the words of a manifest.
struct ImportedProgram {
    /// How often it runs.
    enum Interval: Equatable {
        case every(TimeSpan)
        /// At the start, and when a client asks.
        case once
    }

    /// What the configuration calls it: `custom/weather`.
    var module: String
    /// The name that becomes the last label of the identifier.
    var name: String
    var displayName: String
    var origin: Origin
    var command: String
    /// A command whose exit status decides whether the program runs.
    var condition: String?
    var shell = "/bin/sh"
    var contentProtocol: ContentProtocol
    var interval: Interval
    var isStream = false
    /// Whether it prints several blocks at once, which the expanded view has one below the other.
    var hasBlocks = false
    var timeout: TimeSpan?
    var icon: String?
    /// How it looks in bars.
    private(set) var face = Face()
    var workingDirectory = "~"
    var environment: [(name: String, value: String)] = []
    /// The command that users call to have it run; it now has to call todayd.
    var signal: String?
    /// What manifests have no key for but is worth keeping: the commands of clicks.
    var comments: [(key: String, text: String)] = []

    init(
        module: String, name: String, origin: Origin, command: String, contentProtocol: ContentProtocol,
        interval: Interval
    ) {
        self.module = module
        self.name = name
        displayName = name
        self.origin = origin
        self.command = command
        self.contentProtocol = contentProtocol
        self.interval = interval
    }
}

extension ImportedProgram {
    /// The longest interval that an import writes.
    static let longest = TimeSpan.days(100)

    /// Takes a number of seconds as the interval.
    ///
    /// - Returns: whether it is less than todayd's shortest; nil for what is not a length of time.
    mutating func take(seconds: Double?) -> Bool? {
        guard let seconds, seconds.isFinite, seconds > 0 else { return nil }
        let span = seconds < 8_640_000 ? TimeSpan(microseconds: Int64((seconds * 1_000_000).rounded())) : Self.longest
        interval = .every(max(span, UpdatePlan.shortestInterval))
        return span < UpdatePlan.shortestInterval
    }

    /// Short text as a number of seconds.
    static func seconds(_ text: String) -> Double? { text.utf8.count < 32 ? Double(text) : nil }

    /// Why no manifest can have the commands; nil if one can.
    var obstacle: String? {
        for (what, text) in [("its command", command), ("its condition", condition ?? "")] {
            if let reason = Self.obstacle(in: text) { return "\(what) \(reason)" }
        }
        return command.utf8.contains { $0 > 0x20 } ? nil : "its command is empty"
    }

    /// Control characters can be escaped. Text that hides a part of the command from its readers is refused.
    static func obstacle(in text: String) -> String? {
        if text.utf8.count > ImportLimits.manifestBytes { return "is too long for a manifest" }
        if text.utf8.contains(0) { return "contains a NUL byte" }
        let visible = String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        return PlainText.complaint(about: String(visible), allowingLines: true)
    }

    /// Takes a value of the widget's face.
    ///
    /// - Returns: whether it is one.
    mutating func take(_ key: Face.Key, _ text: String) -> Bool {
        guard let value = try? key.value(from: text).text, !value.isEmpty, !value.hasSuffix("\\") else { return false }
        face[key] = value
        return true
    }

    /// Takes the text around what it prints, with the places of `BarFormat`: a symbol before them becomes its icon, a word its
    /// label.
    mutating func take(format: String) -> Bool {
        let before = format.prefix { $0 != "{" }
        var format = format
        if before.contains(where: { !$0.isWhitespace }) {
            let gap = before.last?.isWhitespace == true ? " " : ""
            let rest = format.dropFirst(before.count)
            if let symbol = LabelText.symbol(String(before)) {
                icon = symbol
                format = "{icon}\(gap)\(rest)"
            } else if take(.label, before.trimmed) {
                format = "{label}\(gap)\(rest)"
            } else {
                return false
            }
        }
        format = format.trimmed
        return ["{text}", "{icon} {text}", "{label} {text}"].contains(format) || take(.format, format)
    }

    /// Whether the command is todayd's own client, which shows a widget in the other host.
    var showsToday: Bool { ShellCommand.programName(of: command) == "todayctl" }

    /// The text of the manifest. It contains no date, so that the same configuration gives the same bytes.
    func manifest(file: String, source: ImportSource) -> String {
        var lines = [
            "\(ImportedManifest.origin(file)):\(origin.line) (\(Self.line(module))) by: todayctl import \(source.name)"
        ]
        lines += comments.map { "# \(Self.line($0.key)): \(Self.line($0.text))" }
        lines += ["", "[Widget]", "DisplayName=\(Self.line(displayName))"]
        if let icon { lines.append("Icon=\(icon)") }
        lines += Face.Key.allCases.compactMap { key in face[key].map { "\(key.rawValue)=\(Self.line($0))" } }
        lines.append("ExtensionPoint=status-bar")
        if hasBlocks { lines.append("LargestDisplayMode=expanded") }
        lines += ["", "[Update]", "ExecStart=\(execStart)"]
        lines.append("Protocol=\(contentProtocol.rawValue)")
        if isStream { lines.append("Stream=yes") }
        lines += intervalLines
        if let timeout { lines.append("Timeout=\(Self.text(of: timeout))") }
        lines.append("WorkingDirectory=\(UnitQuoting.path(workingDirectory))")
        lines += environment.map { "Environment=\(UnitQuoting.word("\($0.name)=\($0.value)"))" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What its shell is given.
    var script: String { condition.map { ShellCommand.conditional(command, if: $0) } ?? command }

    private var execStart: String {
        "\(UnitQuoting.word(shell)) -c \(UnitQuoting.word(script))"
    }

    private var intervalLines: [String] {
        switch interval {
        case .every(let span): ["Interval=\(Self.text(of: span))"]
        case .once: ["Interval=once"]
        }
    }

    /// A length of time that reads back as the same one: `text` leaves out all but two units.
    static func text(of span: TimeSpan) -> String {
        if TimeSpan(span.text) == span { return span.text }
        let microseconds = span.microseconds
        if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
        return microseconds % 1_000 == 0 ? "\(microseconds / 1_000)ms" : "\(microseconds)us"
    }

    /// A text for one line of the file. A backslash at its end would continue the line.
    static func line(_ text: String) -> String {
        var line = PlainText.line(text, upTo: 400)
        while line.hasSuffix("\\") || line.hasSuffix(" ") { line.removeLast() }
        return line.isEmpty || line.hasTooManyMarks ? "unnamed" : line
    }
}
