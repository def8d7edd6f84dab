// SPDX-License-Identifier: MIT
import Glibc
import Spelling

/// What programs print to standard error when they fail.
package enum ErrorOutput {
    /// The line that says why the program failed: the last one that is not blank, above a trace or a usage if there is one.
    package static func reason(in text: String) -> String? {
        if let reason = SwiftCrash.reason(in: text) { return String(reason.prefix(200)) }
        if SwiftCrash.hasTrace(text) { return nil }
        let lines = UsageText.removed(from: CallTrace.removed(from: text.split(separator: "\n")))
        return lines.last { line in !line.allSatisfy(\.isWhitespace) }.map { String($0.trimmed.prefix(200)) }
    }

    /// Whether the text has a message that the C library or a common language prints when an allocation fails.
    package static func mentionsMemory(_ text: String) -> Bool {
        let messages = [
            "cannot allocate memory", "out of memory", "memoryerror", "bad_alloc", "memory exhausted",
            "heap out of memory", "failed to allocate ",
        ]
        let text = text.lowercased()
        return messages.contains(where: text.includes)
    }
}

/// What the runtime of Swift prints when a program crashes: the reason, and below it a trace with registers and images.
package enum SwiftCrash {
    private static let mark = "Fatal error: "

    /// The last line that is `Fatal error: …` or `File.swift:44: Fatal error: …`. A register of the trace can show the same
    /// text.
    package static func reason(in text: String) -> String? {
        guard text.includes(mark) else { return nil }
        let line = text.split(whereSeparator: \.isNewline).last { line in
            line.hasPrefix(mark) || line.range(of: ": \(mark)").map { isPlace(line[..<$0.lowerBound]) } == true
        }
        return line.map(String.init)
    }

    /// `Module/File.swift:44`.
    private static func isPlace(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":")
        return parts.count == 2 && parts[0].hasSuffix(".swift") && parts[1].allSatisfy(\.isNumber)
    }

    /// Whether the text ends with a trace, whose last line explains nothing.
    static func hasTrace(_ text: String) -> Bool {
        text.includes("*** Program crashed: ") || text.includes("Current stack trace:")
    }

    /// Why such a signal ends a Swift program that has printed no reason, as in release builds.
    package static func meaning(of signal: Int32) -> String? {
        signal == SIGILL || signal == SIGTRAP
            ? "which stops a program of Swift at a mistake, such as an overflow or an index out of range" : nil
    }
}

/// What interpreters print below the reason of a failure: the calls that led to it.
enum CallTrace {
    /// Those of Rust, Lua and PHP.
    private static let headings = ["stack backtrace:", "stack traceback:", "Stack trace:"]
    /// Node.js ends with its version, Rust and Node.js say how to get a longer trace, and Perl which file it has given up.
    private static let closings = [
        "Node.js v", "(Use `node --trace", "note: run with `RUST_BACKTRACE", "BEGIN failed--compilation aborted",
        "Compilation failed in require",
    ]

    /// The lines above a trace with which they end; all lines if nothing is above it.
    static func removed(from lines: [Substring]) -> ArraySlice<Substring> {
        var rest = lines[...]
        if let heading = rest.lastIndex(where: isHeading) { rest = rest[..<heading] }
        while let last = rest.last {
            if last == "}", let opening = rest.lastIndex(where: opensObject) {
                // Node.js prints the properties of an error behind its last frame.
                rest = rest[...opening]
            } else if isFrame(last) || last.allSatisfy(\.isWhitespace) || closings.contains(where: last.hasPrefix) {
                rest.removeLast()
            } else {
                return rest
            }
        }
        return lines[...]
    }

    /// Go's is `goroutine 1 [running]:`.
    private static func isHeading(_ line: Substring) -> Bool {
        headings.contains { $0 == line } || line.hasPrefix("goroutine ") && line.hasSuffix("]:")
    }

    /// Whether a `}` at the beginning of a line closes what this line opens.
    private static func opensObject(_ line: Substring) -> Bool {
        line.last == "{" && (line.first?.isWhitespace == false || isFrame(line))
    }

    /// `at` of Node.js and Java, `from` of Ruby, `called at` of Perl; Java leaves out the frames of a trace above. Perl prints
    /// `at x.pl line 1.` in a line of its own if the message ends with a line end.
    private static func isFrame(_ line: Substring) -> Bool {
        guard line.first?.isWhitespace == true else { return false }
        let text = line.drop(while: \.isWhitespace)
        if text.hasPrefix("at ") || text.hasPrefix("from ") {
            return text.contains { $0 == ":" || $0 == "(" } || String(text).includes(" line ")
        }
        return text.hasPrefix("... ") && text.hasSuffix(" more") || String(text).includes(" called at ")
    }
}

/// What programs print below their complaint about an argument: how to use them, and where to read more.
enum UsageText {
    /// GNU's `Try 'date --help' for more information.` and the like.
    private static let pointers = ["try ", "use ", "see ", "run ", "type "]

    /// The lines above a usage or a pointer to help with which they end, or the line of the usage if nothing is above it.
    static func removed(from lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
        var rest = lines
        while let last = rest.last, last.allSatisfy(\.isWhitespace) || isPointer(last) { rest.removeLast() }
        guard let last = rest.last else { return lines }
        guard let heading = rest.lastIndex(where: isHeading), isHeading(last) || last.first?.isWhitespace == true else {
            return rest
        }
        let above = rest[..<heading]
        if above.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { return above }
        // A heading alone in its line has the usage below it.
        return rest[...(rest[heading].last == ":" ? min(heading + 1, rest.endIndex - 1) : heading)]
    }

    /// `Usage: date`, and `Usage of date:` of Go.
    private static func isHeading(_ line: Substring) -> Bool {
        let line = line.lowercased()
        return line.hasPrefix("usage:") || line.hasPrefix("usage of ")
    }

    /// Such a line may begin with the name of the program, as curl's does.
    private static func isPointer(_ line: Substring) -> Bool {
        let name = line.prefix { $0 != ":" && !$0.isWhitespace }
        let line = line.dropFirst(name.endIndex < line.endIndex && line[name.endIndex] == ":" ? name.count + 1 : 0)
        let words = String(line.trimming(\.isWhitespace)).lowercased()
        if words.hasPrefix("for more ") { return true }
        return pointers.contains(where: words.hasPrefix) && (words.includes("help") || words.includes("-h"))
    }
}
