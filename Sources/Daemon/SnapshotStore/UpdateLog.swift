// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The last runs of one widget, oldest first, bounded in number and in size.
package struct UpdateLog: Equatable, Sendable {
    /// A record with its number; numbers count up for as long as the widget is known.
    struct Entry: Equatable, Sendable {
        let number: Int64
        var record: RunRecord
    }

    /// A run a microsecond would take three lifetimes to reach the end.
    static let numbers: ClosedRange<Int64> = 1...1 << 53

    private(set) var entries: [Entry] = []

    package var records: [RunRecord] { entries.map(\.record) }
    package var last: RunRecord? { entries.last?.record }
    /// The last one that says something of the widget's state: what a button or an editor asked for does not.
    package var lastUpdate: RunRecord? { placeOfLastUpdate.map { entries[$0].record } }
    private var placeOfLastUpdate: Int? { entries.lastIndex { !$0.record.reason.isErrand } }

    package init() {}

    /// Adds a run and returns it as it is to be kept.
    mutating func append(_ record: RunRecord) -> Entry {
        let entry = Entry(number: (entries.last?.number ?? 0) + 1, record: Self.bounded(record))
        append(entry)
        return entry
    }

    /// Adds a run that has its number already.
    mutating func append(_ entry: Entry) {
        var entry = entry
        // Almost all end the same way, and one string can serve fifty records.
        if let exit = entries.last?.record.exit, exit == entry.record.exit { entry.record.exit = exit }
        entries.append(entry)
        // Whether the widget works is told by its last update, however often its buttons are pressed after it.
        if entries.count > StoreLimits.runsPerWidget { entries.remove(at: placeOfLastUpdate == 0 ? 1 : 0) }
        let old = entries.count - StoreLimits.runsWithErrorOutput - 1
        if old >= 0 { entries[old].record.errorOutput = "" }
    }

    /// Reasons keep their beginning, and standard error its end.
    private static func bounded(_ record: RunRecord) -> RunRecord {
        var record = record
        record.failure = record.failure?.shortened(to: StoreLimits.reasonBytes)
        record.exit = record.exit?.shortened(to: StoreLimits.reasonBytes)
        let output = record.errorOutput.utf8
        if output.count > StoreLimits.errorOutputBytes {
            let end = output.suffix(StoreLimits.errorOutputBytes).drop { $0 & 0xc0 == 0x80 }
            record.errorOutput = String(decoding: end, as: UTF8.self)
        }
        return record
    }
}
