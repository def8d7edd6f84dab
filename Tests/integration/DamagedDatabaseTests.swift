// SPDX-License-Identifier: MIT
import Glibc
import JSON
import SQLite
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// The daemon reports databases that it cannot use as they are, and goes on serving.
    @Suite struct DamagedDatabaseTests {
        private static let file = "state/todayd.sqlite"

        /// A stopped daemon with state: the widget is hidden, and its group has a default.
        private func stoppedDaemon() throws -> PrivateDaemon {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "echo content", widget: "AppGroups=group.org.test"))
            try daemon.follow("a") { $0.state == .ready }
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": false])
            try daemon.call("SetDefaults", ["group": "group.org.test", "key": "k", "value": ["value": 1]])
            #expect(try daemon.stop() == 0)
            return daemon
        }

        private func remembers(_ daemon: PrivateDaemon) throws -> Bool {
            try daemon.call("HasContent", ["id": "org.test.a"])["hasContent"] == false
                && daemon.call("GetDefaults", ["group": "group.org.test"])["values"]?["k"] == ["value": 1]
        }

        /// Changes the bytes of the database.
        private func edit(_ daemon: PrivateDaemon, _ change: (inout [UInt8]) -> Void) throws {
            var bytes = try daemon.directory.bytes(of: Self.file)
            change(&bytes)
            try daemon.directory.write(bytes, to: Self.file, mode: 0o600)
        }

        @Test func aRestartRestoresTheState() throws {
            let daemon = try stoppedDaemon()
            try daemon.start()
            #expect(try remembers(daemon))
            #expect(try daemon.daemonStatus().storage == "ok")
        }

        static let damages: [(String, @Sendable (inout [UInt8]) -> Void)] = [
            ("garbage", { $0 = Array(repeating: 0x2a, count: 50_000) }),
            ("text", { $0 = Array("this is not a database\n".utf8) }),
            ("truncated", { $0.removeLast($0.count / 2) }),
            ("header only", { $0.removeLast($0.count - 100) }),
            ("overwritten in the middle", { for index in 4_096..<$0.count { $0[index] = 0x55 } }),
        ]

        @Test(arguments: damages.indices) func aDamagedDatabaseIsSetAside(_ index: Int) throws {
            let daemon = try stoppedDaemon()
            try edit(daemon, Self.damages[index].1)
            let damaged = try daemon.directory.bytes(of: Self.file)
            try daemon.start()
            let status = try daemon.daemonStatus()
            #expect(status.storage.contains("damaged"), "\(status.storage)")
            #expect(status.storage.contains("set aside"), "\(status.storage)")
            let aside = try #require(
                try daemon.directory.names(in: "state").first { $0.hasPrefix("todayd.sqlite.damaged-") })
            #expect(status.storage.contains(aside))
            #expect(try daemon.directory.bytes(of: "state/\(aside)") == damaged)
            // The new database keeps changes.
            try daemon.follow("a") { $0.state == .ready }
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": false])
            try daemon.call("SetDefaults", ["group": "group.org.test", "key": "k", "value": ["value": 1]])
            try daemon.kill()
            #expect(daemon.log.contains(aside))
            try daemon.start()
            #expect(try remembers(daemon))
        }

        @Test func aDatabaseOfANewerVersionIsReadAndNotChanged() throws {
            let daemon = try stoppedDaemon()
            do {
                let database = try Database(path: daemon.directory(Self.file), mode: .readWriteCreate)
                try database.execute("CREATE TABLE themes (name TEXT); PRAGMA user_version = 999")
            }
            let before = try daemon.directory.bytes(of: Self.file)
            try daemon.start()
            let status = try daemon.daemonStatus()
            #expect(status.storage.contains("newer"), "\(status.storage)")
            #expect(!status.storageIsFine)
            #expect(try remembers(daemon))
            try refuses(daemon)
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("newer"))
            #expect(try daemon.directory.bytes(of: Self.file) == before)
        }

        private func refuses(_ daemon: PrivateDaemon) throws {
            #expect(throws: VarlinkError.self) {
                try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": true])
            }
            let result = try daemon.todayctl("set-has-content", "org.test.a", "true")
            #expect(result.status == 8)
            #expect(result.errors.contains("not kept"), "\(result.errors)")
            #expect(try remembers(daemon))
        }

        @Test(.enabled(if: PrivateMounts.areAllowed, "needs a mount namespace"))
        func aReadOnlyDirectoryIsReadAndChangesAreRefused() throws {
            let daemon = try stoppedDaemon()
            daemon.wrapper = PrivateMounts.readOnly(daemon.stateDirectory)
            try daemon.start()
            let status = try daemon.daemonStatus()
            #expect(!status.storageIsFine)
            #expect(status.storage.contains("cannot be written"), "\(status.storage)")
            #expect(try remembers(daemon))
            #expect(try daemon.item("a").content?.text == "content")
            try refuses(daemon)
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("cannot be written"))
        }

        @Test(.enabled(if: PrivateMounts.areAllowed, "needs a mount namespace"))
        func aFullDiskRefusesChangesUntilThereIsRoom() throws {
            // The group belongs to another widget, because a run after each value would write rows of its own.
            var widgets = Widgets.script("a", "echo content")
            widgets["org.test.b.widget"] = "[Widget]\nAppGroups=group.org.test\n[Update]\nProtocol=push\n"
            let daemon = try PrivateDaemon(widgets: widgets, started: false)
            daemon.wrapper = PrivateMounts.smallDisk(at: daemon.stateDirectory, room: 300)
            try daemon.start()
            try daemon.follow("a") { $0.state == .ready }
            let value: JSON = ["value": .string(String(repeating: "x", count: 30_000))]
            var kept = 0
            var refusal: VarlinkError?
            while refusal == nil, kept < 100 {
                do {
                    try daemon.call(
                        "SetDefaults", ["group": "group.org.test", "key": .string("k\(kept)"), "value": value])
                    kept += 1
                } catch let error as VarlinkError {
                    refusal = error
                }
            }
            #expect(refusal?.name == "org.todayd.Today.NotStored")
            #expect(refusal?.parameters["reason"]?.stringValue?.contains("no room") == true)
            #expect(kept > 0)
            #expect(try daemon.daemonStatus().storage.contains("no room"))
            #expect(try daemon.item("a").content?.text == "content")
            #expect(try daemon.call("GetDefaults", ["group": "group.org.test"])["values"]?.objectValue?.count == kept)
            // The user makes room on the disk.
            #expect(unlink("/proc/\(daemon.pid)/root\(daemon.stateDirectory)/filler") == 0)
            try daemon.call("SetDefaults", ["group": "group.org.test", "key": "k", "value": value])
            #expect(try daemon.daemonStatus().storage == "ok")
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("no room"))
        }
    }
}
