// SPDX-License-Identifier: MIT
import SQLite
import TodayModel
import Varlink

/// The statements that write rows, compiled once.
struct RowWriter {
    private let setChoices: Statement
    private let setValue: Statement
    private let removeValue: Statement
    private let setSnapshot: Statement
    private let setSnapshotTimes: Statement
    private let removeSnapshot: Statement
    private let addRun: Statement
    private let removeOldRuns: Statement
    private let cutOldRun: Statement
    private let removeLog: Statement

    /// The last update stays, as in `UpdateLog`.
    private static let errands = RunReason.allCases.filter(\.isErrand).map { "'\($0.rawValue)'" }.joined(
        separator: ", ")

    init(_ database: Database) throws(SQLiteError) {
        setChoices = try database.prepare(
            """
            INSERT OR REPLACE INTO choices (widget, enabled, has_content, mode, lock_screen, rank)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
        setValue = try database.prepare("INSERT OR REPLACE INTO defaults (app_group, key, value) VALUES (?, ?, ?)")
        removeValue = try database.prepare("DELETE FROM defaults WHERE app_group = ? AND key = ?")
        // An upsert, because REPLACE would delete the row and write its content anew elsewhere.
        setSnapshot = try database.prepare(
            """
            INSERT INTO snapshots (widget, taken, confirmed, expires, content) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (widget) DO UPDATE SET taken = excluded.taken, confirmed = excluded.confirmed,
            expires = excluded.expires, content = excluded.content
            """)
        setSnapshotTimes = try database.prepare(
            "UPDATE snapshots SET taken = ?2, confirmed = ?3, expires = ?4 WHERE widget = ?1")
        removeSnapshot = try database.prepare("DELETE FROM snapshots WHERE widget = ?")
        addRun = try database.prepare(
            """
            INSERT OR REPLACE INTO runs
            (widget, number, started, duration, reason, result, failure, exit, error_output)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        removeOldRuns = try database.prepare(
            """
            DELETE FROM runs WHERE widget = ?1 AND number <= ?2 AND number IS NOT
            (SELECT number FROM runs WHERE widget = ?1 AND reason NOT IN (\(Self.errands)) ORDER BY number DESC LIMIT 1)
            """)
        removeLog = try database.prepare("DELETE FROM runs WHERE widget = ?")
        cutOldRun = try database.prepare(
            "UPDATE runs SET error_output = '' WHERE widget = ? AND number = ? AND error_output <> ''")
    }

    func write(_ row: Row) throws(SQLiteError) {
        switch row {
        case .choices(let id, let choices): try write(choices, of: id)
        case .value(let group, let key, let value?): try setValue.run(.text(group.text), .text(key), .text(value.text))
        case .value(let group, let key, nil): try removeValue.run(.text(group.text), .text(key))
        case .snapshot(let id, let snapshot?, let contentChanged): try write(snapshot, of: id, contentChanged)
        case .snapshot(let id, nil, _): try removeSnapshot.run(.text(id.text))
        case .run(let id, let entry): try write(entry, of: id)
        case .endOfLog(let id): try removeLog.run(.text(id.text))
        }
    }

    private func write(_ choices: Choices, of id: WidgetID) throws(SQLiteError) {
        try setChoices.run(
            .text(id.text), SQLiteValue(choices.enabled), SQLiteValue(choices.hasContent),
            SQLiteValue(choices.mode?.rawValue), SQLiteValue(choices.allowedOnLockScreen), SQLiteValue(choices.rank))
    }

    private func write(_ snapshot: Snapshot, of id: WidgetID, _ contentChanged: Bool) throws(SQLiteError) {
        let times: [SQLiteValue] = [
            .text(id.text), .integer(snapshot.taken.microseconds), .integer(snapshot.confirmed.microseconds),
            SQLiteValue(snapshot.expires?.microseconds),
        ]
        if contentChanged {
            try setSnapshot.run(times + [.text(snapshot.content.json.text)])
        } else {
            try setSnapshotTimes.run(times)
        }
    }

    private func write(_ entry: UpdateLog.Entry, of id: WidgetID) throws(SQLiteError) {
        let (number, run) = (entry.number, entry.record)
        try addRun.run(
            .text(id.text), .integer(number), .integer(run.started.microseconds), .integer(run.duration.microseconds),
            .text(run.reason.rawValue), .text(run.result.rawValue), SQLiteValue(run.failure), SQLiteValue(run.exit),
            .text(run.errorOutput))
        try removeOldRuns.run(.text(id.text), .integer(number - Int64(StoreLimits.runsPerWidget)))
        try cutOldRun.run(.text(id.text), .integer(number - Int64(StoreLimits.runsWithErrorOutput)))
    }
}
