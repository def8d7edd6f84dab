// SPDX-License-Identifier: MIT

import TodayModel

/// The text format 0.0.4 of Prometheus, which its servers and the textfile collector of the node exporter read. It contains
/// numbers but no texts of widgets, because each new value of a label makes a new series.
enum PrometheusForm {
    /// The measurements of each widget.
    private enum Family: String, CaseIterable {
        case percentage
        case age = "age_seconds"
        case failing, stale, state, severity, metric

        var name: String { "today_widget_\(rawValue)" }

        var help: String {
            switch self {
            case .percentage: "Percentage that the widget shows, 0 to 100."
            case .age: "Seconds since the content was taken or confirmed."
            case .failing: "Whether the last run has failed, or the manifest is invalid."
            case .stale: "Whether the content is outdated."
            case .state: "1 for the state that the widget is in, 0 for all others."
            case .severity: "1 for the severity of the content, 0 for all others."
            case .metric: "Last value of a number of which todayd keeps a history."
            }
        }

        func samples(of item: Item, at now: WallTime) -> [Sample] {
            switch self {
            case .percentage: item.content?.percentage.map { [Sample($0)] } ?? []
            case .age: item.age(at: now).map { [Sample(Double($0.microseconds) / 1_000_000)] } ?? []
            case .failing: [Sample(item.isFailing)]
            case .stale: [Sample(item.stale)]
            case .state: WidgetState.allCases.map { Sample($0 == item.state, "state", $0.rawValue) }
            case .severity:
                item.content.map { content in
                    Severity.allCases.map { Sample($0 == content.severity, "severity", $0.rawValue) }
                } ?? []
            case .metric: item.content?.metrics.map { Sample($0.value, "metric", $0.name) } ?? []
            }
        }
    }

    /// A value with its label, in addition to those of the widget.
    private struct Sample {
        let value: Double
        var label: (name: String, value: String)?

        init(_ value: Double, _ label: String, _ text: String) {
            self.value = value
            self.label = (label, text)
        }

        init(_ isTrue: Bool, _ label: String, _ text: String) { self.init(isTrue ? 1 : 0, label, text) }

        init(_ value: Double) { self.value = value }

        init(_ isTrue: Bool) { self.init(isTrue ? 1 : 0) }
    }

    static func text(_ items: [Item], now: WallTime) -> String {
        var text = ""
        for family in Family.allCases {
            var lines = ""
            for item in items {
                for sample in family.samples(of: item, at: now) {
                    var labels = "widget=\"\(escaped(item.id.text))\",name=\"\(escaped(item.name))\""
                    if let (name, value) = sample.label { labels += ",\(name)=\"\(escaped(value))\"" }
                    lines += "\(family.name){\(labels)} \(number(sample.value))\n"
                }
            }
            if lines.isEmpty { continue }
            text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) gauge\n\(lines)"
        }
        return text
    }

    /// The value of a label. Characters that terminals interpret are replaced; every other one stands for itself, so that
    /// different names stay different series.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": escaped.append(contentsOf: "\\\"".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            default: escaped.append(scalar.isDisplayControl ? "\u{fffd}" : scalar)
            }
        }
        return String(escaped)
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Setting.text(of: value)
    }
}
