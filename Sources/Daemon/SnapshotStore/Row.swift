// SPDX-License-Identifier: MIT
import JSON
import SQLite
import Spelling
import TodayModel

/// The new value of one row of the database. The loop sends rows to the writer.
enum Row: Equatable, Sendable {
    case choices(WidgetID, Choices)
    /// One value of a group's defaults; nil removes it.
    case value(group: AppGroup, key: String, JSON?)
    /// The number of changes of a group's defaults.
    case revision(AppGroup, Int64)
    /// One value of a widget's settings; nil removes it.
    case setting(WidgetID, name: String, SettingValue?)
    /// A widget's own layer; nil removes it. When only its times have changed, its content is not written again.
    case own(WidgetID, Layers.Own?, contentChanged: Bool)
    /// A widget's pushed layer; nil removes it.
    case pushed(WidgetID, Layers.Pushed?)
    /// A widget's memory; nil removes it.
    case memory(WidgetID, WidgetMemory?)
    /// One record of the update log. Writing it removes the record that is too old.
    case run(WidgetID, UpdateLog.Entry)
    /// Removes the whole log of a widget.
    case endOfLog(WidgetID)
    /// The samples of a series from a number on. Writing them removes the rows before its first sample.
    case samples(WidgetID, name: String, Series, from: Int64)
    /// Removes all series of a widget but these.
    case endOfHistory(WidgetID, except: [String])
}

/// The statements that write rows, compiled once.
struct RowWriter {
    private let setChoices: Statement
    private let setValue: Statement
    private let removeValue: Statement
    private let setRevision: Statement
    private let setSetting: Statement
    private let removeSetting: Statement
    private let setOwn: Statement
    private let setOwnTimes: Statement
    private let removeOwn: Statement
    private let setPushed: Statement
    private let removePushed: Statement
    private let setMemory: Statement
    private let removeMemory: Statement
    private let addRun: Statement
    private let removeOldRuns: Statement
    private let cutOldRun: Statement
    private let removeLog: Statement
    private let setSample: Statement
    private let removeOldSamples: Statement
    private let removeOtherSeries: Statement

    /// The reasons of runs that are not updates. The newest update stays in the log, as in `UpdateLog`.
    private static let interactions = RunReason.allCases.filter(\.isInteraction).map { "'\($0.rawValue)'" }.joined(
        separator: ", ")

