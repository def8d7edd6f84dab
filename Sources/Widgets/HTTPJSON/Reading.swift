// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// What to ask, and which parts of the answer to show.
struct ReadingPlan: Equatable {
    let url: String
    let value: String
    let format: String
    let decimals: Int?
    /// `Label=path`.
    let details: [(label: String, path: String)]
    /// The path of a change in percent.
    let change: String?
    let warning: (above: Double?, below: Double?)
    /// `Name: value`.
    let header: (name: String, value: String)?

    static func == (left: ReadingPlan, right: ReadingPlan) -> Bool {
        left.url == right.url && left.value == right.value && left.format == right.format
    }

    /// - Parameter setting: the value of a setting.
    init(_ setting: (String) -> String?) throws(WidgetFailure) {
        func text(_ name: String) -> String? { setting(name).map { Self.expanded($0, setting) } }
        guard let url = text("URL") else { throw WidgetFailure("URL is not set: set it with 'todayctl config'") }
        self.url = url
        value = text("VALUE") ?? ""
        format = setting("FORMAT") ?? "{}"
        decimals = setting("DECIMALS").flatMap { Int($0) }.map { min(max($0, 0), 8) }
        details = (text("DETAILS") ?? "").split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : (String(line), String(line))
        }
        change = text("CHANGE")
        warning = (setting("WARNING_ABOVE").flatMap { Double($0) }, setting("WARNING_BELOW").flatMap { Double($0) })
        if let line = setting("HEADER") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else {
                throw WidgetFailure("HEADER is not a header such as Authorization: Bearer TOKEN")
            }
            header = (String(parts[0]), String(parts[1].drop { $0 == " " }))
        } else {
            header = nil
        }
    }

    /// `${NAME}` is replaced by the value of a setting, encoded for a URL: a manifest for one service leaves the rest to its
    /// user.
    static func expanded(_ text: String, _ setting: (String) -> String?) -> String {
        var rest = text[...]
        var expanded = ""
        while let start = rest.firstIndex(of: "$") {
            expanded += rest[..<start]
            rest = rest[start...]
            if let end = rest.firstIndex(of: "}"), rest.hasPrefix("${") {
                expanded += HTTPServer.encoded(setting(String(rest[..<end].dropFirst(2))) ?? "")
                rest = rest[end...].dropFirst()
            } else {
                expanded.append(rest.removeFirst())
            }
        }
        return expanded + rest
    }

    func isWarned(_ number: Double) -> Bool {
        warning.above.map { number > $0 } == true || warning.below.map { number < $0 } == true
    }

    func read() async throws -> Reading {
        var request = HTTPServer.request(for: url, insteadBy: "HTTP_JSON_SERVER")
        request.headers.append("Accept", "application/json")
        if let header { request.headers.append(header.name, header.value) }
        return try Reading(try await request.send().json(), self)
    }
}

/// What is shown of an answer.
struct Reading {
    struct Row: Equatable {
        let label: String
        let text: String
    }

    let text: String
    let short: String
    let number: Double?
    let note: String?
    let noteColor: Color
    let severity: WidgetSummary.Severity
    let rows: [Row]

    init(_ answer: JSONValue, _ plan: ReadingPlan) throws(WidgetFailure) {
        let value = answer.at(plan.value)
        guard let plain = value.text.map({ Text.line(of: $0) }) else {
            throw WidgetFailure(
                plan.value.isEmpty
                    ? "VALUE is the path of a value, such as data.0.price"
                    : "the answer has no value at \(plan.value)")
        }
        number = value.double
        short = number.map { Self.text(of: $0, plan.decimals) } ?? plain
        text = Self.filled(plan.format, with: short)
        let change = plan.change.flatMap { answer.at($0).double }
        note = change.map { "\($0 < 0 ? "▼" : "▲") \(Self.text(of: abs($0), 1)) %" }
        noteColor = change.map { $0 < 0 ? .critical : .good } ?? .secondary
        severity = value.double.map(plan.isWarned) == true ? .warning : .normal
        rows = plan.details.map { label, path in
            let value = answer.at(path)
            return Row(
                label: label, text: value.double.map { Self.text(of: $0, nil) } ?? Text.line(of: value.text ?? "--"))
        }
    }

    /// The format with the number in place of each `{}`.
    private static func filled(_ format: String, with number: String) -> String {
        let parts = format.split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            text + (part.hasPrefix("}") ? number + part.dropFirst() : "{" + part)
        }
    }

    /// A number as people write it: with groups of thousands, and with as many decimals as it needs, at most two, or four below
    /// 1.
    static func text(of number: Double, _ decimals: Int?) -> String {
        let most = decimals ?? (abs(number) < 1 ? 4 : 2)
        var factor = 1.0
        for _ in 0..<most { factor *= 10 }
        let scaled = (abs(number) * factor).rounded()
        guard scaled < 9e15 else { return "\(number)" }
        let whole = Int(scaled / factor)
        var fraction = String(Int(scaled) - whole * Int(factor))
        while fraction.count < most { fraction = "0" + fraction }
        if decimals == nil { while fraction.last == "0" { fraction.removeLast() } }
        var digits = String(whole)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits.removeLast(3)
        }
        groups.insert(digits[...], at: 0)
        let sign = number < 0 && scaled > 0 ? "-" : ""
        return sign + groups.joined(separator: ",") + (most == 0 || fraction.isEmpty ? "" : ".\(fraction)")
    }
}
