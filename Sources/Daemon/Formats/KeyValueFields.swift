// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// The fields that the lines of `Protocol=keyvalue` set, as they are read.
struct KeyValueFields {
    /// `text`, or `metric.load1`.
    struct Key {
        let name: String
        let detail: String?

        var text: String { detail.map { "\(name).\($0)=" } ?? "\(name)=" }
    }

    private static let texts = ["text", "short", "severity", "icon", "color", "nextUpdate"]
    private static let flags = ["empty", "clicks"]
    /// Keys that may occur several times.
    private static let lists = ["tooltip", "page", "line", "detail", "progress", "chart", "metric", "button", "link"]
    private static let detailed = ["progress", "chart", "metric", "button", "link"]
    static let keys = texts + flags + ["percentage", "relevance"] + lists

    private var scalars = JSONObject()
    private var metrics = JSONObject()
    private var pages: [JSON] = []
    private var tooltip: [String] = []
    private var rows = RowList()
    /// The line that set each field last, by the field's name in JSON.
    private var lines: [String: Int] = [:]
    /// The numbers that charts refer to, and where.
    private var charted: [(name: String, place: String)] = []
    private var noted: [String] = []

    /// Whether there is something to show, or the widget says that there is nothing.
    var hasText: Bool { scalars.contains("text") || scalars["empty"] == true }

    private var isFull: Bool { noted.count > ReadContent.mostNotes }

    mutating func note(_ text: String) {
        if !isFull { noted.append(text) }
    }

    /// The notes on all lines. A later line may define the number that a chart refers to.
    var notes: [String] {
        let unknown = charted.filter { !hasNumber($0.name) }
        let names = metrics.keys + (scalars.contains("percentage") ? [History.percentage] : [])
        return noted
            + unknown.map { name, place in
                let hint = hint(for: name, among: names, JSONField.quoted)
                return "\(place): no number here has the name \(JSONField.quoted(name))\(hint)"
            }
    }

    private func hasNumber(_ name: String) -> Bool {
        metrics.contains(name) || scalars.contains("percentage") && name.utf8.elementsEqual(History.percentage.utf8)
    }

    mutating func set(_ key: Key, _ written: String, line: Int) throws(OutputError) {
        var value = written
        let place = "line \(line): \(key.text)"
        guard Self.keys.contains(key.name) else {
            // Only for notes that are kept, because finding the nearest name takes long.
            let complaint = isFull ? nil : KnownKeys.complaint(about: key.name, among: Self.keys)
            return note("\(place): \(complaint ?? "")")
        }
        if key.detail != nil, !Self.detailed.contains(key.name) {
            return note("\(place): \(key.name)= has nothing after the dot")
        }
        // Text that a script passes on, such as the title of a song, may contain any character.
        if let complaint = TextRule(mostBytes: ContentLimits.textBytes).complaint(about: written) {
            note("\(place): \(complaint)")
            value = PlainText.line(written, upTo: ContentLimits.textBytes)
        }
        if let detail = key.detail, let complaint = TextRule(mostBytes: 256).complaint(about: detail) {
            throw OutputError("line \(line): the name after \(key.name). \(complaint)")
        }
        if !Self.lists.contains(key.name), lines[key.name] != nil { note("\(place): set again, and the last counts") }
        lines[Self.field(of: key.name)] = line
        switch key.name {
        case "tooltip": tooltip.append(value)
        case "page": pages.append(.string(value))
        case "percentage": scalars["percentage"] = .double(try Self.percentage(value, place))
        case "relevance": scalars["relevance"] = ["score": .double(try Self.number(value, place))]
        case "metric":
            guard let name = key.detail, !name.isEmpty else { throw OutputError("\(place): write metric.NAME=NUMBER") }
            if metrics.contains(name) { note("\(place): set again, and the last counts") }
            metrics[name] = .double(try Self.number(value, place))
        case "color": scalars["color"] = .string(CSSColor.color(value)?.text ?? value)
        case let name where Self.flags.contains(name): scalars[name] = .bool(try Self.flag(value, place))
        case let name where Self.texts.contains(name): scalars[name] = .string(value)
        default: try addRow(key, value, place)
        }
    }

