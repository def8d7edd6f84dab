// SPDX-License-Identifier: MIT
import TodayModel

/// `Protocol=nagios`: a monitoring plugin. Its exit status is the severity, or in a stream the word in its first line, which is
/// the summary; values follow after `|` (docs/content.md).
enum NagiosFormat {
    static func content(from output: ProgramOutput) throws(OutputError) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let bytes = LenientText.bytes(of: output.bytes) { read.note($0) }
        let printed = PluginOutput(bytes)
        guard let markup = printed.summary else { throw .empty }
        for note in printed.data.notes { read.note(note) }
        let full = PangoText(markup, .html).text
        let status = output.status ?? Self.status(inWords: full)
        read.content.text = summary(full, status: status)
        read.content.severity = severity(status)
        let measured = setValues(printed.data, in: &read)
        let details = printed.details.views()
        guard !details.isEmpty || printed.data.count > 0 else { return read }
        read.content.tooltip = LenientText.block(
            printed.details.rows.compactMap { row in
                if case .text(let text) = row { text.text } else { nil }
            })
        let line = LenientText.trimmed(LenientText.line(full))
        let first = View.text(View.Text(line.isEmpty ? read.content.text : line))
        read.content.expanded = .stack(
            View.Stack(.vertical, [first] + details + printed.data.views(within: status) + chart(of: measured)))
        return read
    }

    /// A chart of one value: the first with a percentage, or otherwise the first. Many checks have one value that matters, and
    /// print it first. The line of a counter would only rise.
    private static func chart(of values: [PerformanceValue]) -> [View] {
        let charted = values.first { $0.percentage != nil } ?? values.first { $0.unit != "c" }
        return charted.map { [$0.chart] } ?? []
    }

    /// A check that finds nothing wrong asks for no attention, so that coloured ones stand out among dozens: it is normal, not
    /// good. A check that could not tell has found nothing either.
    private static func severity(_ status: Int32?) -> Severity {
        switch status {
        case nil, 0?: .normal
        case 1?: .warning
        case 2?: .critical
        default: .info
        }
    }

    /// By their statuses.
    private static let words = ["OK", "WARNING", "CRITICAL", "UNKNOWN"]

    private static func word(_ status: Int32) -> String {
        words.indices.contains(Int(status)) ? words[Int(status)] : "UNKNOWN"
    }

    /// The status that the first known word stands for; nil if a text has none.
    private static func status(inWords line: String) -> Int32? {
        let letters = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        for part in letters {
            if let status = words.firstIndex(where: { $0 == part }) { return Int32(status) }
        }
        return letters.isEmpty ? 3 : nil
    }

    /// The first line without the plugin's own name for its status. For a check that could not tell, says so.
    private static func summary(_ line: String, status: Int32?) -> String {
        let text = LenientText.summary(line)
        guard !text.isEmpty else { return word(status ?? 3) }
        guard let status, word(status) == "UNKNOWN", Array(text.uppercased().utf8)[...].position(of: "UNKNOWN") == nil
        else {
            return text
        }
        return LenientText.summary("UNKNOWN: \(text)")
    }

    /// - Returns: the values that are metrics.
    private static func setValues(_ data: PerformanceData, in read: inout ReadContent) -> [PerformanceValue] {
        var names: Set<String> = []
        var measured: [PerformanceValue] = []
        for value in data.values {
            guard let number = value.value else { continue }
            let name = value.metricName
            guard !names.contains(name) else {
                read.note("\(name): the plugin gives it twice, and the first counts")
                continue
            }
            guard names.count < ContentLimits.metrics else {
                read.note("more than \(ContentLimits.metrics) values: the first are kept")
                break
            }
            guard let metric = Metric(name, number) else { continue }
            names.insert(name)
            read.content.metrics.append(metric)
            measured.append(value)
        }
        read.content.percentage = data.values.lazy.compactMap(\.percentage).first
        return measured
    }
}

/// The parts of a plugin's output: a line, values after `|`, more lines, and after another `|` values to the end.
struct PluginOutput {
    /// The first line up to its `|`; nil if the plugin printed nothing.
    private(set) var summary: String?
    private(set) var details = RowList()
    private(set) var data = PerformanceData()

    init(_ bytes: [UInt8]) {
        var lines = ByteLines(bytes[...])
        var isData = false
        var blank = 0
        while let line = lines.next() {
            if isData {
                data.read(line, line: lines.number)
            } else if summary != nil || !line.trimmed.isEmpty {
                let (text, values) = Self.parts(of: line)
                if summary == nil {
                    summary = text.text
                } else {
                    addDetail(text, blank: &blank)
                    isData = values != nil
                }
                if let values { data.read(values, line: lines.number) }
            }
        }
    }

    /// What is before the first `|` and after it. In a usage message such as `{-p path | -x device}`, the `|` separates no
    /// values.
    private static func parts(of line: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, values: ArraySlice<UInt8>?) {
        guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else { return (line, nil) }
        let values = line[(bar + 1)...]
        guard values.contains(UInt8(ascii: "=")) || values.trimmed.isEmpty else { return (line, nil) }
        return (line[..<bar], values)
    }

    /// Blank lines count when another line follows them.
    private mutating func addDetail(_ line: ArraySlice<UInt8>, blank: inout Int) {
        guard !line.trimmed.isEmpty else {
            blank += 1
            return
        }
        for _ in 0..<min(blank, RowList.most) { details.add(line: "") }
        details.leaveOut(blank - RowList.most)
        blank = 0
        let (texts, count) = LenientText.split(PangoText(line.text, .html).text, most: RowList.most)
        for text in texts { details.add(line: text) }
        details.leaveOut(count - texts.count)
    }
}
