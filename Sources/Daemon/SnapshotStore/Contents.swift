// SPDX-License-Identifier: MIT
import JSON
import SQLite
import Spelling
import TodayModel

/// Everything that the store keeps, as it is when the store opens.
struct Contents: Equatable, Sendable {
    var state = StoredState()
    /// The layers include only those that are kept on disk.
    var widgets = KeptWidgets()
    /// What the store could not read, for the journal.
    private(set) var complaints: [String] = []

    /// A damaged table may lose millions of rows.
    static let mostComplaints = 100

    mutating func complain(_ complaint: String) {
        if complaints.count < Self.mostComplaints { complaints.append(complaint) }
        if complaints.count == Self.mostComplaints { complaints.append("and so on") }
    }

    /// The rows of a database with these contents.
    var rows: [Row] {
        var rows: [Row] = state.choices.map { .choices($0.key, $0.value) }
        for (group, defaults) in state.defaults {
            rows += defaults.values.map { Row.value(group: group, key: $0.key, $0.value) }
        }
        rows += state.revisions.map { Row.revision($0.key, $0.value) }
        for (id, values) in state.settings { rows += values.map { Row.setting(id, name: $0.key, $0.value) } }
        for (id, widget) in widgets.table.dictionary {
            if let own = widget.layers.own { rows.append(.own(id, own, contentChanged: true)) }
            if let pushed = widget.layers.pushed { rows.append(.pushed(id, pushed)) }
            if widget.memory != WidgetMemory() { rows.append(.memory(id, widget.memory)) }
            rows += widget.log.entries.map { .run(id, $0) }
            for (name, series) in widget.history.series {
                rows.append(.samples(id, name: name.text, series, from: series.first))
            }
        }
        return rows
    }
}

extension Contents {
    private typealias Reader = @Sendable (inout Contents, Database) throws(SQLiteError) -> Void

    private static let parts: [(name: String, read: Reader)] = [
        ("choices", { contents, database throws(SQLiteError) in try contents.readChoices(database) }),
        ("defaults", { contents, database throws(SQLiteError) in try contents.readDefaults(database) }),
        ("settings", { contents, database throws(SQLiteError) in try contents.readSettings(database) }),
        ("snapshots", { contents, database throws(SQLiteError) in try contents.readOwn(database) }),
        ("pushed contents", { contents, database throws(SQLiteError) in try contents.readPushed(database) }),
        ("revisions", { contents, database throws(SQLiteError) in try contents.readRevisions(database) }),
        ("memories", { contents, database throws(SQLiteError) in try contents.readMemories(database) }),
        ("update logs", { contents, database throws(SQLiteError) in try contents.readRuns(database) }),
        ("histories", { contents, database throws(SQLiteError) in try contents.readHistory(database) }),
    ]

    /// Reads every row. An invalid row is left out with a complaint; the other rows are valid, because the file has
    /// been checked.
    init(reading database: Database) throws(SQLiteError) {
        for part in Self.parts { try part.read(&self, database) }
    }

    /// Reads as much as possible of a database that is damaged, or of a newer version, whose tables may differ.
    init(salvaging database: Database) {
        for part in Self.parts {
            do throws(SQLiteError) {
                try part.read(&self, database)
            } catch {
                complain("\(part.name) cannot be read: \(error)")
            }
        }
    }

    private mutating func readChoices(_ database: Database) throws(SQLiteError) {
        try ChoicesTable.read(database) { name, choices in
            if let id = widget(name, in: "choices") { state.choices[id] = choices }
        }
    }

    private mutating func readDefaults(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare("SELECT app_group, key, value FROM defaults")
        while try rows.step() {
            let key = rows.string(1)
            guard let group = AppGroup(rows.string(0)) else {
                complain("the value of \(key) is lost: \(rows.string(0)) is not an app group")
                continue
            }
            do throws(JSONSyntaxError) {
                let value = try JSON.parse(rows.blob(2))
                state.defaults[group, default: GroupDefaults()].put(key, value)
            } catch {
                complain("the value of \(key) in the defaults of \(group) is lost: \(error)")
            }
        }
    }

    private mutating func readSettings(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare("SELECT widget, name, is_secret, value FROM settings")
        while try rows.step() {
            guard let id = widget(rows, in: "settings") else { continue }
            // The complaint goes to the journal, so it never contains the value, which may be a secret.
            let (name, value) = (rows.string(1), rows.string(3))
            guard Face.Key(rawValue: name) != nil || SettingName.complaint(about: name) == nil,
                value.utf8.count <= Setting.valueBytes,
                !value.hasTooManyMarks
            else {
                complain("a setting of \(id) is lost: its name or its value cannot be one")
                continue
            }
            state.settings[id, default: [:]][name] = SettingValue(value, isSecret: rows.bool(2))
        }
    }

    private mutating func readOwn(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare("SELECT widget, taken, confirmed, content FROM snapshots")
        while try rows.step() {
            guard let id = widget(rows, in: "snapshots"), let content = content(rows, 3, of: id) else { continue }
            let own = Layers.Own(
                content, taken: WallTime(microseconds: rows.int(1)), confirmed: WallTime(microseconds: rows.int(2)))
            widgets.update(id) { $0.layers.own = own }
        }
    }

