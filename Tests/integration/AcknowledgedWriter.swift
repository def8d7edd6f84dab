// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import Varlink

/// A client that changes one thing many times. After the daemon has ended, the state must be that of the last acknowledged
/// change or of the change in progress.
struct AcknowledgedWriter {
    typealias Change = (_ present: JSON, _ random: inout SeededNumbers) -> (VarlinkCall, JSON)

    private let name: String
    private let change: Change
    private let look: (VarlinkConnection) throws -> JSON?
    private var acknowledged: JSON
    private var pending: JSON?
    private var connection: VarlinkConnection?

    /// - Parameters:
    ///   - change: returns the next call, and the state after it.
    ///   - look: reads the state from the daemon.
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

    /// Sends the next change if none is in progress.
    mutating func sendNext(_ random: inout SeededNumbers) throws {
        guard pending == nil else { return }
        let (call, after) = change(acknowledged, &random)
        pending = after
        try connection?.send(call)
    }

    /// Reads the replies that have arrived. Returns the number of acknowledged changes.
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

    /// Reads the last replies of a daemon that has ended.
    mutating func takeLastReplies() -> Int {
        let hadPending = pending != nil
        defer { connection = nil }
        _ = try? takeReplies()
        return hadPending && pending == nil ? 1 : 0
    }

    /// Compares the state after a restart. The change in progress may have been made or not.
    mutating func check(in daemon: PrivateDaemon, _ when: String) throws {
        let found = try #require(try look(try daemon.connect()))
        let isKept = found == acknowledged || found == pending
        #expect(isKept, "\(when): \(name) is \(found.text), acknowledged was \(acknowledged.text)")
        acknowledged = found
        pending = nil
    }
}
