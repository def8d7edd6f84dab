// SPDX-License-Identifier: MIT

import TodayModel

/// The output of a monitoring plugin: the status and the text, the numbers after `|`, and below that a line for each widget if
/// there are several (the guidelines of the Monitoring Plugins).
struct NagiosForm {
    /// The exit status of a monitoring plugin.
    enum Status: Int32 {
        case ok, warning, critical, unknown

        var word: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }

        /// From the best to the worst: a known problem is worse than an unknown state.
        private var rank: Int {
            switch self {
            case .ok: 0
            case .unknown: 1
            case .warning: 2
            case .critical: 3
            }
        }

        static func worst(_ statuses: some Sequence<Status>) -> Status? {
            statuses.max { $0.rank < $1.rank }
        }
    }

    private let items: [Item]
    private let presentation: Presentation
    let status: Status

    init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
        status = Status.worst(items.map(Self.status)) ?? .unknown
    }

    /// Stale content is a warning, and a failing widget or one without an answer is unknown, unless the content says something
    /// worse. A widget with nothing to show is fine; about one that does not run nothing is known.
    static func status(of item: Item) -> Status {
        switch item.state {
        case .empty, .hidden: return .ok
        case .disabled, .masked: return .unknown
        case .ready, .waiting, .failing, .invalid: break
        }
        var found: [Status] = [.ok]
        switch item.content?.severity {
        case .critical: found.append(.critical)
        case .warning: found.append(.warning)
        case .normal, .good, .info: break
        case nil: found.append(.unknown)
        }
        if item.stale { found.append(.warning) }
        if item.isFailing || item.isPlaceholder { found.append(.unknown) }
        return Status.worst(found) ?? .unknown
    }

    var text: String {
        var first = "\(status.word): \(summary)"
        if !performance.isEmpty { first += " | \(performance)" }
        let rest =
            items.count > 1 ? items.map { "[\(Self.status(of: $0).word)] \(Self.line(about: $0, presentation))" } : []
        return ([first] + rest).map { $0 + "\n" }.joined()
    }

    /// The report of an error to a monitor, which reads standard output: unknown.
    static func unknown(_ reason: String) -> String {
        "\(Status.unknown.word): \(escaped(Printable(reason, .unicode).text))\n"
    }

    /// The widgets that determine the status.
    private var summary: String {
        if items.isEmpty { return "no widget is shown" }
        if status == .ok, items.count > 1 { return "\(items.count) widgets" }
        return items.filter { Self.status(of: $0) == status }.map { Self.line(about: $0, presentation) }
            .joined(separator: "; ")
    }

    private static func line(about item: Item, _ presentation: Presentation) -> String {
        let name = presentation.printable(item.name).text
        let text = item.isVisible ? item.content.map { presentation.printable($0.text).text } : nil
        let failure = item.isFailing ? item.failure.map { presentation.printable($0).text } : nil
        let words = [text, item.mark(at: presentation.now), failure].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
        return escaped(words.isEmpty ? name : "\(name): \(words)")
    }

    /// Numbers begin after the first `|`, which cannot be escaped, so a broken bar replaces it.
    static func escaped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "|" ? "¦" : $0 }))
    }

    // MARK: Numbers

    private var performance: String {
        items.flatMap { item -> [String] in
            let prefix = items.count > 1 ? item.id.text + " " : ""
            func datum(_ name: String, _ value: String) -> String { "\(Self.label(prefix + name))=\(value)" }
            var data: [String] = []
            if let percentage = item.content?.percentage, percentage.isFinite {
                data.append(datum("percentage", "\(Self.number(percentage))%;;;0;100"))
            }
            let age = item.age(at: presentation.now)
            // Each label is used once, and a number of the widget cannot replace one of todayd's.
            let taken = (data.isEmpty ? [] : ["percentage"]) + (age == nil ? [] : ["age"])
            for metric in item.content?.metrics ?? [] where !taken.contains(metric.name) {
                data.append(datum(metric.name, Self.number(metric.value)))
            }
            if let age { data.append(datum("age", "\(max(age.microseconds, 0) / 1_000_000)s")) }
            return data
        }.joined(separator: " ")
    }

    /// In quotes; a quote in it is doubled. Some readers end a label at `=`.
    static func label(_ name: String) -> String {
        var label = "'"
        for scalar in Printable(name, .unicode).text.unicodeScalars {
            switch scalar {
            case "'": label += "''"
            case "=": label += ":"
            case "|": label += "¦"
            default: label.unicodeScalars.append(scalar)
            }
        }
        return label + "'"
    }

    /// Digits, a sign and a point: the format has no exponents, and `U` stands for numbers that cannot be written like that.
    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        let text = "\(value)"
        if !text.utf8.contains(UInt8(ascii: "e")) { return text }
        if !(abs(value) < 1) { return "U" }
        let millionths = Int64((value * 1_000_000).rounded())
        let digits = "\(abs(millionths) + 1_000_000)".dropFirst()
        return "\(millionths < 0 ? "-" : "")0.\(digits)"
    }
}
