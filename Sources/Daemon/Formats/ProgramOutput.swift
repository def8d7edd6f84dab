// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// What a program printed, and the status with which it exited.
package struct ProgramOutput: Sendable {
    package let bytes: [UInt8]
    /// Nil for an update of a stream, because the program is still running.
    package let status: Int32?

    package init(_ bytes: [UInt8], status: Int32? = 0) {
        self.bytes = bytes
        self.status = status
    }
}

/// The content that a format has read, and notes on what it has left out.
package struct ReadContent: Equatable, Sendable {
    package static let mostNotes = 16

    package var content: Content
    /// How old the answer is, if the program passes on that of another program.
    package var age = TimeSpan.zero
    /// What the format did not understand, with the line: for the author of the program, never a failure.
    package private(set) var notes: [String] = []
    private var leftOut = 0

    package init(_ content: Content) { self.content = content }

    mutating func note(_ text: String) {
        // Shortened first: a note may quote the whole output, and comparing long texts takes long.
        let note = PlainText.quoting(text, upTo: 200)
        guard !notes.contains(note) else { return }
        if notes.count < Self.mostNotes { notes.append(note) } else { leftOut += 1 }
    }

    /// Reads markup, and notes what is not closed in it.
    ///
    /// - Parameter place: the line, or the field.
    mutating func markup(_ text: String, at place: String) -> PangoText {
        let pango = PangoText(text)
        if let trouble = pango.trouble { note("\(place): \(trouble)") }
        return pango
    }

    /// The notes, and how many more there were.
    package var lines: [String] { leftOut == 0 ? notes : notes + ["and \(leftOut) more"] }
}

extension ContentProtocol {
    /// Reads the output of a program as content. The runner calls this for every protocol.
    package func content(from output: ProgramOutput) throws(OutputError) -> ReadContent {
        switch self {
        case .text: return try TextFormat.content(from: output.bytes)
        case .json: return try JSONFormat.content(from: output.bytes).notingCharts
        case .xbar: return try MenuFormat(.xbar).content(from: output.bytes)
        case .bitbar: return try MenuFormat(.bitbar).content(from: output.bytes)
        case .swiftbar: return try MenuFormat(.swiftbar).content(from: output.bytes)
        case .argos: return try MenuFormat(.argos).content(from: output.bytes)
        case .i3blocks: return try I3BlocksFormat.content(from: output)
        case .waybar: return try WaybarFormat.content(from: output.bytes)
        case .nagios: return try NagiosFormat.content(from: output)
        case .genmon: return try GenmonFormat.content(from: output.bytes)
        case .polybar: return PolybarFormat.content(from: output.bytes)
        case .keyvalue: return try KeyValueFormat.content(from: output.bytes)
        case .push, .varlink:
            throw OutputError("Protocol=\(rawValue) has no output that could be read")
        }
    }

    /// The program's statement that the previous content is still right; nil if the output is something else.
    package func statedNoData(in output: ProgramOutput) throws(OutputError) -> WidgetAnswer? {
        self == .json ? try StatedNoData.read(output.bytes) : nil
    }

    /// Whether a program that exits with this status has given content. Otherwise its run has failed.
    package func isContent(withStatus status: Int32) -> Bool {
        switch self {
        // OK, WARNING, CRITICAL, UNKNOWN: the development guidelines of the monitoring plugins.
        case .nagios: (0...3).contains(status)
        case .i3blocks: status == 0 || status == I3BlocksFormat.urgentStatus
        default: status == 0
        }
    }

    /// The failure that the program states when it exits with a status other than 0; nil if it states none.
    package func statedFailure(output: [UInt8], errorOutput: String, status: Int32) -> OutputError? {
        if self == .json, let text = try? OutputText.decode(output),
            let failure = StatedFailure.read(text, maxValues: ContentLimits.values)
        {
            return failure
        }
        guard status == StatedFailure.exitStatus else { return nil }
        let lines = errorOutput.split(whereSeparator: \.isNewline)
        let last = lines.last { line in !line.allSatisfy(\.isWhitespace) }
        return last.flatMap { StatedFailure.read(String($0)) }
    }
}

