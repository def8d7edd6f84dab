// SPDX-License-Identifier: MIT
import JSON

/// What an answer of a widget was made from. A widget is behind when these are others now than at its last successful
/// run; no change is lost, because there are no events, only differences.
package struct Premises: Hashable, Sendable {
    /// The revisions of its groups' defaults; a group that was never written has none.
    package var groups: [AppGroup: Int64] = [:]
    /// The display mode and the room in it; nil where that is not known.
    package var mode: DisplayMode?
    package var size: Size?
    /// Stands for the program and how it is started.
    package var program: UInt64?

    package init() {}

    /// What of the present premises a widget has not seen.
    package enum Difference: Hashable, Sendable {
        case program, defaults, room
    }

    /// The gravest difference to the premises as they are now. What is not known here is no difference.
    package func difference(to now: Premises) -> Difference? {
        if let program, let current = now.program, program != current { return .program }
        if now.groups.contains(where: { groups[$0.key] ?? 0 != $0.value }) { return .defaults }
        if let mode, let current = now.mode, mode != current { return .room }
        if let size, let current = now.size, size != current { return .room }
        return nil
    }
}

extension Premises {
    package var json: JSON {
        var object = JSONObject()
        if !groups.isEmpty {
            let sorted = groups.sorted { $0.key.text < $1.key.text }
            object["groups"] = .object(JSONObject(sorted.map { ($0.key.text, .int($0.value)) }))
        }
        object["mode"] = mode.map { .string($0.rawValue) }
        object["columns"] = size.map { JSON($0.columns) }
        object["rows"] = size.map { JSON($0.rows) }
        object["program"] = program.map { .string(String($0, radix: 16)) }
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
        program = try (field.optional("program")?.string()).flatMap { UInt64($0, radix: 16) }
    }
}

extension UpdatePlan {
    /// Stands for what is run, the same on every start of the daemon: FNV-1a, because Hasher is seeded anew each time.
    package var programHash: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            hash = (hash ^ 0xff) &* 0x0000_0100_0000_01b3
        }
        take(contentProtocol.rawValue)
        for word in command { take(word) }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            take(name)
            take(value)
        }
        return hash
    }
}
