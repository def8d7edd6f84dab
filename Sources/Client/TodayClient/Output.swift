// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import JSON
import Rendering
import TodayModel

/// Where a command prints, and how.
final class Output {
    private let descriptor: Int32
    private let errorDescriptor: Int32
    /// Standard output can be redrawn: it is a terminal, and one that understands escape sequences.
    let isLive: Bool
    private let isTerminal: Bool
    let errorsAreLive: Bool
    let isJSON: Bool
    let isQuiet: Bool
    private let fixedWidth: Int?
    private let charset: Charset
    private let colors: ColorDepth
    private var hasProgress = false

    init(_ arguments: ParsedArguments, environment: Environment, to descriptor: Int32, errors: Int32) throws {
        self.descriptor = descriptor
        errorDescriptor = errors
        isJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        isTerminal = isatty(descriptor) == 1
        let isClever = environment["TERM"].map { $0 != "dumb" } ?? false
        isLive = isTerminal && isClever
        errorsAreLive = isatty(errors) == 1 && isClever
        charset = environment.charset
        colors = environment.colors(choice: arguments.value("color"), isTerminal: isTerminal)
        if let text = arguments.value("width") {
            guard let width = Int(text), (10...10_000).contains(width) else {
                throw ClientError("--width: '\(text)' is not a number from 10 to 10000", .usage)
            }
            fixedWidth = width
        } else {
            fixedWidth = isTerminal ? nil : environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 10) }
        }
    }

    /// The size of the terminal now, tty_ioctl(4); it may change at any time.
    var size: Size {
        var size = winsize()
        // A terminal that does not know its size says 0 of either.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return Size(
            columns: fixedWidth ?? (isKnown && size.ws_col > 0 ? max(Int(size.ws_col), 10) : 80),
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    var presentation: Presentation {
        Presentation(width: size.columns, charset: charset, colors: colors, now: WallTime.now)
    }

    /// For tables and lists of facts: nothing is cut or broken for a program that reads them, unless it says how wide.
    var listing: Presentation {
        let width = isTerminal ? size.columns : fixedWidth ?? .max / 4
        return Presentation(width: width, charset: charset, colors: colors, now: WallTime.now)
    }

    // MARK: Printing

    func print(_ lines: [Line]) throws {
        try write(lines.reduce(into: "") { $0 += $1.text(colors) + "\n" })
    }

    /// A line that may hold anything; what could disturb a terminal is replaced.
    func print(_ line: String) throws {
        try print([Line(Printable(line, charset))])
    }

    /// For people to read, or for programs that read it as a whole.
    func print(_ json: JSON) throws {
        try write(Self.escaped(json.pretty) + "\n")
    }

    /// One of many: each takes one line.
    func printLine(_ json: JSON) throws {
        try write(Self.escaped(json.text) + "\n")
    }

    /// For scripts, which want every byte. On a terminal what could disturb it is replaced.
    func printAsItIs(_ text: String) throws {
        if isTerminal {
            try write(Printable.lines(of: text, charset).map { $0.text + "\n" }.joined())
        } else {
            try write(text + "\n")
        }
    }

    /// JSON text means the same when any character of its strings is written as \u and digits: so are those that a
    /// terminal would obey.
    private static func escaped(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7f }) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            switch scalar.value {
            case 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0x2028...0x2029:
                let digits = String(scalar.value, radix: 16)
                result.append(
                    contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Only what is known to disturb no program.
    func write(_ text: String) throws {
        if !Self.write(text, to: descriptor) {
            // A reader that has seen enough is no error: todayctl list | head -1.
            if errno == EPIPE { throw ReaderLeft() }
            throw ClientError("cannot write: \(String(cString: strerror(errno)))")
        }
    }

    /// Something for the user that is no output. Where that cannot be written either, it is not said.
    func complain(_ text: String) { Self.complain("todayctl: \(text)", charset, to: errorDescriptor) }

    /// What is good to know and no error.
    func remark(_ text: String) { if !isQuiet { complain(text) } }

    /// The daemon's words may be among them, so they are cleaned as content is.
    static func complain(_ text: String, _ charset: Charset, to descriptor: Int32) {
        _ = write(Printable.lines(of: text, charset).map { $0.text + "\n" }.joined(), to: descriptor)
    }

    /// Writes over the last line of the terminal.
    func showProgress(_ text: String) {
        let line = presentation.truncated(presentation.line(text), size.columns - 1)
        _ = Self.write("\r\(line.text())\u{1B}[K", to: errorDescriptor)
        hasProgress = true
    }

    /// Before anything else is written.
    func clearProgress() {
        if hasProgress { _ = Self.write("\r\u{1B}[K", to: errorDescriptor) }
        hasProgress = false
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        StandardStreams.writeAll(Array(text.utf8), to: descriptor)
    }

    /// The reader of standard output wants no more of it.
    struct ReaderLeft: Error {}
}
