// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The real app Greeting and its real widget, with the daemon between them, and the defaults and the database they share.
    @Suite struct GreetingAppTests {
        private static let id = "org.todayd.greeting"
        private static let manifest = """
            [Widget]
            LargestDisplayMode=expanded
            ContainingApp=org.todayd.greeting
            URLSchemes=greeting
            AppGroups=group.org.todayd.greeting
            [Update]
            ExecStart=\(BuiltPrograms.directory)/greeting-widget
            Protocol=varlink
            Interval=1h
            """

        private func greeting(_ daemon: PrivateDaemon, _ arguments: String...) throws -> BuiltProgram.Result {
            try run("greeting", arguments, environment: ["TODAYD_SOCKET": daemon.socket])
        }

        private func item(_ daemon: PrivateDaemon) throws -> Item? { try daemon.item(id: Self.id) }

        @Test func appAndWidgetShareDefaultsAndADatabase() async throws {
            let daemon = try PrivateDaemon(widgets: ["\(Self.id).widget": Self.manifest])
            try await eventually("the first greeting") { try item(daemon)?.content?.text == "Hello" }
            #expect(try greeting(daemon, "text", "Good", "morning").status == 0)
            try await eventually("the text") { try item(daemon)?.content?.text == "Good morning" }
            let added = try greeting(daemon, "add", "Ada", "likes", "tea")
            #expect(added.output == "Ada is number 1.\n")
            try await eventually("the name") { try item(daemon)?.content?.text == "Good morning, Ada" }
            #expect(daemon.directory.exists("state/groups/group.org.todayd.greeting/people.sqlite"))
            #expect(try daemon.todayctl("config", "--group", "group.org.todayd.greeting", "customKey").status == 0)
        }

        /// The app keeps a picture in the group's directory, and the widget shows it where there is room.
        @Test func aPictureOfTheAppsFilesIsShown() async throws {
            var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            png += "IHDR".utf8
            png += [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 0]
            png += "IEND".utf8
            png += [0xAE, 0x42, 0x60, 0x82]
            let daemon = try PrivateDaemon(widgets: ["\(Self.id).widget": Self.manifest])
            let directory = TemporaryDirectory()
            try directory.write(png, to: "ada.png")
            try directory.write("no picture", to: "text.png")
            #expect(try greeting(daemon, "add", "Ada").output == "Ada is number 1.\n")
            for name in ["text.png", "none.png"] {
                let refused = try greeting(daemon, "picture", "1", directory(name))
                #expect(refused.status == 1 && refused.errors.contains("is not a PNG file of 192 KiB at most"))
            }
            #expect(try greeting(daemon, "picture", "1", directory("ada.png")).status == 0)
            func content() throws -> JSON? {
                try daemon.call("Show", ["id": .string(Self.id)])["items"]?.arrayValue?.first?["content"]
            }
            try await eventually("the name") { try content()?["text"] == "Hello, Ada" }
            func first() throws -> JSON? { try content()?["expanded"]?["children"]?.arrayValue?.first }
            try await eventually("the picture") { try first()?["type"] == "image" }
            let first = try #require(try first())
            #expect(first["label"] == "a picture of Ada", "\(first)")
            let name = try #require(first["image"])
            let bytes = try daemon.call("Picture", ["id": .string(Self.id), "image": name])["png"]
            let base64 = try #require(bytes?.stringValue)
            #expect(
                base64.hasPrefix("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB") && base64.utf8.count == (png.count + 2) / 3 * 4)
        }

        @Test func theButtonOpensTheAppWithTheNumberOfThePerson() async throws {
            let daemon = try PrivateDaemon(widgets: ["\(Self.id).widget": Self.manifest])
            try await eventually("the first greeting") { try item(daemon)?.content?.text == "Hello" }
            #expect(try greeting(daemon, "add", "Ada", "likes", "tea").status == 0)
            #expect(try greeting(daemon, "add", "Ben").status == 0)
            try await eventually("the name") { try item(daemon)?.content?.text == "Hello, Ben" }
            let answer = try daemon.call("PerformAction", ["id": .string(Self.id), "action": "open"])["answer"]
            #expect(answer?["open"] == "greeting://person/2")
            #expect(try greeting(daemon, "show", "greeting://person/2").output == "Ben\n")
            #expect(try greeting(daemon, "show", "1").output == "Ada\nlikes tea\n")
        }

        @Test func whenExpandedTheTextIsLargerAndTheDateTwoRowsDown() async throws {
            let daemon = try PrivateDaemon(widgets: ["\(Self.id).widget": Self.manifest])
            try await eventually("the first greeting") { try item(daemon)?.content?.text == "Hello" }
            let content = try #require(try item(daemon)?.content)
            guard case .stack(let compact) = content.compact, case .stack(let expanded) = content.expanded,
                case .text(let text) = compact.children.first, case .text(let larger) = expanded.children.first
            else { throw BuiltProgram.Failure(description: "\(content)") }
            #expect(text.text == larger.text && text.style == .body && larger.style == .title)
            #expect(compact.children.count == 2)
            #expect(expanded.children[1...2] == [.spacer, .spacer] && expanded.children.count == 4)
        }

        struct Mistake: CustomTestStringConvertible {
            let arguments: [String]
            let status: Int32
            let words: String
            var testDescription: String { arguments.joined(separator: " ") }
        }

        static let mistakes: [Mistake] = [
            Mistake(arguments: ["show", "7"], status: 1, words: "there is no such person"),
            Mistake(arguments: ["show", "greeting://person/"], status: 1, words: "there is no such person"),
            Mistake(arguments: ["show", "https://person/1"], status: 1, words: "there is no such person"),
            Mistake(arguments: ["text"], status: 2, words: "try 'greeting --help'"),
            Mistake(arguments: ["add", "a\nb"], status: 1, words: "the text is more than one line"),
            Mistake(arguments: ["text", "\u{1b}[31m"], status: 1, words: "the text"),
            Mistake(arguments: ["shw"], status: 2, words: "try 'greeting --help'"),
        ]

        @Test(arguments: mistakes) func wrongUsageIsReportedWithWhatToDo(_ mistake: Mistake) throws {
            let home = TemporaryDirectory()
            let result = try run(
                "greeting", mistake.arguments,
                environment: ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": home("missing.sock")])
            #expect(result.status == mistake.status)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("greeting: ") && result.errors.contains(mistake.words), "\(result.errors)")
        }

        @Test func aTodaydWithoutTheWidgetIsReported() throws {
            let daemon = try PrivateDaemon()
            let result = try greeting(daemon, "text", "Good morning")
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("greeting: no such app group"))
        }

        /// The app adds no person whom the widget would not greet.
        @Test(arguments: [["add", "Ada"], ["text", "Hi"]]) func withoutTodaydNothingIsChanged(arguments: [String])
            throws
        {
            let home = TemporaryDirectory()
            let environment = ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": home("missing.sock")]
            let result = try run("greeting", arguments, environment: environment)
            #expect(result.status == 1 && result.output == "")
            #expect(result.errors.hasPrefix("greeting: todayd does not answer"))
            #expect(try run("greeting", ["show", "1"], environment: environment).status == 1)
        }
    }
}
