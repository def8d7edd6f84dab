// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Reads single values of manifests and todayd.conf.
enum Values {
    static func boolean(_ text: String) throws(WrongValue) -> Bool {
        guard let isTrue = text.boolean else { throw WrongValue("\"\(text)\" is neither yes nor no") }
        return isTrue
    }

    static func time(_ text: String, atLeast shortest: TimeSpan) throws(WrongValue) -> TimeSpan {
        guard let span = TimeSpan(text) else {
            throw WrongValue("\"\(text)\" is not a length of time, such as 90, 30s or 1min 30s")
        }
        guard span >= shortest else { throw WrongValue("\(text) is shorter than \(shortest.text)") }
        return span
    }

    /// A duration, or `no`.
    static func age(_ text: String) throws(WrongValue) -> TimeSpan? {
        // A number is a length of time.
        switch Int(text) == nil ? text.boolean : nil {
        case false?: return nil
        case true?: throw WrongValue("\(text) is too little: say how old, such as 1min, or no")
        case nil: return try time(text, atLeast: .seconds(1))
        }
    }

    /// Nil means no limit, for `infinity` as in systemd.resource-control(5).
    static func size(_ text: String) throws(WrongValue) -> ByteSize? {
        if text == "infinity" { return nil }
        guard let size = ByteSize(text) else {
            throw WrongValue("\"\(text)\" is not a size in bytes, such as 1048576, 512K or 64M")
        }
        guard size.bytes > 0 else { throw WrongValue("a limit of nothing") }
        return size
    }

    /// A number of processes and threads. Nil means no limit.
    static func tasks(_ text: String) throws(WrongValue) -> Int? {
        text == "infinity" ? nil : try count(text, in: 1...1_000_000)
    }

    /// Percent of one processor, as in systemd.resource-control(5). Nil means no limit.
    static func quota(_ text: String) throws(WrongValue) -> Int? {
        if text == "infinity" { return nil }
        guard text.hasSuffix("%"), let percent = Int(text.dropLast()), 1...100_000 ~= percent else {
            throw WrongValue("\"\(text)\" is not a part of a processor, such as 20% or, of two, 200%")
        }
        return percent
    }

    static func outputSize(_ text: String) throws(WrongValue) -> ByteSize {
        guard let size = try size(text), size <= largestOutput else {
            throw WrongValue("\(text) is more than \(largestOutput.text)")
        }
        return size
    }

    /// The limit of content: longer output would be refused anyway.
    static let largestOutput = ByteSize(bytes: UInt64(ContentLimits.contentBytes))

    static func count(_ text: String, in range: ClosedRange<Int>) throws(WrongValue) -> Int {
        guard let count = Int(text), range.contains(count) else {
            throw WrongValue("\"\(text)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    static func line(_ text: String, upTo limit: Int = ContentLimits.summaryBytes) throws(WrongValue) -> String {
        if let reason = TextRule(mostBytes: limit).complaint(about: text) { throw WrongValue(reason) }
        return text
    }

    static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    }

    /// An identifier of an app, under the rules of a widget's identifier.
    static func identifier(_ text: String) throws(WrongValue) -> String {
        guard let id = WidgetID(text), id.instance == nil else {
            throw WrongValue("\"\(text)\" is not an identifier such as org.example.name")
        }
        return text
    }

    static func appGroup(_ text: String) throws(WrongValue) -> AppGroup {
        guard let group = AppGroup(text) else {
            throw WrongValue("\"\(text)\" is not an identifier such as group.org.example.name")
        }
        return group
    }

    static func urlScheme(_ text: String) throws(WrongValue) -> String {
        let lower = text.lowercased()
        guard URLScheme.isScheme(lower[...]) else {
            throw WrongValue("\"\(text)\" is not a URL scheme (letters, digits, + - . and no colon)")
        }
        guard !URLScheme.programs.contains(lower) else {
            throw WrongValue(
                "\"\(text)\": what such a URL holds is run by what opens it, so that no widget may have it opened")
        }
        return lower
    }

    /// One of the words of an enumeration.
    static func word<T: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws(WrongValue) -> T where T.RawValue == String {
        try choice(text, identifiedBy: \.rawValue)
    }

    static func choice<T: CaseIterable>(
        _ text: String, identifiedBy identifier: (T) -> String
    ) throws(WrongValue) -> T {
        if let value = T.allCases.first(where: { identifier($0) == text }) { return value }
        let names = T.allCases.map(identifier)
        if let nearest = nearestName(to: text, among: names) {
            throw WrongValue("\"\(text)\" is unknown; did you mean \(nearest)?")
        }
        throw WrongValue("\"\(text)\" is unknown; known are \(names.joined(separator: ", "))")
    }
}

/// Why a value is wrong for its key. The reader of the file adds the file and the line.
struct WrongValue: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