/// Reads output as text: checks its length and its UTF-8, and removes the byte-order mark that some editors add.
enum OutputText {
    static func decode(_ output: [UInt8]) throws(OutputError) -> String {
        let bytes = output[...].withoutByteOrderMark
        guard bytes.count <= ContentLimits.contentBytes else {
            throw OutputError("output is longer than \(ContentLimits.contentBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8(bytes) }
        return text
    }

    /// The error for bytes that are not UTF-8, with their first invalid byte.
    private static func notUTF8(_ bytes: ArraySlice<UInt8>) -> OutputError {
        var parser = UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var offset = bytes.startIndex
        var line = 1
        while case .valid(let scalar) = parser.parseScalar(from: &input) {
            offset += scalar.count
            if scalar.first == UInt8(ascii: "\n") { line += 1 }
        }
        guard offset < bytes.endIndex else { return OutputError("output is not UTF-8") }
        return OutputError("output is not UTF-8: byte 0x\(bytes[offset].digits(2, radix: 16)) at line \(line)")
    }
}

/// Why a run gave no content: what is wrong with the program's output and where, or the failure that the widget states.
package struct OutputError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// How long the widget asks not to be run again.
    package let wait: TimeSpan?

    init(_ description: String, wait: TimeSpan? = nil) {
        self.description = description
        self.wait = wait
    }

    static let empty = OutputError("printed nothing")
    static let isJSON = OutputError("this is JSON: write Protocol=json into [Update] of the manifest")
    package static let nothingKnown = OutputError(
        "it answers noData, but todayd has no content of it: the first answer has to be content")
    static let unexplained = "failed, and did not say why"

    /// The reason, followed by the last line of standard error if the program gave no reason.
    package func description(afterErrorLine line: String?) -> String {
        let isSilent = [Self.empty.description, Self.nothingKnown.description, Self.unexplained].contains(description)
        guard isSilent, let line else { return description }
        return "\(description): \(line)"
    }
}

/// Notes on content in any format.
extension ReadContent {
    /// The same with notes on charts of numbers that the content does not have. Usually the name is misspelt.
    var notingCharts: ReadContent {
        var read = self
        let numbers = content.numbers.map(\.name)
        for name in content.viewsInAll.compactMap(\.chartedNumber) {
            if numbers.contains(where: { $0.isSpelled(as: name) }) { continue }
            let hint = hint(for: name, among: numbers, JSONField.quoted)
            read.note("history: no number here has the name \(JSONField.quoted(name))\(hint)")
        }
        return read
    }

    /// The same with notes on URLs that hosts do not open, one for each scheme.
    package func notingURLs(of manifest: Manifest) -> ReadContent {
        var read = self
        var noted: Set<String> = []
        for url in content.viewsInAll.compactMap(\.url) {
            guard let scheme = URLScheme.of(url),
                let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes),
                noted.insert(scheme).inserted
            else { continue }
            read.note("\(PlainText.line(url, upTo: 48)) is not opened: \(reason)")
        }
        return read
    }
}

extension Content {
    /// All views of both modes.
    fileprivate var viewsInAll: [View] { [compact, expanded].compactMap { $0 }.flatMap(\.withDescendants) }
}

extension View {
    fileprivate var withDescendants: [View] { [self] + children.flatMap(\.withDescendants) }

    /// The number whose history a chart has.
    fileprivate var chartedNumber: String? { if case .chart(let chart) = self { chart.history } else { nil } }

    fileprivate var url: String? {
        switch self {
        case .link(let link): link.url
        case .item(let item): item.url
        case .text, .progress, .chart, .image, .button, .stack, .grid, .spacer, .divider: nil
        }
    }
}
