// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The real app Agenda and its real widget, with the daemon between them and one database.
    @Suite struct AgendaTests {
        private static let id = "org.todayd.agenda"
        private static let file = "state/groups/group.org.todayd.agenda/agenda.sqlite"

        private static let manifest = """
            [Widget]
            LargestDisplayMode=expanded
            ContainingApp=org.todayd.agenda
            AppGroups=group.org.todayd.agenda
            [Update]
            ExecStart=\(BuiltPrograms.directory)/agenda-widget
            Protocol=varlink
            Interval=1h
            """

        static func daemon(started: Bool = true) throws -> PrivateDaemon {
            try PrivateDaemon(widgets: ["\(id).widget": manifest], started: started)
        }

        @discardableResult
        private func agenda(_ daemon: PrivateDaemon, _ arguments: String...) throws -> BuiltProgram.Result {
            try run("agenda", arguments, environment: ["TODAYD_SOCKET": daemon.socket])
        }

        private func hasContent(_ daemon: PrivateDaemon) throws -> Bool {
            try daemon.call("HasContent", ["id": .string(Self.id)])["hasContent"] == true
        }

        private func item(_ daemon: PrivateDaemon) throws -> Item? { try daemon.item(id: Self.id) }

        /// Whether the widget is in the view of all widgets.
        private func isShown(_ daemon: PrivateDaemon) throws -> Bool {
            try daemon.items().contains { $0.id.text == Self.id }
        }

        private func status(_ daemon: PrivateDaemon) throws -> JSON? {
            try daemon.call("Status", ["id": .string(Self.id)])["widgets"]?.arrayValue?.first
        }

        private func runs(_ daemon: PrivateDaemon) throws -> Int {
            try #require(try status(daemon)?["runs"]?.intValue.map { Int($0) })
        }

        @Test func anItemOfTheAppIsMarkedDoneInTheWidget() async throws {
            let daemon = try Self.daemon()
            // No item is due: the widget hides itself.
            try await eventually("the first run") { try !hasContent(daemon) }
            #expect(try !isShown(daemon))

            let added = try agenda(daemon, "add", "Call Ada")
            #expect(added.status == 0)
            #expect(added.output == "Added 1: Call Ada, due today.\n")
            #expect(added.errors == "")
            #expect(try hasContent(daemon))
            #expect(daemon.directory.exists(Self.file), "app and widget have one file")
            try await eventually("Call Ada in the view") { try item(daemon)?.content?.text == "Call Ada" }
            #expect(try isShown(daemon))

            // The widget shows another item before its interval is over.
            try agenda(daemon, "add", "--due", "2020-02-29", "Pay", "the", "rent")
            try await eventually("both") { try item(daemon)?.content?.short == "2" }
            let content = try #require(try item(daemon)?.content)
            #expect(content.text == "2 to do: Pay the rent")
            #expect(content.severity == .warning)

            var answer = try daemon.call("PerformAction", ["id": .string(Self.id), "action": "done 2"])["answer"]
            #expect(answer?["answer"] == "newData")
            #expect(try item(daemon)?.content?.text == "Call Ada")
            #expect(try agenda(daemon, "list").output == "1  today  Call Ada\n")
            answer = try daemon.call("PerformAction", ["id": .string(Self.id), "action": "done 1"])["answer"]
            #expect(answer?["answer"] == "newData" || answer?["answer"] == "noData")
            #expect(try !hasContent(daemon))
            #expect(try !isShown(daemon))
            #expect(try agenda(daemon, "list").output == "Nothing to do.\n")
            #expect(try item(daemon)?.content?.text != "Call Ada", "a finished item is not shown again")
        }

        @Test func aHiddenWidgetIsNotLaunchedUntilTheAppShowsIt() async throws {
            let daemon = try Self.daemon()
            try await eventually("the first run") { try !hasContent(daemon) }
            try await eventually("its end") { try status(daemon)?["running"] == false }
            let before = try runs(daemon)
            #expect(
                try daemon.call("Update", ["id": .string(Self.id)])["answers"]?.arrayValue?.first?["answer"]
                    == "refused")
            #expect(try agenda(daemon, "refresh").status == 0)
            #expect(try !hasContent(daemon))
            #expect(try runs(daemon) == before)
            // After a restart todayd still hides the widget, and does not launch it.
            #expect(try daemon.stop() == 0)
            try daemon.start()
            #expect(try !hasContent(daemon))
            #expect(try runs(daemon) == 0)
            #expect(try agenda(daemon, "add", "--due", "today", "Now").status == 0)
            #expect(try hasContent(daemon))
            try await eventually("the item") { try item(daemon)?.content?.text == "Now" }
            #expect(try isShown(daemon))
        }

        /// Uses a time zone in which tomorrow begins in a few seconds.
        @Test func anItemOfTomorrowAppearsAtMidnightWithoutARun() async throws {
            let seconds = 5
            let now = time(nil)
            let midnight = WallTime(microseconds: Int64(now + seconds) * 1_000_000)
            var east = 86_400 - seconds - now % 86_400
            if east > 50_000 { east -= 86_400 }
            let (sign, offset) = (east < 0 ? "" : "-", abs(east))
            let zone = "XXX\(sign)\(offset / 3_600):\(offset / 60 % 60):\(offset % 60)"
            let manifest = Self.manifest + "\nEnvironment=TZ=\(zone)\n"
            let daemon = try PrivateDaemon(widgets: ["\(Self.id).widget": manifest])
            try await eventually("the first run") { try !hasContent(daemon) }
            let environment = ["TODAYD_SOCKET": daemon.socket, "TZ": zone]
            let added = try run("agenda", ["add", "--due", "tomorrow", "Call Ada"], environment: environment)
            #expect(added.output == "Added 1: Call Ada, due tomorrow.\n")
            try await eventually("the empty content") { try item(daemon)?.content?.isEmpty == true }
            #expect(try hasContent(daemon))
            #expect(try !isShown(daemon))
            try await eventually("midnight") { try isShown(daemon) }
            let shown = try #require(try item(daemon))
            #expect(shown.content?.tooltip == "Call Ada, today")
            let confirmed = try #require(shown.confirmed)
            #expect(confirmed < midnight, "no run since")
        }

        @Test func manyChangesAtOnceNeverHideADueItem() async throws {
            let daemon = try Self.daemon()
            for number in 1...15 {
                #expect(try agenda(daemon, "add", "Item \(number)").status == 0)
                // The app marks the item done while the widget may be reading the agenda.
                if number < 15 { #expect(try agenda(daemon, "done", "\(number)").status == 0) }
            }
            try await eventually("the last item") { try item(daemon)?.content?.text == "Item 15" }
            #expect(try hasContent(daemon))
            #expect(try isShown(daemon))
        }

        @Test func aDamagedAgendaIsReportedByBothAndKept() async throws {
            let daemon = try Self.daemon()
            try agenda(daemon, "add", "Call Ada")
            // The placeholder has the same text, so wait for a snapshot: state `ready`.
            try await eventually("Call Ada in the view") {
                let item = try item(daemon)
                return item?.content?.text == "Call Ada" && item?.state == .ready
            }
            // The widget must not have the database open: closing it would write the log into the file.
            #expect(try daemon.stop() == 0)
            let garbage = [UInt8](repeating: 0x2a, count: 10_000)
            for suffix in ["-wal", "-shm"] where daemon.directory.exists(Self.file + suffix) {
                try daemon.directory.delete(Self.file + suffix)
            }
            try daemon.directory.write(garbage, to: Self.file, mode: 0o600)
            try daemon.start()
            for arguments in [["add", "More"], ["list"], ["done", "1"]] {
                let result = try run("agenda", arguments, environment: ["TODAYD_SOCKET": daemon.socket])
                #expect(result.status == 1)
                #expect(result.output == "")
                #expect(result.errors.contains("is damaged (file is not a database). Nothing was changed."))
            }
            let answer = try daemon.call("Update", ["id": .string(Self.id)])["answers"]?.arrayValue?.first
            #expect(answer?["answer"] == "failed")
            #expect(answer?["reason"]?.stringValue?.contains("agenda.sqlite is damaged") == true)
            #expect(try item(daemon)?.content?.text == "Call Ada", "the snapshot stays")
            #expect(try hasContent(daemon))
            #expect(try daemon.directory.bytes(of: Self.file) == garbage)
        }
    }
}
