// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Cuts what the program of a stream prints into updates.
///
///     protocol                                     an update
///     text, json, nagios, genmon                   a line that is not blank
///     waybar, i3blocks, polybar                    a line; a blank one says that there is nothing to show. What frames the
///                                                  endless array of the i3bar protocol does not count
///     xbar, bitbar, swiftbar, argos                what stands after the line `~~~`, until the next one or until silence;
///                                                  with a trailing separator, what stands before the line
///     keyvalue                                     the lines before a blank line
///
/// Only the newest update counts, so that `append` returns one at most.
package struct UpdateFraming: Sendable {
    /// An update is longer than the limit.
    package struct TooLong: Error, Equatable {}

    private enum Rule: Sendable {
        case line(ContentProtocol)
        case separator(isTrailing: Bool)
        case blankLine
    }

    private let rule: Rule
    private let limit: Int
    /// The whole lines of the incomplete update.
    private var lines: [UInt8] = []
    /// The line whose end has not arrived yet.
    private var rest: [UInt8] = []
    private var hasText = false

    /// - Parameter limit: the most bytes of one update.
    package init(_ plan: UpdatePlan, limit: Int) {
        self.limit = limit
        rule =
            switch plan.contentProtocol {
            case .waybar, .i3blocks, .polybar, .text, .json, .nagios, .genmon, .push, .varlink:
                .line(plan.contentProtocol)
            case .xbar, .bitbar, .swiftbar, .argos: .separator(isTrailing: plan.hasTrailingSeparator)
            case .keyvalue: .blankLine
            }
    }

    /// Takes output of the program, and returns the newest update that it completes.
    package mutating func append(_ bytes: ArraySlice<UInt8>) throws(TooLong) -> [UInt8]? {
        if case .line(let contentProtocol) = rule, rest.count + bytes.count <= limit {
            return appendLines(bytes, contentProtocol)
        }
        var newest: [UInt8]?
        var newestLine: ArraySlice<UInt8>?
        var remaining = bytes
        while let end = remaining.firstIndex(of: Self.lineFeed) {
            var line = remaining[..<end]
            remaining = remaining[(end + 1)...]
            if !rest.isEmpty {
                line = (rest + line)[...]
                rest = []
            }
            guard lines.count + line.count <= limit else { throw TooLong() }
            if case .line(let contentProtocol) = rule {
                if Self.isUpdate(line, contentProtocol) { newestLine = line }
            } else if let update = take(line) {
                newest = update
            }
        }
        rest += remaining
        guard lines.count + rest.count <= limit else { throw TooLong() }
        return newest ?? newestLine.map { Array($0) }
    }

    /// Finds the newest line from the end, because a program may print thousands of lines at once. None of them can be too
    /// long.
    private mutating func appendLines(_ bytes: ArraySlice<UInt8>, _ contentProtocol: ContentProtocol) -> [UInt8]? {
        guard var end = bytes.lastIndex(of: Self.lineFeed) else {
            rest += bytes
            return nil
        }
        let tail = bytes[(end + 1)...]
        defer { rest = Array(tail) }
        while let before = bytes[..<end].lastIndex(of: Self.lineFeed) {
            let line = bytes[(before + 1)..<end]
            if Self.isUpdate(line, contentProtocol) { return Array(line) }
            end = before
        }
        let first = rest + bytes[..<end]
        return Self.isUpdate(first[...], contentProtocol) ? first : nil
    }

    private static func isUpdate(_ line: ArraySlice<UInt8>, _ contentProtocol: ContentProtocol) -> Bool {
        if isBlank(line) { return [.waybar, .i3blocks, .polybar].contains(contentProtocol) }
        return contentProtocol != .i3blocks || !I3BarObject.isFrame(line.trimmed)
    }

    /// What the author may have to change if the program has given no update for long.
    package var hint: String {
        guard hasText || !Self.isBlank(rest[...]) else {
            return
                "it has printed no line: what it prints may wait in its buffer; flush it after each update, as stdbuf -oL, "
                + "python3 -u or fflush do"
        }
        return switch rule {
        case .line: "it has printed no whole line, and an update ends with a line feed"
        case .separator: "it has printed no line ~~~, which ends an update"
        case .blankLine: "it has printed no blank line, which ends an update"
        }
    }

    /// What the author may have to change if the program prints one object in several lines; nil for any other update.
    package static func hint(on update: [UInt8], of contentProtocol: ContentProtocol) -> String? {
        let line = update[...].trimmed
        guard [.json, .waybar, .i3blocks].contains(contentProtocol), let first = line.first, let last = line.last else {
            return nil
        }
        let isMember = first == UInt8(ascii: "\"") && line.position(of: "\":") != nil
        let isBracket =
            first == UInt8(ascii: "{")
            ? last != UInt8(ascii: "}") && LenientJSON.balanced(line) == nil
            : line.count <= 2 && "}]".utf8.contains(first)
        guard isMember || isBracket else { return nil }
        return
            "this is a piece of an object in several lines, and a line is an update of a stream: print each object in one "
            + "line, as jq -c does"
    }

    /// Whether silence would complete an update.
    package var awaitsSilence: Bool {
        guard case .separator(isTrailing: false) = rule else { return false }
        return hasText || !Self.isBlank(rest[...])
    }

    /// The program has printed nothing for a while.
    package mutating func silence() -> [UInt8]? { awaitsSilence ? complete() : nil }

    /// The program has ended by itself: its last output needs no end of line, and no separator.
    package mutating func end() -> [UInt8]? { hasText || !Self.isBlank(rest[...]) ? complete() : nil }

    /// Takes a line of an update of several lines, and returns the update that it completes.
    private mutating func take(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let isBlank = Self.isBlank(line)
        let isEnd =
            switch rule {
            case .line: true
            case .separator: Self.isSeparator(line)
            case .blankLine: isBlank
            }
        if isEnd {
            guard hasText else {
                lines = []
                return nil
            }
            return complete()
        }
        lines += line
        lines.append(Self.lineFeed)
        hasText = hasText || !isBlank
        return nil
    }

    private mutating func complete() -> [UInt8] {
        let update = lines + rest
        (lines, rest, hasText) = ([], [], false)
        return update
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let separator = Array("~~~".utf8)

    private static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: separator) && isBlank(line.dropFirst(separator.count))
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0.isBlank || $0 == UInt8(ascii: "\r") }
    }
}
