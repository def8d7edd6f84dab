// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// How large content may be. The daemon does not trust widgets, and every host handles the content of every widget.
package enum ContentLimits {
    /// Every renderer recurses, and views that people read are far shallower.
    package static let viewDepth = 32
    package static let viewNodes = 2_000
    package static let pages = 64
    /// More than style sheets use.
    package static let classes = 16
    /// Bytes of a class, and of a variant.
    package static let classBytes = 64
    package static let metrics = 64
    /// Bytes of the name of a metric.
    package static let metricNameBytes = 64
    /// Bytes of the name of a symbol.
    package static let symbolBytes = 256
    package static let chartPoints = 4_096
    /// Points that the daemon puts into all history charts of one content together.
    package static let historyPoints = 16_384
    /// Bytes of one text, in UTF-8.
    package static let textBytes = 16_384
    /// Bytes of one line of the summary.
    package static let summaryBytes = 1_024
    /// An icon is one symbol; an emoji may have several scalars.
    package static let iconBytes = 64
    package static let imageBytes = 262_144
    /// JSON values in the whole content, including all numbers of charts.
    package static let values = 100_000
    /// Bytes of the whole content as JSON.
    package static let contentBytes = 1 << 20
    /// Bytes of a message with content, in which the sender may escape more characters than the daemon does.
    package static let messageBytes = 4 << 20
    package static let timelineEntries = 64
    /// The dates of a timeline, 1973 to 9999. A smaller number is usually a time in seconds.
    package static let dates =
        WallTime(
            microseconds: 100_000_000_000_000)...WallTime(
            microseconds: 253_402_300_799_999_999)
    /// Rows that a widget may ask for.
    package static let rows = 1...200
    /// A shorter wait would load the machine, and after a longer one the widget would seem dead.
    package static let nextUpdate = UpdatePlan.shortestInterval...TimeSpan.days(7)
    /// How old an answer that a program passes on may be. An older one counts as this old.
    package static let ages = TimeSpan.zero...TimeSpan.days(3_660)
    /// The most machines that an answer may have come through.
    package static let machines = 16
    /// The wait that a failed update may request, for example until next year's quota.
    package static let statedWait = UpdatePlan.shortestInterval...TimeSpan.days(366)
}

extension Content {
    private static let keys = [
        "text", "short", "severity", "color", "pages", "clicks", "metrics", "icon", "percentage", "tooltip", "classes",
        "variant", "compact", "expanded", "insets", "empty", "nextUpdate", "compactRows", "expandedRows", "relevance",
        "via",
    ]
    private static let timelineKeys = ["timeline", "policy", "after"]
    /// All fields that content may have.
    package static let fields = keys + timelineKeys
    /// Field names of Waybar and i3bar, with the names that todayd uses instead.
    private static let foreignKeys = [
        "alt": "\"icon\" (one symbol), \"short\" (a few characters) or \"variant\"", "class": severityAdvice,
        "full_text": "\"text\"", "short_text": "\"short\"",
        "urgent": "\"severity\": \"critical\"",
    ]
    private static let severityAdvice =
        "\"severity\" (\(Severity.allCases.map(\.rawValue).joined(separator: ", ")))"

    /// Decodes and validates content. Errors name the field by its path.
    package init(_ field: JSONField) throws(JSONMismatch) { try self.init(field, isEntry: false) }

    /// - Parameter isEntry: whether the content is an entry of a timeline. An entry has no timeline and no
    /// `nextUpdate`.
    init(_ field: JSONField, isEntry: Bool) throws(JSONMismatch) {
        _ = try field.object()
        if isEntry {
            for key in Self.timelineKeys + ["nextUpdate"] {
                if let other = try field.optional(key) { throw other.fail("is not for an entry of a timeline") }
            }
        }
        try field.noOtherKeys(than: isEntry ? Self.keys : Self.fields, foreign: Self.foreignKeys)
        let isEmpty = try field.optional("empty")?.bool() ?? false
        let summary = isEmpty ? try field.optional("text") : try field.required("text")
        text = try summary?.line(upTo: ContentLimits.summaryBytes) ?? ""
        if !isEmpty, text.isEmpty, let summary { throw summary.fail("is empty") }
        self.isEmpty = isEmpty
        short = try field.optional("short")?.line(upTo: ContentLimits.summaryBytes)
        severity = try field.optional("severity")?.choice(Severity.self) ?? .normal
        color = try field.optional("color")?.color()
        pages = try Page.read(from: field)
        takesClicks = try field.optional("clicks")?.bool() ?? false
        metrics = try Metric.read(from: field)
        icon = try field.optional("icon")?.line(upTo: ContentLimits.iconBytes)
        percentage = try field.optional("percentage")?.number(in: 0...100)
        tooltip = try field.optional("tooltip")?.plainText()
        classes = try Self.lines(field, "classes", upTo: ContentLimits.classes, "classes")
        variant = try field.optional("variant")?.line(upTo: ContentLimits.classBytes)
        nextUpdate = try field.optional("nextUpdate")?.timeSpan()
        if let field = try field.optional("insets") { insets = try Insets(field) }
        compactRows = try field.optional("compactRows")?.int(in: ContentLimits.rows)
        expandedRows = try field.optional("expandedRows")?.int(in: ContentLimits.rows)
        if let field = try field.optional("relevance") { relevance = try Relevance(field) }
        via = try Self.lines(field, "via", upTo: ContentLimits.machines, "machines")
        if !isEntry { timeline = try Timeline.read(from: field) }
        if timeline != nil, let other = try field.optional("nextUpdate") {
            throw other.fail("does not go with a timeline: its policy says when to ask next")
        }
        var budget = ViewBudget()
        if let view = try field.optional("compact") { compact = try View(view, budget: &budget) }
        if let view = try field.optional("expanded") { expanded = try View(view, budget: &budget) }
    }

