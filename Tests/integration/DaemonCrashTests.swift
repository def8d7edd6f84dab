// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

extension Integration {
    /// The daemon ends at random moments while clients write, and no acknowledged change is lost. TODAY_TIMES=N repeats
    /// this N times as often, and prints the number of changes.
    @Suite struct DaemonCrashTests {
        private static let widgets = (0..<4).map { "org.test.w\($0)" }

        @Test func acknowledgedChangesSurviveKills() throws {
            let daemon = try Self.daemon()
            try keepsWhatItAcknowledges(daemon, over: 200) { try daemon.kill() }
        }

        @Test(.enabled(if: SyncedDisk.isPossible, "needs a C compiler"))
        func acknowledgedChangesSurvivePowerCuts() throws {
            let daemon = try Self.daemon()
            let disk = try SyncedDisk(of: daemon)
            try keepsWhatItAcknowledges(daemon, over: 50) { try disk.cutPower() }
        }

        private static func daemon() throws -> PrivateDaemon {
            var manifests: [String: String] = [:]
            for id in widgets {
                manifests["\(id).widget"] = "[Widget]\nAppGroups=group.org.test\n[Update]\nProtocol=push\n"
            }
            return try PrivateDaemon(widgets: manifests, started: false)
        }

        private func keepsWhatItAcknowledges(_ daemon: PrivateDaemon, over rounds: Int, end: () throws -> Void) throws {
            let seed = getenv("TODAY_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0 ... .max)
            let times = getenv("TODAY_TIMES").flatMap { Int(String(cString: $0)) } ?? 1
            let rounds = rounds * max(1, times)
            var random = SeededNumbers(seed: seed)
            var changes = Self.writers(&random)
            var acknowledged = 0
            for round in 1...rounds {
                try daemon.start()
                for writer in changes.indices {
                    try changes[writer].check(in: daemon, "seed \(seed), end \(round)")
                }
                acknowledged += try write(daemon, &changes, &random)
                try end()
                // Replies that were sent before the end count, too.
                for writer in changes.indices { acknowledged += changes[writer].takeLastReplies() }
            }
            if times > 1 { print("# \(rounds) ends, \(acknowledged) acknowledged changes, none lost (seed \(seed))") }
            // With fewer changes the test would show nothing.
            #expect(acknowledged > 5 * rounds)
        }

        /// Lets all writers write for a random number of acknowledgements and a random time within the next commits.
        /// Returns the number of acknowledged changes.
        private func write(
            _ daemon: PrivateDaemon, _ writers: inout [AcknowledgedWriter], _ random: inout SeededNumbers
        ) throws -> Int {
            for writer in writers.indices { try writers[writer].begin(at: daemon.socket, &random) }
            let target = Int.random(in: 1...40, using: &random)
            var acknowledged = 0
            while acknowledged < target {
                var entries = writers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                guard poll(&entries, nfds_t(entries.count), 20_000) > 0 else {
                    throw BuiltProgram.Failure(description: "no change was acknowledged within 20 s")
                }
                for writer in writers.indices where entries[writer].revents != 0 {
                    acknowledged += try writers[writer].takeReplies()
                    try writers[writer].sendNext(&random)
                }
            }
            // A commit takes some hundred microseconds to some milliseconds, so the end hits any part of it.
            Self.spin(microseconds: Int.random(in: 0...3_000, using: &random))
            return acknowledged
        }

        private static func spin(microseconds: Int) {
            let end = ContinuousClock.now + .microseconds(microseconds)
            while ContinuousClock.now < end {}
        }

        // MARK: The writers

        private static func writers(_ random: inout SeededNumbers) -> [AcknowledgedWriter] {
            var number: Int64 = 0
            return [
                AcknowledgedWriter("has-content", initially: true) { _, random in
                    let flag = Bool.random(using: &random)
                    return (call("SetHasContent", ["id": "org.test.w0", "hasContent": .bool(flag)]), .bool(flag))
                } look: { connection in
                    try connection.call("org.todayd.Today.HasContent", ["id": "org.test.w0"])["hasContent"]
                },
                AcknowledgedWriter("order", initially: .array(widgets.map(JSON.string))) { order, random in
                    let id = JSON.string(widgets.randomElement(using: &random) ?? widgets[0])
                    let others = (order.arrayValue ?? []).filter { $0 != id }
                    return (call("Move", ["id": id, "to": "first"]), .array([id] + others))
                } look: { connection in
                    let list = try connection.call("org.todayd.Today.List")["widgets"]?.arrayValue
                    return .array((list ?? []).compactMap { $0["id"] })
                },
                AcknowledgedWriter("defaults", initially: [:]) { values, random in
                    number += 1
                    var object = values.objectValue ?? [:]
                    // Two of the keys appear in both Unicode normal forms.
                    let keys = ["key", "\u{e9}", "e\u{301}", "\u{ac00}", "\u{1100}\u{1161}", "a b"]
                    let key = keys[Int.random(in: 0..<keys.count, using: &random)]
                    let value: JSON? = Int.random(in: 0..<4, using: &random) == 0 ? nil : ["value": .int(number)]
                    object[key] = value
                    var parameters: JSONObject = ["group": "group.org.test", "key": .string(key)]
                    parameters["value"] = value
                    return (call("SetDefaults", parameters), .object(sorted(object)))
                } look: { connection in
                    let values = try connection.call("org.todayd.Today.GetDefaults", ["group": "group.org.test"])[
                        "values"]
                    return values?.objectValue.map { .object(sorted($0)) }
                },
                AcknowledgedWriter("push", initially: .null) { _, _ in
                    number += 1
                    let text = JSON.string("\(number)")
                    return (call("Push", ["id": "org.test.w1", "content": ["text": text]]), text)
                } look: { connection in
                    let items = try connection.call("org.todayd.Today.Show", ["id": "org.test.w1"])["items"]?.arrayValue
                    return items?.first?["content"]?["text"] ?? .null
                },
            ]
        }

        private static func call(_ member: String, _ parameters: JSONObject) -> VarlinkCall {
            VarlinkCall("org.todayd.Today.\(member)", parameters)
        }

        private static func sorted(_ object: JSONObject) -> JSONObject {
            JSONObject(object.map { ($0, $1) }.sorted { $0.0 < $1.0 })
        }
    }
}