    private mutating func addRow(_ key: Key, _ value: String, _ place: String) throws(OutputError) {
        let detail = key.detail ?? ""
        let row: View
        switch key.name {
        case "progress":
            var progress = View.Progress(value: try Self.percentage(value, place) / 100)
            progress.label = detail.isEmpty ? nil : detail
            row = .progress(progress)
        case "chart":
            if let complaint = TextRule(mostBytes: ContentLimits.metricNameBytes).complaint(about: value) {
                throw OutputError("\(place): \(complaint)")
            }
            guard !value.isEmpty else { throw OutputError("\(place): write chart=NAME, the name of a number") }
            var chart = View.Chart(history: value)
            chart.label = detail.isEmpty ? nil : detail
            row = .chart(chart)
            if charted.count <= ReadContent.mostNotes { charted.append((value, place)) }
        case "button":
            guard !detail.isEmpty, !value.isEmpty else { throw OutputError("\(place): write button.ACTION=TITLE") }
            return rows.add(button: View.Button(title: value, action: detail))
        case "detail":
            var text = View.Text(value)
            text.color = .meaning(.secondary)
            row = .text(text)
        case "link":
            guard URLScheme.of(value) != nil else {
                throw OutputError("\(place): \(JSONField.quoted(value)) is not a URL")
            }
            row = .link(View.Link(title: detail.isEmpty ? value : detail, url: value))
        default:
            return rows.add(line: value)
        }
        rows.add(row, bytes: detail.utf8.count + value.utf8.count)
    }

    // MARK: Values

    private static func number(_ text: String, _ place: String) throws(OutputError) -> Double {
        guard let number = LeadingNumber.only(text) else {
            throw OutputError("\(place): \(JSONField.quoted(text)) is not a number")
        }
        return number
    }

    /// `62`, `62%` or `62 %`.
    private static func percentage(_ text: String, _ place: String) throws(OutputError) -> Double {
        guard let number = LeadingNumber.percent(text) else {
            throw OutputError("\(place): \(JSONField.quoted(text)) is not a number")
        }
        guard (0...100).contains(number) else { throw OutputError("\(place): \(text) is not within 0 to 100") }
        return number
    }

    private static func flag(_ text: String, _ place: String) throws(OutputError) -> Bool {
        switch text {
        case "yes", "true", "1", "on": return true
        case "no", "false", "0", "off": return false
        default: throw OutputError("\(place): expected yes or no, found \(JSONField.quoted(text))")
        }
    }

    // MARK: Content

    /// The name of a key's field in JSON.
    private static func field(of key: String) -> String {
        switch key {
        case "page": "pages"
        case "metric": "metrics"
        case "line", "detail", "progress", "chart", "button", "link": "compact"
        default: key
        }
    }

    /// The object as Protocol=json would have it.
    var object: JSONObject {
        var object = scalars
        if let tooltip = LenientText.block(tooltip) { object["tooltip"] = .string(tooltip) }
        if !pages.isEmpty { object["pages"] = .array(pages) }
        if !metrics.isEmpty { object["metrics"] = .object(metrics) }
        let text = scalars["text"]?.stringValue
        let views = rows.views().map { Self.withoutRepeating(text, in: $0).json }
        if !views.isEmpty { object["compact"] = .array((scalars["text"].map { [$0] } ?? []) + views) }
        return object
    }

    /// A bar below a summary `45 %` does not repeat `45%`.
    private static func withoutRepeating(_ text: String?, in view: View) -> View {
        guard case .progress(var progress) = view, progress.label == nil, let text,
            let percentage = LeadingNumber.percent(text), percentage.rounded() == (progress.value * 100).rounded()
        else { return view }
        progress.text = ""
        return .progress(progress)
    }

    /// Turns an error about the object into one with the line.
    func error(_ mismatch: JSONMismatch) -> OutputError {
        let field = String(mismatch.path.prefix { $0 != "." && $0 != "[" })
        guard let line = lines[field] else { return OutputError(mismatch.description) }
        let key = Self.keys.contains(field) ? "\(field)=: " : "\(field): "
        return OutputError("line \(line): \(key)\(mismatch.reason)")
    }
}
