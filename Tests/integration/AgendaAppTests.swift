// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The real app Agenda without a daemon, or with one that starts later.
    @Suite struct AgendaAppTests {
        private let home = TemporaryDirectory()

        /// Without a daemon, and with its own state directory.
        private var environment: [String: String] {
            ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": home("missing.sock")]
        }

        private func agenda(_ arguments: [String]) throws -> BuiltProgram.Result {
            try run("agenda", arguments, environment: environment)
        }

        @Test func theAppWorksWithoutTodayd() throws {
            #expect(try agenda(["add", "Call", "Ada"]).errors == "")
            #expect(
                try agenda(["add", "Buy milk", "--due", "tomorrow"]).output == "Added 2: Buy milk, due tomorrow.\n")
            #expect(try agenda(["done", "1"]).output == "Done: Call Ada.\n")
            #expect(try agenda(["done", "1"]).output == "Done: Call Ada.\n")
            #expect(try agenda([]).output == "2  tomorrow  Buy milk\n")
            #expect(try agenda(["list", "--all"]).output == "1  done      Call Ada\n2  tomorrow  Buy milk\n")
            #expect(try agenda(["remove", "2"]).output == "Removed: Buy milk.\n")
            // A number is never used twice.
            #expect(
                try agenda(["add", "'); DROP TABLE items; -- 🎉"]).output.hasPrefix("Added 3: '); DROP TABLE items;"))
        }

        /// The widget shows an item that was added before the daemon started.
        @Test func aTodaydThatStartsLaterUsesTheSameFile() async throws {
            let daemon = try AgendaTests.daemon(started: false)
            // A user's own todayd has its state directory there: `todayd` below XDG_STATE_HOME.
            try daemon.directory.link("todayd", to: "state")
            let environment = ["XDG_STATE_HOME": daemon.directory.path, "TODAYD_SOCKET": daemon.socket]
            #expect(try run("agenda", ["add", "Early"], environment: environment).status == 0)
            try daemon.start()
            try await eventually("Early in the view") {
                let items = try daemon.call("Show", ["id": "org.todayd.agenda"])["items"]?.arrayValue
                return items?.first?["content"]?["text"] == "Early"
            }
        }

        struct Mistake: CustomTestStringConvertible {
            let arguments: [String]
            let status: Int32
            let words: String
            var testDescription: String { arguments.joined(separator: " ") }

            init(_ arguments: [String], _ status: Int32, _ words: String) {
                (self.arguments, self.status, self.words) = (arguments, status, words)
            }
        }

        static let mistakes: [Mistake] = [
            Mistake(["done", "1"], 1, "there is no item 1; 'agenda list --all' shows the numbers"),
            Mistake(["remove", "9223372036854775807"], 1, "there is no item"),
            Mistake(["done", "x"], 2, "'x' is not the number of an item"), Mistake(["done"], 2, "try 'agenda --help'"),
            Mistake(["done", "-1"], 2, "'-1' is not the number"), Mistake(["add"], 2, "try 'agenda --help'"),
            Mistake(["add", ""], 1, "this title cannot be used: it is empty"),
            Mistake(["add", "a\nb"], 1, "this title cannot be used: it is more than one line"),
            Mistake(["add", "a\u{1b}[31m"], 1, "this title cannot be used: it contains a terminal escape sequence"),
            Mistake(["add", "--due", "2026-02-30", "a"], 2, "'2026-02-30' is not a day; write it as 2026-11-21"),
            Mistake(["add", "--due"], 2, "try 'agenda --help'"), Mistake(["ad", "a"], 2, "try 'agenda --help'"),
            Mistake(["list", "--jsn"], 2, "try 'agenda --help'"),
            Mistake(["list", "--all", "x"], 2, "try 'agenda --help'"),
        ]

        @Test(arguments: mistakes) func wrongUsageIsReportedWithWhatToDo(_ mistake: Mistake) throws {
            let result = try agenda(mistake.arguments)
            #expect(result.status == mistake.status)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("agenda: "))
            #expect(result.errors.contains(mistake.words), "\(result.errors)")
        }

        @Test func theHelpNamesEveryCommand() throws {
            let help = try run("agenda", ["--help"])
            #expect(help.status == 0)
            for word in ["add", "list", "done", "remove", "refresh", "--due"] { #expect(help.output.contains(word)) }
        }

        /// All programs start at once without a database: one makes it, and every item is stored.
        @Test func manyProcessesAtOnceLoseNothing() throws {
            let programs = try (1...12).map { number in
                try BuiltProgram("agenda", ["add", "Item \(number)"], environment: environment)
            }
            for program in programs {
                let result = try program.finish()
                #expect(result.status == 0, "\(result.errors)")
            }
            let list = try agenda(["list"]).output.split(separator: "\n")
            #expect(list.count == 12)
            let dones = try (1...12).map { try BuiltProgram("agenda", ["done", "\($0)"], environment: environment) }
            for program in dones { #expect(try program.finish().status == 0) }
            #expect(try agenda(["list"]).output == "Nothing to do.\n")
        }

        @Test func aPreviewSetsNoFlag() throws {
            #expect(try run("agenda-widget", ["--once"], environment: environment).status == 0)
            #expect(try agenda(["add", "Call Ada"]).status == 0)
            let shown = try run("agenda-widget", ["--once", "--width", "40"], environment: environment)
            #expect(shown.output.contains("Call Ada"))
            #expect(shown.output.contains("[○]"))
            #expect(try run("agenda-widget", ["--once", "--action", "done 1"], environment: environment).status == 0)
            #expect(try agenda(["list"]).output == "Nothing to do.\n")
        }
    }
}