    /// A list of words.
    private static func lines(
        _ field: JSONField, _ key: String, upTo most: Int, _ name: String
    ) throws(JSONMismatch) -> [String] {
        guard let list = try field.optional(key) else { return [] }
        let elements = try list.array()
        guard elements.count <= most else { throw list.fail("has more than \(most) \(name)") }
        var lines: [String] = []
        for element in elements { lines.append(try element.line(upTo: ContentLimits.classBytes)) }
        return lines
    }

    /// Shortens a line to the length of a summary.
    package static func summary(_ line: String) -> String { line.shortened(to: ContentLimits.summaryBytes - 3) }

    /// The content in the form of org.todayd.Today's `Content`. Members without a value are left out.
    package var json: JSON {
        var object = JSONObject()
        object["text"] = .string(text)
        object["short"] = short.map(JSON.string)
        object["severity"] = severity == .normal ? nil : .string(severity.rawValue)
        object["color"] = color.map { .string($0.text) }
        if !pages.isEmpty { object["pages"] = .array(pages.map(\.json)) }
        if takesClicks { object["clicks"] = true }
        if !metrics.isEmpty { object["metrics"] = Metric.json(metrics) }
        object["icon"] = icon.map(JSON.string)
        object["percentage"] = percentage.map(JSON.double)
        object["tooltip"] = tooltip.map(JSON.string)
        if !classes.isEmpty { object["classes"] = JSON(classes) }
        object["variant"] = variant.map(JSON.string)
        object["compact"] = compact?.json
        object["expanded"] = expanded?.json
        object["insets"] = insets?.json
        object["empty"] = isEmpty ? true : nil
        object["nextUpdate"] = nextUpdate.map { .int($0.microseconds) }
        object["compactRows"] = compactRows.map { JSON($0) }
        object["expandedRows"] = expandedRows.map { JSON($0) }
        object["relevance"] = relevance?.json
        if !via.isEmpty { object["via"] = JSON(via) }
        timeline?.write(to: &object)
        return .object(object)
    }
}

extension JSONField {
    /// A string that may be shown: within the limit, and without characters that could disturb a terminal.
    func plainText(upTo limit: Int = ContentLimits.textBytes, lines: Bool = true) throws(JSONMismatch) -> String {
        let text = try string()
        if let complaint = TextRule(mostBytes: limit, allowsLines: lines).complaint(about: text) {
            throw fail(complaint)
        }
        return text
    }

    package func line(upTo limit: Int = ContentLimits.textBytes) throws(JSONMismatch) -> String {
        try plainText(upTo: limit, lines: false)
    }

    func number(in range: ClosedRange<Double>) throws(JSONMismatch) -> Double {
        let value = try double()
        guard range.contains(value) else {
            let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
            throw fail("\(self.value.text) is not within \(low) to \(high)")
        }
        return value
    }

    /// `"5min"`, or a whole number of microseconds as the protocol has it.
    package func timeSpan(
        in limits: ClosedRange<TimeSpan> = ContentLimits.nextUpdate
    ) throws(JSONMismatch) -> TimeSpan {
        let span: TimeSpan
        if case .string(let text) = value {
            guard text.utf8.count <= 64, let read = TimeSpan(text) else {
                throw fail("\"\(text.shortened(to: 64))\" is not a time span such as 5min or 90s")
            }
            span = read
        } else {
            span = TimeSpan(microseconds: Int64(try int()))
        }
        guard limits.contains(span) else {
            let range = "between \(limits.lowerBound.text) and \(limits.upperBound.text)"
            if case .string = value { throw fail("is not \(range)") }
            throw fail("\(value.text) microseconds are not \(range); seconds are written as \"90s\"")
        }
        return span
    }
}
