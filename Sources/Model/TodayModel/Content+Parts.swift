// SPDX-License-Identifier: MIT
import JSON

/// A further summary in one line.
package struct Page: Hashable, Sendable {
    package var text: String
    package var color: Color?

    package init(_ text: String, color: Color? = nil) {
        self.text = text
        self.color = color
    }
}

extension Page {
    static func read(from content: JSONField) throws(JSONMismatch) -> [Page] {
        guard let field = try content.optional("pages") else { return [] }
        let fields = try field.array()
        guard fields.count <= ContentLimits.pages else {
            throw field.fail("has more than \(ContentLimits.pages) pages")
        }
        var pages: [Page] = []
        for field in fields { pages.append(try Page(field)) }
        return pages
    }

    /// A string alone is a page without a colour.
    private init(_ field: JSONField) throws(JSONMismatch) {
        if case .string = field.value {
            self.init(try field.line(upTo: ContentLimits.summaryBytes))
        } else {
            try field.noOtherKeys(than: ["text", "color"])
            self.init(
                try field.required("text").line(upTo: ContentLimits.summaryBytes),
                color: try field.optional("color")?.color())
        }
    }

    var json: JSON {
        var object: JSONObject = ["text": .string(text)]
        object["color"] = color.map { .string($0.text) }
        return .object(object)
    }
}

/// One number of a widget at the time of its content: `load1` is 0.3.
package struct Metric: Hashable, Sendable {
    package var name: String
    package var value: Double

    /// Nil for a name that is empty, too long or not plain text, and for a value that is not a number.
    package init?(_ name: String, _ value: Double) {
        let rule = TextRule(mostBytes: ContentLimits.metricNameBytes)
        guard !name.isEmpty, rule.complaint(about: name) == nil, value.isFinite else { return nil }
        self.name = name
        self.value = value
    }
}

extension Metric {
    static func read(from content: JSONField) throws(JSONMismatch) -> [Metric] {
        guard let field = try content.optional("metrics") else { return [] }
        let members = try field.members()
        guard members.count <= ContentLimits.metrics else {
            throw field.fail("has more than \(ContentLimits.metrics) metrics")
        }
        var metrics: [Metric] = []
        for (name, value) in members {
            guard let metric = Metric(name, try value.double()) else {
                throw value.fail(
                    "has a name that is empty, longer than \(ContentLimits.metricNameBytes) bytes or no plain text")
            }
            metrics.append(metric)
        }
        return metrics
    }

    static func json(_ metrics: [Metric]) -> JSON {
        var object = JSONObject()
        for metric in metrics { object[metric.name] = .double(metric.value) }
        return .object(object)
    }
}

/// A click on the summary of a widget that takes clicks, by the number of the mouse button as X11 counts: 1 primary,
/// 2 middle, 3 secondary, 4 to 7 the wheel, 8 back, 9 forward.
package struct Click: Hashable, Sendable {
    package static let buttons = 1...9

    package let button: Int

    package init?(button: Int) {
        guard Self.buttons.contains(button) else { return nil }
        self.button = button
    }

    /// The action of the widget that stands for the click: `click-1`.
    package var action: String { "click-\(button)" }

    package init?(action: String) {
        guard action.hasPrefix("click-"), let button = Int(action.dropFirst("click-".count)) else { return nil }
        self.init(button: button)
        guard self.action == action else { return nil }
    }

    package static let all = buttons.compactMap(Click.init(button:))
}
