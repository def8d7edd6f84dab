// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import Varlink

/// A client that changes one thing again and again, and knows what must be there: what was acknowledged last, or else
/// what was under way when the daemon ended.
struct Writer {
    typealias Change = (_ present: JSON, _ random: inout SeededNumbers) -> (VarlinkCall, JSON)

    private let name: String
    private let change: Change
    private let look: (VarlinkConnection) throws -> JSON?
    private var acknowledged: JSON
    private var pending: JSON?
    private var connection: VarlinkConnection?

    /// - Parameters:
    ///   - change: the next call, and what is there after it.
    ///   - look: asks the daemon what is there.
    init(
        _ name: String, initially: JSON, change: @escaping Change, look: @escaping (VarlinkConnection) throws -> JSON?
    ) {
        self.name = name
        self.change = change
        self.look = look
        acknowledged = initially
    }

    var descriptor: Int32 { connection?.descriptor ?? -1 }

    mutating func begin(at path: String, _ random: inout SeededNumbers) throws {
        connection = try VarlinkConnection(path: path)
        try sendNext(&random)
    }

    /// The next change, when there is none under way.
    mutating func sendNext(_ random: inout SeededNumbers) throws {
        guard pending == nil else { return }
        let (call, after) = change(acknowledged, &random)
        pending = after
        try connection?.send(call)
    }

    /// How many changes were acknowledged by what has come.
    mutating func takeReplies() throws -> Int {
        var count = 0
        while let reply = try connection?.receiveAvailable() {
            _ = try reply.result()
            if let pending { acknowledged = pending }
            pending = nil
            count += 1
        }
        return count
    }

    /// The same when the daemon has ended: it may have acknowledged something right before.
    mutating func takeLastReplies() -> Int {
        let hadPending = pending != nil
        defer { connection = nil }
        _ = try? takeReplies()
        return hadPending && pending == nil ? 1 : 0
    }

    /// Looks after a restart. What was under way may have happened or not, and that is settled now.
    mutating func check(in daemon: PrivateDaemon, _ when: String) throws {
        let found = try #require(try look(try daemon.connect()))
        let isKept = found == acknowledged || found == pending
        #expect(isKept, "\(when): \(name) is \(found.text), acknowledged was \(acknowledged.text)")
        acknowledged = found
        pending = nil
    }
}
