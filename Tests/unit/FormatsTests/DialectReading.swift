// SPDX-License-Identifier: MIT
import Files
import Glibc
import JSON
import Testing
import TodayModel

@testable import Formats

/// Reads outputs for the tests of a dialect, and checks of each content that the other parts accept it.
struct DialectReading {
    let dialect: ContentProtocol

    func callAsFunction(_ text: String, status: Int32? = 0) throws -> ReadContent {
        try self(Array(text.utf8), status: status)
    }

    func callAsFunction(_ bytes: [UInt8], status: Int32? = 0) throws -> ReadContent {
        let read = try dialect.content(from: ProgramOutput(bytes, status: status))
        try Self.expectRoundTrip(read.content)
        for line in read.lines { #expect(PlainText.complaint(about: line, allowingLines: false) == nil) }
        return read
    }

    static func expectRoundTrip(_ content: Content) throws {
        let text = content.json.text
        #expect(text.utf8.count <= ContentLimits.messageBytes)
        let read = try Content(JSONField(root: try JSON.parse(text, maxValues: ContentLimits.values)))
        #expect(read == content)
    }

    /// How much processor time reading takes, in seconds: the least of some times. Other processes do not count.
    func seconds(_ bytes: [UInt8], times count: Int = 3, handing content: (Content) -> Void = { _ in }) -> Double {
        let output = ProgramOutput(bytes)
        let times = (0..<count).map { _ in
            let start = Self.processorTime
            let read = try? dialect.content(from: output)
            let taken = Self.processorTime - start
            if let read { content(read.content) }
            return taken
        }
        return times.min() ?? 0
    }

    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A file of Tests/Fixtures.
    static func fixture(_ name: String) throws -> [UInt8] {
        let tests = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        guard case .bytes(let bytes) = FileContents(at: "\(tests)/Fixtures/\(name)", limit: 1 << 20) else {
            Issue.record("\(name) cannot be read")
            return []
        }
        return bytes
    }
}

/// What a test compares of a view: one text for each leaf.
extension View {
    var leaves: [String] {
        switch self {
        case .text(let text): [text.text]
        case .progress(let bar):
            ["\(bar.label ?? "") [\(Self.percent(bar.value))] \(bar.text ?? "") \(Self.name(bar.tint))"]
        case .button(let button): ["\(button.title) -> \(button.action)"]
        case .link(let link): ["\(link.title) -> \(link.url)"]
        case .item(let item): ["\(item.title) -> \(item.command?.arguments.joined(separator: "|") ?? "")"]
        case .stack, .grid: children.flatMap(\.leaves)
        case .chart, .image, .spacer, .divider: []
        }
    }

    private static func percent(_ value: Double) -> Int { Int((value * 100).rounded()) }
    private static func name(_ color: Color?) -> String { color?.text ?? "-" }
}