    init(_ database: Database) throws(SQLiteError) {
        setChoices = try ChoicesTable.insertion(into: database)
        setValue = try database.prepare("INSERT OR REPLACE INTO defaults (app_group, key, value) VALUES (?, ?, ?)")
        removeValue = try database.prepare("DELETE FROM defaults WHERE app_group = ? AND key = ?")
        // An upsert, because REPLACE would delete the row and write its content again elsewhere.
        setOwn = try database.prepare(
            """
            INSERT INTO snapshots (widget, taken, confirmed, content) VALUES (?, ?, ?, ?)
            ON CONFLICT (widget) DO UPDATE SET taken = excluded.taken, confirmed = excluded.confirmed,
            content = excluded.content
            """)
        setOwnTimes = try database.prepare("UPDATE snapshots SET taken = ?2, confirmed = ?3 WHERE widget = ?1")
        removeOwn = try database.prepare("DELETE FROM snapshots WHERE widget = ?")
        setPushed = try database.prepare(
            "INSERT OR REPLACE INTO pushed (widget, taken, expires, pushed_by, content) VALUES (?, ?, ?, ?, ?)")
        removePushed = try database.prepare("DELETE FROM pushed WHERE widget = ?")
        setMemory = try database.prepare(
            """
            INSERT OR REPLACE INTO memories (widget, largest_mode, seen, not_before, next_ask, tried)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
        removeMemory = try database.prepare("DELETE FROM memories WHERE widget = ?")
        setRevision = try database.prepare("INSERT OR REPLACE INTO revisions (app_group, revision) VALUES (?, ?)")
        setSetting = try database.prepare(
            "INSERT OR REPLACE INTO settings (widget, name, is_secret, value) VALUES (?, ?, ?, ?)")
        removeSetting = try database.prepare("DELETE FROM settings WHERE widget = ? AND name = ?")
        addRun = try database.prepare(
            """
            INSERT OR REPLACE INTO runs
            (widget, number, started, duration, reason, result, failure, exit, error_output, processor, memory)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        removeOldRuns = try database.prepare(
            """
            DELETE FROM runs WHERE widget = ?1 AND number <= ?2 AND number IS NOT
            (SELECT number FROM runs WHERE widget = ?1 AND reason NOT IN (\(Self.interactions)) ORDER BY number DESC LIMIT 1)
            """)
        removeLog = try database.prepare("DELETE FROM runs WHERE widget = ?")
        cutOldRun = try database.prepare(
            "UPDATE runs SET error_output = '' WHERE widget = ? AND number = ? AND error_output <> ''")
        setSample = try database.prepare(
            "INSERT OR REPLACE INTO samples (widget, name, number, taken, value) VALUES (?, ?, ?, ?, ?)")
        removeOldSamples = try database.prepare("DELETE FROM samples WHERE widget = ? AND name = ? AND number < ?")
        removeOtherSeries = try database.prepare(
            "DELETE FROM samples WHERE widget = ? AND name NOT IN (SELECT value FROM json_each(?))")
    }

    func write(_ row: Row) throws(SQLiteError) {
        switch row {
        case .choices(let id, let choices): try setChoices.run(ChoicesTable.values(choices, of: id))
        case .value(let group, let key, let value?): try setValue.run(.text(group.text), .text(key), .text(value.text))
        case .value(let group, let key, nil): try removeValue.run(.text(group.text), .text(key))
        case .revision(let group, let revision): try setRevision.run(.text(group.text), .integer(revision))
        case .setting(let id, let name, let value?):
            try setSetting.run(.text(id.text), .text(name), SQLiteValue(value.isSecret), .text(value.text))
        case .setting(let id, let name, nil): try removeSetting.run(.text(id.text), .text(name))
        case .own(let id, let layer?, let contentChanged): try write(layer, of: id, contentChanged)
        case .own(let id, nil, _): try removeOwn.run(.text(id.text))
        case .pushed(let id, let layer?): try write(layer, to: id)
        case .pushed(let id, nil): try removePushed.run(.text(id.text))
        case .memory(let id, let memory?):
            try setMemory.run(
                .text(id.text), SQLiteValue(memory.largestMode?.rawValue), SQLiteValue(memory.seen?.json.text),
                SQLiteValue(memory.notBefore?.microseconds), SQLiteValue(memory.nextAsk.flatMap(Self.number)),
                SQLiteValue(memory.tried?.json.text))
        case .memory(let id, nil): try removeMemory.run(.text(id.text))
        case .run(let id, let entry): try write(entry, of: id)
        case .endOfLog(let id): try removeLog.run(.text(id.text))
        case .samples(let id, let name, let series, let from): try write(series, name, from: from, of: id)
        case .endOfHistory(let id, let kept):
            try removeOtherSeries.run(.text(id.text), .text(JSON.array(kept.map { .string($0) }).text))
        }
    }

    /// A date as a number; the largest number for never.
    private static func number(_ ask: NextAsk) -> Int64? {
        switch ask {
        case .date(let date): date.microseconds
        case .never: .max
        case .wait: nil
        }
    }

    private func write(_ layer: Layers.Own, of id: WidgetID, _ contentChanged: Bool) throws(SQLiteError) {
        let times: [SQLiteValue] = [
            .text(id.text), .integer(layer.taken.microseconds), .integer(layer.confirmed.microseconds),
        ]
        if contentChanged {
            try setOwn.run(times + [.text(layer.content.json.text)])
        } else {
            try setOwnTimes.run(times)
        }
    }

    private func write(_ layer: Layers.Pushed, to id: WidgetID) throws(SQLiteError) {
        try setPushed.run(
            .text(id.text), .integer(layer.taken.microseconds), SQLiteValue(layer.expires?.microseconds),
            SQLiteValue(layer.by), .text(layer.content.json.text))
    }

    private func write(_ series: Series, _ name: String, from: Int64, of id: WidgetID) throws(SQLiteError) {
        for number in max(from, series.first)..<series.end {
            let sample = series.samples[Int(number - series.first)]
            try setSample.run(
                .text(id.text), .text(name), .integer(number), .integer(sample.date.microseconds), .real(sample.value))
        }
        try removeOldSamples.run(.text(id.text), .text(name), .integer(series.first))
    }

    private func write(_ entry: UpdateLog.Entry, of id: WidgetID) throws(SQLiteError) {
        let (number, run) = (entry.number, entry.record)
        try addRun.run(
            .text(id.text), .integer(number), .integer(run.started.microseconds), .integer(run.duration.microseconds),
            .text(run.reason.rawValue), .text(run.result.rawValue), SQLiteValue(run.failure), SQLiteValue(run.exit),
            .text(run.errorOutput), SQLiteValue(run.usage?.processor.microseconds),
            SQLiteValue(run.usage?.memory.map { Int64(clamping: $0.bytes) }))
        try removeOldRuns.run(.text(id.text), .integer(number - Int64(StoreLimits.runsPerWidget)))
        try cutOldRun.run(.text(id.text), .integer(number - Int64(StoreLimits.runsWithErrorOutput)))
    }
}
