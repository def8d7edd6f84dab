// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import JSON
import Link
import Platform
import Rendering
import TodayModel

/// Standard output and standard error of a command, and how it prints there.
package final class CommandOutput {
    package let descriptor: Int32
    private let errorDescriptor: Int32
    /// Whether standard output is a terminal that understands escape sequences.
    package let isLive: Bool
    private let isTerminal: Bool
    /// The same for standard error.
    package let errorsAreLive: Bool
    package let isJSON: Bool
    package let isQuiet: Bool
    private let fixedWidth: Int?
    private let charset: Charset
    private let colors: ColorDepth
    private var hasProgress = false

    package init(_ arguments: ParsedArguments, environment: EnvironmentVariables, to descriptor: Int32, errors: Int32)
        throws
    {
        self.descriptor = descriptor
        errorDescriptor = errors
        isJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        isTerminal = isatty(descriptor) == 1
        let understandsEscapes = environment["TERM"].map { $0 != "dumb" } ?? false
        isLive = isTerminal && understandsEscapes
        errorsAreLive = isatty(errors) == 1 && understandsEscapes
        charset = environment.charset
        colors = environment.colors(choice: arguments.value("color"), isTerminal: isTerminal)
        if let text = arguments.value("width") {
            guard let width = Int(text), (10...10_000).contains(width) else {
                throw ClientError("--width: '\(text)' is not a number from 10 to 10000", .usage)
            }
            fixedWidth = width
        } else {
            fixedWidth = isTerminal ? nil : environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 10), 10_000) }
        }
    }

    /// The size that is drawn for: the width that the user sets, or that of the terminal, and never less than 10.
    package var size: Size {
        let size = screenSize
        return Size(columns: fixedWidth ?? max(size.columns, 10), rows: size.rows)
    }

    /// The current size of the terminal, by TIOCGWINSZ of ioctl_tty(2).
    package var screenSize: Size {
        var size = winsize()
        // A terminal that does not know its size reports 0.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return Size(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    package var presentation: Presentation {
        Presentation(width: size.columns, charset: charset, colors: colors, now: WallTime.now)
    }

    /// For tables and status pages: unless the user sets a width, nothing is cut or wrapped for a program that reads them.
    package var listing: Presentation {
        let width = isTerminal ? size.columns : fixedWidth ?? .max / 4
        return Presentation(width: width, charset: charset, colors: colors, now: WallTime.now)
    }

    // MARK: Printing

    package func print(_ lines: [StyledLine]) throws {
        try write(lines.reduce(into: "") { $0 += $1.text(colors) + "\n" })
    }

    /// Prints a line of any origin. It replaces characters that a terminal interprets.
    package func print(_ line: String) throws {
        try print([StyledLine(Printable(line, charset))])
    }

    /// Prints JSON on several lines.
    package func print(_ json: JSON) throws {
        try write(JSONForm.printable(json.pretty) + "\n")
    }

    /// Prints the answer to a command: as JSON, or as lines unless the user wants only errors.
    package func answer(_ json: JSON, _ lines: () throws -> [StyledLine]) throws {
        if isJSON { try print(json) } else if !isQuiet { try print(lines()) }
    }

    /// Prints a member of an object, for a file that the user edits.
    package func printMember(_ key: String, _ json: JSON) throws {
        try write(JSONForm.printable("\(JSON.string(key).text): \(json.pretty),") + "\n")
    }

    /// Prints JSON on one line, for streams of values.
    package func printLine(_ json: JSON) throws {
        try write(JSONForm.printable(json.text) + "\n")
    }

    /// Prints every byte, for scripts. On a terminal, it replaces characters that the terminal interprets.
    package func printUnchanged(_ text: String) throws {
        if isTerminal {
            try write(Printable.lines(of: text, charset).map { $0.text + "\n" }.joined())
        } else {
            try write(text + "\n")
        }
    }

    /// Writes text that is already clean.
    package func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes that are not for a terminal.
    package func write(_ bytes: [UInt8]) throws {
        if !Descriptor.writeAll(bytes, to: descriptor) {
            // The reader has closed the pipe, which is not an error: todayctl list | head -1.
            if errno == EPIPE { throw ReaderLeft() }
            throw ClientError("cannot write: \(String(cString: strerror(errno)))")
        }
    }

    /// Prints a message on standard error. Ignores that standard error is closed or full.
    package func warn(_ text: String) { Self.warn("todayctl: \(text)", charset, to: errorDescriptor) }

    /// Prints a line on standard error that is not a message of todayctl's own.
    package func remark(_ text: String) { Self.warn(text, charset, to: errorDescriptor) }

    /// Prints a message that is not an error, unless `--quiet` is given.
    package func note(_ text: String) { if !isQuiet { warn(text) } }

    /// Prints a question on standard error, without a line feed at its end.
    package func prompt(_ text: String) {
        let lines = Printable.lines(of: text, charset).map(\.text)
        _ = Self.write(lines.joined(separator: "\n"), to: errorDescriptor)
    }

    /// Asks a question that ends in `[Y/n] ` or `[y/N] `. Without a terminal, the answer is no.
    package func agrees(_ question: String, byDefault: Bool) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        prompt(question)
        let answer = readLine()?.lowercased() ?? "no"
        return answer.isEmpty ? byDefault : ["y", "yes"].contains(answer)
    }

    /// Cleans the text, because it can contain text from the daemon.
    package static func warn(_ text: String, _ charset: Charset, to descriptor: Int32) {
        _ = write(Printable.lines(of: text, charset).map { $0.text + "\n" }.joined(), to: descriptor)
    }

    /// Replaces the last line of the terminal on standard error.
    package func showProgress(_ text: String) {
        let line = presentation.truncated(presentation.line(text), size.columns - 1)
        _ = Self.write("\r\(line.text())\u{1B}[K", to: errorDescriptor)
        hasProgress = true
    }

    /// Removes that line. Called before anything else is written.
    package func clearProgress() {
        if hasProgress { _ = Self.write("\r\u{1B}[K", to: errorDescriptor) }
        hasProgress = false
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        Descriptor.writeAll(Array(text.utf8), to: descriptor)
    }

    /// The reader of standard output has closed it.
    package struct ReaderLeft: Error {}
}

extension EnvironmentVariables {
    package var charset: Charset { Charset { self[$0] } }

    func colors(choice: String?, isTerminal: Bool) -> ColorDepth {
        switch choice {
        case "never": .none
        case "always": ColorDepth(always: { self[$0] })
        default: isTerminal ? ColorDepth(ofTerminal: { self[$0] }) : .none
        }
    }
}
