// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// `Protocol=waybar`: a custom module of Waybar. One object, `{"text": "62 %", "class": "warning"}`, or the lines text,
/// tooltip and class (docs/content.md). A custom block of i3status-rust with `json = true` has an object, too.
enum WaybarFormat {
    static let moduleKeys = ["text", "alt", "tooltip", "class", "percentage"]
    static let blockKeys = ["text", "short_text", "icon", "state"]
    private static let keys = moduleKeys + blockKeys.dropFirst()

    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let bytes = LenientText.bytes(of: output) { read.note($0) }
        if let start = bytes.firstIndex(where: { !$0.isSpace }), bytes[start] == UInt8(ascii: "{") {
            try readObject(bytes, from: start, into: &read)
        } else {
            readLines(bytes, into: &read)
        }
        read.content.isEmpty = read.content.text.isEmpty
        return read
    }

    // MARK: Lines

    private static func readLines(_ bytes: [UInt8], into read: inout ReadContent) {
        var lines = ByteLines(bytes[...])
        while let line = lines.next() {
            switch lines.number {
            case 1:
                setText(line.text, at: "line 1", in: &read)
                if line.trimmed.first == UInt8(ascii: "["), (try? LenientJSON.parse(line)) != nil {
                    read.note("line 1 is an array and shown as text; an object would be {\"text\": \"62 %\"}")
                }
            case 2: read.content.tooltip = tooltip(line.text, at: "line 2", noting: &read)
            case 3: setClasses([line.text], in: &read)
            default:
                guard line.trimmed.isEmpty else {
                    read.note("line \(lines.number) and what follows are not shown: a module has three lines")
                    return
                }
            }
        }
    }

    // MARK: JSON

    private static func readObject(_ bytes: [UInt8], from start: Int, into read: inout ReadContent) throws(OutputError)
    {
        // Waybar reads one line, but an object in several lines is just as clear.
        let part = LenientJSON.balanced(bytes[start...]) ?? bytes[start...]
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try LenientJSON.parse(part)
        } catch {
            throw LenientJSON.error(error, in: part, of: bytes)
        }
        guard let object = json.objectValue else { return }
        if !bytes[part.endIndex...].trimmed.isEmpty {
            let line = LenientJSON.line(of: part.endIndex - 1, in: bytes)
            read.note("line \(line): the object ends here, and what follows is not read")
        }
        for (key, value) in object {
            if let complaint = KnownKeys.complaint(about: key, among: keys) {
                read.note("\(String(key.prefix(64))): \(complaint)")
            } else if key != "class", value.arrayValue != nil || value.objectValue != nil {
                read.note("\(key): expected a string, found \(value.kind)")
            }
        }
        setText(LenientJSON.text(object["text"]), at: "text", in: &read)
        if object["text"] == nil { read.note("text is missing, so there is nothing to show") }
        read.content.tooltip = tooltip(LenientJSON.text(object["tooltip"]), at: "tooltip", noting: &read)
        setAlternative(LenientJSON.text(object["alt"]), in: &read)
        setClasses(classes(object["class"], noting: &read), in: &read)
        setBlock(object, in: &read)
        if let number = read.setPercentage(LenientJSON.text(object["percentage"]), at: "percentage"),
            let metric = Metric("percentage", number)
        {
            read.content.metrics = [metric]
        }
    }

    /// The fields that a block of i3status-rust has and a module of Waybar has not. An icon is often a name from its icon sets.
    private static func setBlock(_ object: JSONObject, in read: inout ReadContent) {
        let short = LenientJSON.text(object["short_text"])
        if !short.isEmpty {
            read.content.short = LenientText.summary(read.markup(short, at: "short_text").text)
        }
        if let symbol = symbol(LenientJSON.text(object["icon"])) { read.content.icon = symbol }
        let state = ClassWords.severity([LenientJSON.text(object["state"])])
        if read.content.severity == .normal { read.content.severity = state }
    }

    private static func classes(_ value: JSON?, noting read: inout ReadContent) -> [String] {
        guard let value, value != .null else { return [] }
        guard value.objectValue == nil else {
            read.note("class: expected a string or an array of strings, found an object")
            return []
        }
        let elements = value.arrayValue ?? [value]
        if let other = elements.first(where: { $0.arrayValue != nil || $0.objectValue != nil }) {
            read.note("class: expected an array of strings, found \(other.kind) in it")
        }
        return elements.map { LenientJSON.text($0) }
    }

    // MARK: Both

    private static func setText(_ text: String, at place: String, in read: inout ReadContent) {
        let pango = read.markup(text, at: place)
        read.content.text = LenientText.summary(pango.text)
        read.content.color = pango.color
    }

    private static func tooltip(_ text: String, at place: String, noting read: inout ReadContent) -> String? {
        LenientText.block(read.markup(text, at: place).text)
    }

    private static func setClasses(_ names: [String], in read: inout ReadContent) {
        read.content.severity = ClassWords.severity(names)
        let classes = names.map { LenientText.line($0, upTo: ContentLimits.classBytes) }.filter { !$0.isEmpty }
        if classes.count > ContentLimits.classes { read.note("class: the first \(ContentLimits.classes) count") }
        read.content.classes = Array(classes.prefix(ContentLimits.classes))
    }

    /// An alternative selects one of the icons in the configuration of a bar, and is not text to show. If it is one symbol, it
    /// becomes the icon.
    private static func setAlternative(_ text: String, in read: inout ReadContent) {
        let word = LenientText.line(text, upTo: ContentLimits.classBytes)
        read.content.variant = word.isEmpty ? nil : word
        read.content.icon = symbol(text)
    }

    private static func symbol(_ text: String) -> String? {
        let symbol = LenientText.summary(text)
        guard symbol.utf8.count <= ContentLimits.iconBytes, symbol.count == 1, let first = symbol.unicodeScalars.first
        else { return nil }
        let isEmoji = first.properties.isEmojiPresentation || symbol.unicodeScalars.contains("\u{fe0f}")
        switch first.properties.generalCategory {
        case .otherSymbol, .mathSymbol, .privateUse: return symbol
        default: return isEmoji ? symbol : nil
        }
    }
}

/// The words by which style sheets of bars colour modules.
enum ClassWords {
    static let words: [(severity: Severity, words: [String])] = [
        (.critical, ["critical", "error", "urgent", "danger", "alert", "failed"]),
        (.warning, ["warning", "warn", "low"]),
        (.info, ["info"]),
        (.good, ["good", "ok", "success", "connected", "up", "charging"]),
    ]
    private static let negations = ["not", "no", "non"]
    /// Longer than any class, and more classes than a module has.
    private static let mostBytes = 256
    private static let mostClasses = 64

    /// The most urgent of some classes, such as `battery-critical`. A class with other words alone is normal.
    static func severity(_ classes: [String]) -> Severity {
        var found: Set<Severity> = []
        for name in classes.prefix(mostClasses) where name.utf8.count <= mostBytes {
            let parts = name.lowercased().split { !$0.isLetter }.map(String.init)
            if parts.contains(where: negations.contains) { continue }
            for (severity, words) in words where parts.contains(where: words.contains) { found.insert(severity) }
        }
        return words.first { found.contains($0.severity) }?.severity ?? .normal
    }
}
