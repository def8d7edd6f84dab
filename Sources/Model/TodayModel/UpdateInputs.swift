// SPDX-License-Identifier: MIT
import JSON
import Platform

/// The inputs of a widget's answer. A widget is behind when its last successful run had other inputs than it would have now. No
/// change is lost, because the daemon compares states instead of counting events.
package struct UpdateInputs: Hashable, Sendable {
    /// The revisions of the defaults of the widget's groups; a group that was never written has none.
    package var groups: [AppGroup: Int64] = [:]
    /// The display mode and the room in it; nil if they are not known.
    package var mode: DisplayMode?
    package var size: Size?
    /// A hash of the program and its arguments and variables.
    package var program: UInt64?
    /// A hash of the user's values of the widget's settings; nil if there are none.
    package var settings: UInt64?
    /// A hash of the settings' defaults. Nil for a widget that has not run since it got settings.
    package var settingDefaults: UInt64?

    package init() {}

    /// How a widget's inputs differ from the present ones.
    package enum Difference: Hashable, Sendable {
        case program, defaults, settings, room
    }

    /// The most important difference from the present inputs. An unknown input is not a difference.
    package func difference(to now: UpdateInputs) -> Difference? {
        if let program, let current = now.program, program != current { return .program }
        if now.groups.contains(where: { groups[$0.key] ?? 0 != $0.value }) { return .defaults }
        if settings != now.settings { return .settings }
        if let settingDefaults, let current = now.settingDefaults, settingDefaults != current { return .settings }
        if let mode, let current = now.mode, mode != current { return .room }
        if let size, let current = now.size, size != current { return .room }
        return nil
    }
}

extension UpdateInputs {
    package var json: JSON {
        var object = JSONObject()
        if !groups.isEmpty {
            let sorted = groups.sorted { $0.key.text < $1.key.text }
            object["groups"] = .object(JSONObject(sorted.map { ($0.key.text, .int($0.value)) }))
        }
        object["mode"] = mode.map { .string($0.rawValue) }
        object["columns"] = size.map { JSON($0.columns) }
        object["rows"] = size.map { JSON($0.rows) }
        object["program"] = Self.json(program)
        object["settings"] = Self.json(settings)
        object["settingDefaults"] = Self.json(settingDefaults)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        if let members = try field.optional("groups")?.members() {
            for (name, revision) in members {
                if let group = AppGroup(name) { groups[group] = Int64(try revision.int()) }
            }
        }
        mode = try field.optional("mode")?.choice(DisplayMode.self)
        if let columns = try field.optional("columns")?.int(), let rows = try field.optional("rows")?.int() {
            size = Size(columns: columns, rows: rows)
        }
        program = try Self.hash(field, "program")
        settings = try Self.hash(field, "settings")
        settingDefaults = try Self.hash(field, "settingDefaults")
    }

    private static func json(_ hash: UInt64?) -> JSON? { hash.map { .string(String($0, radix: 16)) } }

    private static func hash(_ field: JSONField, _ key: String) throws(JSONMismatch) -> UInt64? {
        try (field.optional(key)?.string()).flatMap { UInt64($0, radix: 16) }
    }
}

extension Manifest {
    /// Sets `programHash`. It is FNV-1a, because it must be the same after a restart and Hasher has a new seed in each process.
    ///
    /// - Parameter version: that of the program's file; nil if there is none.
    package mutating func identifyProgram(version: UInt64? = nil) {
        var hash = StableHash()
        func add(_ words: [String]) {
            // These bytes do not occur in UTF-8, so two words or lists never look like one.
            for word in words {
                hash.combine(word.utf8)
                hash.combine(0xff)
            }
            hash.combine(0xfe)
        }
        add([update.contentProtocol.rawValue, update.isStream ? "Stream" : ""])
        add(update.command)
        add([update.workingDirectory ?? "", version.map { String($0) } ?? ""])
        add(update.environment.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
        add(appGroups.map(\.text))
        add([sandbox.level.rawValue, sandbox.hasNetwork ? "network" : "", sandbox.bus ? "bus" : ""])
        for doors in [sandbox.readable, sandbox.writable, sandbox.devices] {
            add(doors.map { $0.isOptional ? "-\($0.path)" : $0.path })
        }
        let numbers = [
            Int(update.timeout.microseconds), limits.memory.map { Int(clamping: $0.bytes) },
            Int(clamping: limits.output.bytes), limits.tasks, limits.processor,
        ]
        add(numbers.map { $0.map { String($0) } ?? "" })
        programHash = hash.value
    }
}

/// What the store keeps of a widget besides its content. It outlives the widget's process and the daemon.
package struct WidgetMemory: Hashable, Sendable {
    /// The largest display mode that the widget has set itself; nil means that of its manifest.
    package var largestMode: DisplayMode?
    /// The inputs of its last successful update.
    package var seen: UpdateInputs?
    /// Its last update failed and asked to wait until this time. The widget does not run earlier, even after a restart of the
    /// daemon.
    package var notBefore: WallTime?
    /// The inputs of its last update, if that failed.
    package var tried: UpdateInputs?
    /// When its last successful update requested the next one; nil means after the interval.
    package var nextAsk: NextAsk?

    package init(
        largestMode: DisplayMode? = nil, seen: UpdateInputs? = nil, notBefore: WallTime? = nil,
        tried: UpdateInputs? = nil,
        nextAsk: NextAsk? = nil
    ) {
        self.largestMode = largestMode
        self.seen = seen
        self.notBefore = notBefore
        self.tried = tried
        self.nextAsk = nextAsk
    }

    /// Applies the outcome of an update.
    ///
    /// - Parameter inputs: the inputs of the update.
    package mutating func apply(_ outcome: RunOutcome, from inputs: UpdateInputs? = nil) {
        guard !outcome.isInteraction, !outcome.isSilent else { return }
        let ended = outcome.started + outcome.duration
        let ask: NextAsk? =
            switch outcome.nextAsk {
            case .wait(let span)?: .date(ended + span)
            case let other: other
            }
        (notBefore, tried) = (nil, nil)
        switch outcome.result {
        case .failed:
            tried = inputs
            if case .date(let date)? = ask { notBefore = date }
        case .newData, .noData: nextAsk = ask
        }
    }
}
