// SPDX-License-Identifier: MIT
import Spelling

/// Reads the file name of a plugin like the program that it was written for: `010-cpu.5m.sh` is `cpu`, every five minutes;
/// Argos reads `cpu.1r.5m+.sh` as `cpu`, at the first place on the right, also when its menu opens.
package struct PluginName: Hashable, Sendable {
    package private(set) var id: WidgetID
    package let displayName: String
    /// Nil if the name has no interval, or one that todayd cannot use.
    package private(set) var interval: TimeSpan?
    /// Whether the name has an interval, right or wrong. Such a file is meant to be a plugin.
    package private(set) var hasInterval = false
    /// What is wrong with the interval.
    package private(set) var complaint: String?
    /// A `+` after the interval: the plugin also runs when its menu opens.
    package private(set) var runsOnAppear = false
    /// Whether the name contains something that only Argos reads: a place in the bar, or a `+`.
    package private(set) var isForArgos = false

    /// After the name of a plugin, this suffix names the file in which xbar keeps the values of its variables.
    package static let variablesSuffix = ".vars.json"
    package static let prefix = "plugin."
    /// xbar's interval for a name without one.
    package static let defaultInterval = TimeSpan.minutes(1)
    /// Longer intervals mean "never", and would leave the range of dates.
    private static let longest = TimeSpan.days(36_500)

    /// Whether a file is certainly not a plugin: a hidden file, a plugin disabled by `.off`, the variables of a plugin, or a
    /// backup.
    package static func isIgnored(_ fileName: String) -> Bool {
        fileName.hasPrefix(".") || fileName.hasSuffix(".off") || fileName.hasSuffix(variablesSuffix)
            || fileName.hasSuffix("~")
    }

    /// Whether the name is that of a leftover of an editor, a copy or a log beside a plugin: `cpu.5m.sh.bak`. Such a file is a
    /// plugin only if it is executable, because xbar runs it then.
    package static func isLeftover(_ fileName: String) -> Bool {
        guard let ending = fileName.split(separator: ".").last?.lowercased() else { return false }
        return leftovers.contains(ending)
    }

    private static let leftovers: Set = [
        "log", "bak", "backup", "old", "orig", "rej", "save", "swp", "swo", "tmp", "dpkg-old", "dpkg-dist", "rpmsave",
    ]

    /// Whether the name is that of a document: `README.md`. On some file systems, all files are executable.
    package static func isDocument(_ fileName: String) -> Bool {
        let name = fileName.lowercased()
        return name.hasSuffix(".md") || documents.contains { name.split { $0 == "." || $0 == "-" }.first ?? "" == $0 }
    }

    private static let documents: Set<Substring> = [
        "readme", "license", "licence", "copying", "changelog", "authors", "news",
    ]

    /// Whether a part of the name, between the first and the last, is an interval.
    package static func hasInterval(_ fileName: String) -> Bool {
        fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst().dropLast().contains {
            Interval($0) != nil
        }
    }

    /// Nil for an ignored file, and for a name from which no identifier can be made.
    package init?(fileName: String) {
        guard !Self.isIgnored(fileName) else { return nil }
        var parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1 { parts.removeLast() }
        // The number is for sorting. It is not part of the identifier, so that a widget keeps its choices when it changes.
        let number = parts[0].prefix { $0.isASCII && $0.isNumber }
        if !number.isEmpty, parts[0].dropFirst(number.count).first == "-" {
            parts[0] = parts[0].dropFirst(number.count + 1)
        }
        var intervals: [Interval] = []
        var stem = [parts[0]]
        for part in parts.dropFirst() {
            // Argos: without an interval, it runs when its menu opens.
            let isOnAppear = part == "+"
            if let interval = Interval(part) {
                intervals.append(interval)
            } else if isOnAppear {
                runsOnAppear = true
            } else {
                stem.append(part)
                continue
            }
            if stem.count > 1, let place = stem.last, Self.isPlace(place) {
                stem.removeLast()
                isForArgos = true
            }
        }
        // A file name may contain any bytes except a slash and NUL; escape sequences and invisible characters are left out.
        let text = PlainText.line(stem.joined(separator: "."))
        guard let id = Self.id(of: text[...]) ?? Self.spelledOut(text) else { return nil }
        self.id = id
        let name = text[...].trimmed
        displayName = name.isEmpty ? String(id.text.dropFirst(Self.prefix.count)) : name
        take(intervals)
    }

    /// The same plugin, identified by its whole file name, for when another one has its identifier: `plugin.cpu.5m.sh`.
    package func spelledOut(fileName: String) -> PluginName? {
        guard let id = Self.id(of: PlainText.line(fileName)[...]), id != self.id else { return nil }
        var name = self
        name.id = id
        return name
    }

    /// SwiftBar reads every part as an interval; the shortest one counts.
    private mutating func take(_ intervals: [Interval]) {
        hasInterval = !intervals.isEmpty
        runsOnAppear = runsOnAppear || intervals.contains { $0.runsOnAppear }
        isForArgos = isForArgos || runsOnAppear
        let spans = intervals.compactMap(\.span)
        guard let shortest = spans.min() else {
            if let wrong = intervals.first {
                complaint = "the interval \(wrong.text) in its name is not possible; it runs as if it had none"
            }
            return
        }
        interval = min(max(shortest, UpdatePlan.shortestInterval), Self.longest)
    }

    /// A place in the bar of Argos: `l`, `1r`.
    private static func isPlace(_ part: Substring) -> Bool {
        guard let side = part.last, "lcr".contains(side) else { return false }
        return part.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// A part of the name as a label of an identifier: each character that labels may not have becomes a hyphen.
    package static func label(_ part: Substring) -> String {
        let letters = part.map { letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-") ? letter : "-"
        }
        return String(letters.drop { $0 == "-" })
    }

    /// Nil for a name without a character that identifiers may have. A name that is too long for an identifier is cut.
    private static func id(of name: Substring) -> WidgetID? {
        let labels = name.split(separator: ".").map(label).filter { !$0.isEmpty }
        var text = prefix + labels.joined(separator: ".").prefix(WidgetID.maximumLength - prefix.utf8.count)
        if text.hasSuffix("."), !labels.isEmpty { text.removeLast() }
        return WidgetID(text)
    }

    /// Such a name by the code points of its characters: `🍄.5m.sh` is `u1f344`.
    private static func spelledOut(_ name: String) -> WidgetID? {
        let part = name.split(separator: ".").first ?? ""
        let scalars = part.unicodeScalars.filter { !$0.isASCII }.prefix(8)
        guard !scalars.isEmpty else { return nil }
        return WidgetID(prefix + "u" + scalars.map { String($0.value, radix: 16) }.joined(separator: "-"))
    }
}

extension WidgetID {
    /// Whether a script in a directory of plugins has this identifier. A manifest may take its place.
    package var isPlugin: Bool { text.hasPrefix(PluginName.prefix) }

    /// What declares the widget, in words: a plugin declares itself by its name, its tags and its drop-ins.
    package var declaration: String { isPlugin ? "its plugin" : "its manifest" }
}

extension PluginName {
    /// `<number><unit>` with the units ms, s, m, h, d, and perhaps a `+`.
    private struct Interval {
        let text: Substring
        /// Nil if it is zero, or too large.
        let span: TimeSpan?
        let runsOnAppear: Bool

        private static let units: [Substring: Int64] = [
            "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
        ]

        /// Nil for a part that is not an interval.
        init?(_ part: Substring) {
            runsOnAppear = part.hasSuffix("+")
            text = part
            let body = runsOnAppear ? part.dropLast() : part
            let number = body.prefix { $0.isASCII && $0.isNumber }
            guard !number.isEmpty, let unit = Self.units[body.dropFirst(number.count)] else { return nil }
            // A number that overflows is longer than any accepted interval.
            let (count, isLong) = (Int64(number) ?? .max).multipliedReportingOverflow(by: unit)
            span = Int64(number) == 0 ? nil : TimeSpan(microseconds: isLong ? .max : count)
        }
    }
}
