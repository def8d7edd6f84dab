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
    private static let ofTimeline = ["timeline", "policy", "after"]
    /// All fields that content may have.
    package static let fields = names
    /// Field names of Waybar and i3bar, with the names that todayd uses instead.
    private static let foreignKeys = [
        "alt": "\"icon\" (one symbol), \"short\" (a few characters) or \"variant\"", "class": severityAdvice,
        "full_text": "\"text\"", "short_text": "\"short\"",
        "urgent": "\"severity\": \"critical\"",
    ]
    private static let severityAdvice =
        "\"severity\" (\(Severity.allCases.map(\.rawValue).joined(separator: ", ")))"

    /// - Parameter isEntry: whether the content is an entry of a timeline. An entry has no timeline and no
    /// `nextUpdate`.
    init(_ field: JSONField, isEntry: Bool) throws(JSONMismatch) {
        if isEntry {
            for key in Self.ofTimeline + ["nextUpdate"] {
                if let other = try field.optional(key) { throw other.fail("is not for an entry of a timeline") }
            }
        }
        try self.init(exactly: field, foreign: Self.foreignKeys)
    }

    /// Shortens a line to the length of a summary.
    package static func summary(_ line: String) -> String { line.shortened(to: ContentLimits.summaryBytes - 3) }
}

/// In the form of org.todayd.Today's `Content`.
extension Content: WireObject {
    package static var blank: Self { Self(text: "") }

    /// Decodes and validates content. Errors name the field by its path.
    package init(_ field: JSONField) throws(JSONMismatch) { try self.init(field, isEntry: false) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("text", .string(text))
        members.read { field throws(JSONMismatch) in
            isEmpty = try field.optional("empty")?.bool() ?? false
            let summary = isEmpty ? try field.optional("text") : try field.required("text")
            text = try summary?.text(.summary) ?? ""
            if !isEmpty, text.isEmpty, let summary { throw summary.fail("is empty") }
        }
        members("short", &short, .summary)
        members("severity", &severity, unless: .normal)
        members("color", &color)
        members.write("pages", pages.json, unless: pages.isEmpty)
        members.read("pages") { list throws(JSONMismatch) in
            pages = try list.array(upTo: ContentLimits.pages, Page.read)
        }
        members("clicks", &takesClicks, unless: false)
        members.write("metrics", Metric.json(metrics), unless: metrics.isEmpty)
        members.read("metrics") { field throws(JSONMismatch) in metrics = try Metric.read(field) }
        members("icon", &icon, TextRule(mostBytes: ContentLimits.iconBytes))
        members("percentage", &percentage, 0...100)
        members("tooltip", &tooltip, .text)
        let ofClass = TextRule(mostBytes: ContentLimits.classBytes)
        members("classes", &classes, upTo: ContentLimits.classes, ofClass)
        members("variant", &variant, ofClass)
        members.write("compact", compact?.json)
        members.write("expanded", expanded?.json)
        members.read { field throws(JSONMismatch) in
            var budget = ViewBudget()
            if let view = try field.optional("compact") { compact = try View(view, budget: &budget) }
            if let view = try field.optional("expanded") { expanded = try View(view, budget: &budget) }
        }
        members("insets", &insets)
        members.write("empty", true, unless: !isEmpty)
        members.write("nextUpdate", nextUpdate?.json)
        members.read("nextUpdate") { field throws(JSONMismatch) in nextUpdate = try field.timeSpan() }
        members("compactRows", &compactRows, ContentLimits.rows)
        members("expandedRows", &expandedRows, ContentLimits.rows)
        members("relevance", &relevance)
        members("via", &via, upTo: ContentLimits.machines, ofClass)
        Timeline.list(&timeline, &members)
        members.read { field throws(JSONMismatch) in
            if timeline != nil, let other = try field.optional("nextUpdate") {
                throw other.fail("does not go with a timeline: its policy says when to ask next")
            }
        }
    }
}

extension JSONField {
    /// A string that may be shown: within the limit, and without characters that could disturb a terminal.
    func text(_ rule: TextRule) throws(JSONMismatch) -> String {
        let text = try string()
        if let complaint = rule.complaint(about: text) { throw fail(complaint) }
        return text
    }

    package func line(upTo limit: Int) throws(JSONMismatch) -> String { try text(TextRule(mostBytes: limit)) }

    /// - Parameter most: the most elements.
    func array<Element>(
        upTo most: Int, _ read: (JSONField) throws(JSONMismatch) -> Element
    ) throws(JSONMismatch) -> [Element] {
        let fields = try array()
        if fields.count > most { throw fail("has \(fields.count) elements, more than \(most)") }
        var elements: [Element] = []
        elements.reserveCapacity(fields.count)
        for field in fields { elements.append(try read(field)) }
        return elements
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
