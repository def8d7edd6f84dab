// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The last runs of one widget, oldest first. Their number and size are limited.
package struct UpdateLog: Equatable, Sendable {
    /// A record with its number. Numbers increase as long as the store knows the widget.
    struct Entry: Equatable, Sendable {
        let number: Int64
        var record: RunRecord
    }

    /// Even at one run per microsecond, the numbers last 285 years.
    static let numbers: ClosedRange<Int64> = 1...1 << 53

    private(set) var entries: [Entry] = []

    package var records: [RunRecord] { entries.map(\.record) }
    package var last: RunRecord? { entries.last?.record }
    /// The last run that shows whether the widget works. A button or an editor does not show it.
    package var lastUpdate: RunRecord? { placeOfLastUpdate.map { entries[$0].record } }
    private var placeOfLastUpdate: Int? { entries.lastIndex { !$0.record.reason.isInteraction } }

    package init() {}

    /// Adds a run and returns the entry as it is kept.
    mutating func append(_ record: RunRecord) -> Entry {
        let entry = Entry(number: (entries.last?.number ?? 0) + 1, record: Self.bounded(record))
        append(entry)
        return entry
    }

    /// Adds a run that already has a number.
    mutating func append(_ entry: Entry) {
        var entry = entry
        // Most runs end in the same way, so fifty records can share one string.
        if let exit = entries.last?.record.exit, exit == entry.record.exit { entry.record.exit = exit }
        entries.append(entry)
        // The last update stays, because it shows whether the widget works, however many button presses follow it.
        if entries.count > StoreLimits.runsPerWidget { entries.remove(at: placeOfLastUpdate == 0 ? 1 : 0) }
        let old = entries.count - StoreLimits.runsWithErrorOutput - 1
        if old >= 0 { entries[old].record.errorOutput = "" }
    }

    /// Keeps the start of reasons and the end of standard error.
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
