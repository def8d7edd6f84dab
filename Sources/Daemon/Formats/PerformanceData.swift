// SPDX-License-Identifier: MIT
import JSON
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
    /// How many values there are, also those beyond the most.
    private(set) var count = 0
    private(set) var notes: [String] = []
    private var isFull: Bool { values.count >= Self.most }

    mutating func read(_ data: ArraySlice<UInt8>, line: Int) {
        var rest = data
        while true {
            rest = rest.drop(while: Self.isSpace)
            guard let first = rest.first else { return }
            let label: String
            if first == UInt8(ascii: "'") {
                guard let quoted = Self.quotedLabel(&rest) else {
                    return note("line \(line): the quote of a label does not end")
                }
                label = quoted
            } else {
                let bytes = rest.prefix { $0 != UInt8(ascii: "=") && !Self.isSpace($0) }
                rest = rest.dropFirst(bytes.count)
                label = bytes.prefix(Self.mostLabelBytes).text
            }
            let word = rest.prefix { !Self.isSpace($0) }
            rest = rest.dropFirst(word.count)
            guard word.first == UInt8(ascii: "="), !label.isEmpty else {
                note("line \(line): \(JSONField.quoted(label)) is not label=value")
                continue
            }
            add(label, word.dropFirst(), line: line)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    /// The label whose quote begins here. A quote in it is written twice.
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
        // What follows the number is its unit, unless it goes on like a number.
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

    /// Keeps one more than a reading shows, because a program may print one for each word.
    private mutating func note(_ text: String) {
        if notes.count <= ReadContent.mostNotes { notes.append(text) }
    }
}
