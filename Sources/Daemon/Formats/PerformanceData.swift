// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// One value of a monitoring plugin: `'label'=value[unit];[warn];[crit];[min];[max]`.
struct PerformanceValue: Equatable {
    let label: String
    /// Nil for `U`: the plugin could not tell.
    let value: Double?
    let unit: String
    var warning: Threshold?
    var critical: Threshold?
    var minimum: Double?
    var maximum: Double?
}

/// Reads the values after the `|` of a plugin's output.
struct PerformanceData {
    /// More than a host shows.
    static let most = RowList.most
    private static let mostLabelBytes = 256
    private static let mostUnitBytes = 16

    private(set) var values: [PerformanceValue] = []
    /// How many values there are, including those beyond the limit.
    private(set) var count = 0
    private(set) var notes: [String] = []
    private var isFull: Bool { values.count >= Self.most }

    mutating func read(_ data: ArraySlice<UInt8>, line: Int) {
        var rest = data
        while true {
            rest = rest.drop(while: \.isSpace)
            guard let first = rest.first else { return }
            let label: String
            if first == UInt8(ascii: "'") {
                guard let quoted = Self.quotedLabel(&rest) else {
                    return note("line \(line): the quote of a label does not end")
                }
                label = quoted
            } else {
                let bytes = rest.prefix { $0 != UInt8(ascii: "=") && !$0.isSpace }
                rest = rest.dropFirst(bytes.count)
                label = bytes.prefix(Self.mostLabelBytes).text
            }
            let word = rest.prefix { !$0.isSpace }
            rest = rest.dropFirst(word.count)
            guard word.first == UInt8(ascii: "="), !label.isEmpty else {
                note("line \(line): \(JSONField.quoted(label)) is not label=value")
                continue
            }
            add(label, word.dropFirst(), line: line)
        }
    }

    /// The quoted label that begins here. A quote in it is doubled.
    private static func quotedLabel(_ rest: inout ArraySlice<UInt8>) -> String? {
        var label: [UInt8] = []
        rest = rest.dropFirst()
        while let quote = rest.firstIndex(of: UInt8(ascii: "'")) {
            label += rest[..<quote].prefix(mostLabelBytes)
            rest = rest[(quote + 1)...]
            guard rest.first == UInt8(ascii: "'") else { return label.prefix(mostLabelBytes).text }
            if label.count < mostLabelBytes { label.append(UInt8(ascii: "'")) }
            rest = rest.dropFirst()
        }
        return nil
    }

    private mutating func add(_ name: String, _ word: ArraySlice<UInt8>, line: Int) {
        guard !isFull else {
            count += 1
            return
        }
        let label = LenientText.trimmed(LenientText.line(name, upTo: Self.mostLabelBytes))
        let place = "line \(line): \(label)"
        let fields = word.split(separator: UInt8(ascii: ";"), maxSplits: 5, omittingEmptySubsequences: false)
        let first = fields.first?.text ?? ""
        let isUnknown = first.utf8.elementsEqual("U".utf8)
        let number = LeadingNumber(first)
        // The text after the number is its unit, unless it looks like more of the number.
        let digits = number?.rest.utf8.first { $0 >= 0x2c && $0 <= 0x39 }
        guard !label.isEmpty, isUnknown || number != nil && digits == nil else {
            return note("\(place): \(JSONField.quoted(first)) is not a number")
        }
        let unit = LenientText.line(number?.rest ?? "", upTo: Self.mostUnitBytes)
        var value = PerformanceValue(label: label, value: number?.value, unit: unit)
        func field(_ place: Int) -> String? {
            guard fields.indices.contains(place), !fields[place].isEmpty else { return nil }
            return fields[place].text
        }
        func wrong(_ what: String, _ text: String) {
            note("\(place): \(what) \(JSONField.quoted(text)) is not a range")
        }
        if let text = field(1) {
            value.warning = Threshold(text)
            if value.warning == nil { wrong("warning", text) }
        }
        if let text = field(2) {
            value.critical = Threshold(text)
            if value.critical == nil { wrong("critical", text) }
        }
        value.minimum = field(3).flatMap { LeadingNumber($0)?.value }
        value.maximum = field(4).flatMap { LeadingNumber($0)?.value }
        values.append(value)
        count += 1
    }

    /// Keeps one note more than is shown, because a program may cause one for each word.
    private mutating func note(_ text: String) {
        if notes.count <= ReadContent.mostNotes { notes.append(text) }
    }
}

/// A range of the monitoring plugins' guidelines, which says which values to warn about:
///
/// | written as | warns of a value |
/// | --- | --- |
/// | `10` | below 0 or above 10 |
/// | `10:` | below 10 |
/// | `~:10` | above 10 |
/// | `10:20` | below 10 or above 20 |
/// | `@10:20` | from 10 to 20 |
struct Threshold: Equatable {
    /// Nil is without end.
    let low: Double?
    let high: Double?
    let warnsInside: Bool

    /// Nil for a text that is not a range. The unit that some programs write after a number is dropped.
    init?(_ text: String) {
        warnsInside = text.utf8.first == UInt8(ascii: "@")
        let range = Array(text.utf8.dropFirst(warnsInside ? 1 : 0))
        guard let colon = range.firstIndex(of: UInt8(ascii: ":")) else {
            guard let high = Self.bound(range[...]) else { return nil }
            low = 0
            self.high = high
            return
        }
        let (before, after) = (range[..<colon], range[(colon + 1)...])
        guard !before.isEmpty || !after.isEmpty else { return nil }
        if before.elementsEqual("~".utf8) {
            low = nil
        } else if before.isEmpty {
            low = 0
        } else if let bound = Self.bound(before) {
            low = bound
        } else {
            return nil
        }
        if after.isEmpty {
            high = nil
        } else if let bound = Self.bound(after) {
            high = bound
        } else {
            return nil
        }
        if let low, let high, low > high { return nil }
    }

    private static func bound(_ text: ArraySlice<UInt8>) -> Double? {
        guard let number = LeadingNumber(text.text) else { return nil }
        let isUnit = number.rest.utf8.allSatisfy { $0 == UInt8(ascii: "%") || $0.isLetter }
        return isUnit ? number.value : nil
    }

    func isBreached(by value: Double) -> Bool {
        let isInside = value >= low ?? -.infinity && value <= high ?? .infinity
        return isInside == warnsInside
    }

    /// The largest value about which it does not warn; nil if there is none.
    var end: Double? { warnsInside ? nil : high }
}