    private mutating func readPushed(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare("SELECT widget, taken, expires, pushed_by, content FROM pushed")
        while try rows.step() {
            guard let id = widget(rows, in: "pushed"), let content = content(rows, 4, of: id) else { continue }
            let pushed = Layers.Pushed(
                content, taken: WallTime(microseconds: rows.int(1)),
                expires: rows.optionalInt(2).map(WallTime.init(microseconds:)),
                by: rows.optionalString(3).map { PlainText.line(Self.bounded($0)) })
            widgets.update(id) { $0.layers.pushed = pushed }
        }
    }

    private mutating func content(_ rows: Statement, _ column: Int32, of id: WidgetID) -> Content? {
        do {
            return try Content(JSONField(root: try JSON.parse(rows.blob(column)), name: "content"))
        } catch {
            complain("the snapshot of \(id) is lost: \(error)")
            return nil
        }
    }

    private mutating func readRevisions(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare("SELECT app_group, revision FROM revisions")
        while try rows.step() {
            // New revisions count on from this number, so it must be in range.
            guard let group = AppGroup(rows.string(0)), UpdateLog.numbers.contains(rows.int(1)) else {
                complain("a revision is lost: \(rows.string(0)) is not an app group, or its number is invalid")
                continue
            }
            state.revisions[group] = rows.int(1)
        }
    }

    private mutating func readMemories(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare(
            "SELECT widget, largest_mode, seen, not_before, next_ask, tried FROM memories")
        while try rows.step() {
            guard let id = widget(rows, in: "memories") else { continue }
            var memory = WidgetMemory()
            memory.largestMode = Self.word(rows.optionalString(1)).flatMap(DisplayMode.init)
            // UpdateInputs that cannot be read count as never seen, so the widget runs once more.
            memory.seen = Self.inputs(rows, 2)
            memory.notBefore = rows.optionalInt(3).map(WallTime.init(microseconds:))
            memory.nextAsk = rows.optionalInt(4).map { $0 == .max ? .never : .date(WallTime(microseconds: $0)) }
            memory.tried = Self.inputs(rows, 5)
            widgets.update(id) { $0.memory = memory }
        }
    }

    private static func inputs(_ rows: Statement, _ column: Int32) -> UpdateInputs? {
        rows.isNull(column) ? nil : try? UpdateInputs(JSONField(root: JSON.parse(rows.blob(column))))
    }

    private mutating func readRuns(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare(
            """
            SELECT widget, number, started, duration, reason, result, failure, exit, error_output, processor, memory
            FROM runs
            ORDER BY widget, number
            """)
        while try rows.step() {
            guard let id = widget(rows, in: "runs") else { continue }
            // New runs count on from this number, so it must be in range.
            let number = rows.int(1)
            guard UpdateLog.numbers.contains(number) else {
                complain("a run of \(id) is lost: \(number) is not a number of a run")
                continue
            }
            guard let reason = Self.word(rows.string(4)).flatMap(RunReason.init),
                let result = Self.word(rows.string(5)).flatMap(RunRecord.Result.init)
            else {
                complain("a run of \(id) is lost: its reason or result is unknown")
                continue
            }
            var record = RunRecord(
                started: WallTime(microseconds: rows.int(2)), duration: TimeSpan(microseconds: rows.int(3)),
                reason: reason, result: result, failure: rows.optionalString(6).map(Self.bounded),
                exit: rows.optionalString(7).map(Self.bounded), errorOutput: Self.bounded(rows.string(8)))
            if !rows.isNull(9) {
                record.usage = RunUsage(
                    processor: TimeSpan(microseconds: rows.int(9)),
                    memory: rows.isNull(10) ? nil : ByteSize(bytes: UInt64(clamping: rows.int(10))))
            }
            widgets.update(id) { $0.log.append(UpdateLog.Entry(number: number, record: record)) }
        }
    }

    private mutating func readHistory(_ database: Database) throws(SQLiteError) {
        let rows = try database.prepare(
            "SELECT widget, name, number, taken, value FROM samples ORDER BY widget, name, number")
        var reader = HistoriesReader()
        defer { widgets.adopt(reader.end()) }
        while try rows.step() {
            let widget = rows.string(0, orSame: reader.widget)
            let name = rows.string(1, orSame: reader.name)
            let sample = Sample(rows.double(4), at: WallTime(microseconds: rows.int(3)))
            switch reader.add(widget, name, rows.int(2), sample) {
            case nil: break
            case .noWidget: complain("a row of history is lost: \(widget) is not a widget")
            case .noSample(let id): complain("a value in the history of \(id) is lost: its numbers cannot have it")
            }
        }
    }

    /// A short text that may be a known word; nil for a longer one, which cannot be.
    private static func word(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= 32 ? $0 : nil } }

    /// The store never writes a longer text, nor one with so many combining marks that comparing it is slow.
    private static func bounded(_ text: String) -> String {
        text.hasTooManyMarks ? "" : text.shortened(to: RunRecord.errorOutputBytes)
    }

    private mutating func widget(_ rows: Statement, in table: String) -> WidgetID? {
        widget(rows.string(0), in: table)
    }

    private mutating func widget(_ name: String, in table: String) -> WidgetID? {
        let id = WidgetID(name)
        if id == nil { complain("a row of \(table) is lost: \(name) is not a widget") }
        return id
    }
}
