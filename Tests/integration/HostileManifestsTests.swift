// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Manifests with mistakes: one widget is invalid or has a warning, and the daemon and other widgets go on.
    @Suite struct HostileManifestsTests {
        struct Case: CustomTestStringConvertible {
            let name: String
            let bytes: [UInt8]
            let state: WidgetState
            /// The complaint after the file's name; nil where there is none.
            let complaint: String?
            var testDescription: String { name }

            init(_ name: String, _ text: String, _ state: WidgetState, _ complaint: String?) {
                self.init(name, bytes: Array(text.utf8), state, complaint)
            }

            init(_ name: String, bytes: [UInt8], _ state: WidgetState, _ complaint: String?) {
                self.name = name
                self.bytes = bytes
                self.state = state
                self.complaint = complaint
            }
        }

        private static let update = "[Update]\nExecStart=./good\n"

        static let cases = [
            Case(
                "not UTF-8", bytes: Array("[Widget]\nDisplayName=".utf8) + [0xff, 0x0a], .invalid, ":2: is not UTF-8"),
            Case("NUL", bytes: Array("[Widget]\n\0\n".utf8), .invalid, ":2: contains a NUL byte"),
            Case("10 MB", bytes: Array(repeating: 0x23, count: 10_000_000), .invalid, ": is too large: 10000000 bytes"),
            Case("empty", "", .masked, nil),
            Case("only a comment", "# nothing\n", .invalid, ":"),
            Case("no section", "DisplayName=x\n", .invalid, ":1: an assignment before the first [Section]"),
            Case("rubbish", "[Widget]\nrubbish\n", .invalid, ":2: neither a [Section] nor Key=Value"),
            Case("open bracket", "[Widget\n", .invalid, ":1: the section's name has no closing ]"),
            Case("no program", "[Widget]\nDisplayName=x\n[Update]\nInterval=1h\n", .invalid, "ExecStart="),
            Case("bad interval", "\(update)Interval=often\n", .invalid, ":3: Interval=:"),
            Case("interval of nothing", "\(update)Interval=0\n", .invalid, ":3: Interval=:"),
            Case("negative time-out", "\(update)Timeout=-5s\n", .invalid, ":3: Timeout=:"),
            Case("bad limit", "\(update)[Limits]\nMemoryMax=much\n", .invalid, ":4: MemoryMax=:"),
            Case("bad protocol", "\(update)Protocol=telepathy\n", .invalid, ":3: Protocol=:"),
            Case("bad point", "[Widget]\nExtensionPoint=moon\n\(update)", .invalid, ":2: ExtensionPoint=:"),
            Case("bad name", "[Widget]\nDisplayName=a\u{1b}[2Jb\n\(update)", .invalid, ":2: DisplayName=:"),
            Case("not executable", "[Update]\nExecStart=./plain\n", .invalid, ":2: ExecStart=:"),
            Case("program missing", "[Update]\nExecStart=/nonexistent/x\n", .invalid, ":2: ExecStart=: /nonexistent/x"),
            Case("program a directory", "[Update]\nExecStart=/tmp\n", .invalid, ":2: ExecStart=: /tmp"),
            Case("relative program", "[Update]\nExecStart=good\n", .invalid, ":2: ExecStart=:"),
            Case("unclosed quote", "[Update]\nExecStart=./good \"a\n", .invalid, ":2: ExecStart=:"),
            Case("stolen variable", "\(update)Environment=TODAY_REASON=x\n", .invalid, ":3: Environment=:"),
            Case("unknown key", "\(update)Intervall=1h\n", .ready, ":3: unknown key Intervall= in [Update]"),
            Case("unknown section", "[Colour]\nx=y\n\(update)", .ready, ":1: unknown section [Colour]"),
            Case("key of others", "\(update)X-Mine=1\n[X-Mine]\na=b\n", .ready, nil),
        ]

        @Test(arguments: cases) func aMistakeIsReportedWithItsPlace(_ hostile: Case) throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"), started: false)
            try daemon.directory.write(hostile.bytes, to: "widgets/org.test.bad.widget")
            try daemon.directory.write("#!/bin/sh\n", to: "widgets/plain")
            try daemon.start()
            try check(daemon, hostile.state, hostile.complaint)
        }

        private func check(_ daemon: PrivateDaemon, _ state: WidgetState, _ complaint: String?) throws {
            if state == .ready { try daemon.follow("bad") { $0.state == .ready } }
            let status = try daemon.status("bad")
            #expect(status.state == state, "\(status.complaints)")
            if let complaint {
                let path = daemon.directory("widgets/org.test.bad.widget")
                let isSaid = status.complaints.contains { $0.hasPrefix("\(path):") && $0.contains(complaint) }
                #expect(isSaid, "\(status.complaints)")
                let reason = try daemon.item("bad").failure
                if state == .invalid { #expect(reason?.contains(complaint) == true, "\(reason ?? "")") }
            } else {
                #expect(status.complaints.isEmpty, "\(status.complaints)")
            }
            if state != .ready { #expect(try daemon.update("bad").answer == .refused) }
            try daemon.follow("good") { $0.state == .ready }
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
            if let complaint { #expect(daemon.log.contains(complaint)) }
        }

        @Test func aDirectoryIsNoManifest() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"), started: false)
            try daemon.directory.makeDirectory("widgets/org.test.bad.widget")
            try daemon.start()
            try check(daemon, .invalid, ": is a directory, not a file")
        }

        @Test func aDanglingLinkIsNoManifest() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"), started: false)
            try daemon.directory.link("widgets/org.test.bad.widget", to: "/nonexistent/file")
            try daemon.start()
            try check(daemon, .invalid, ": is a link to /nonexistent/file, which does not exist")
        }

        @Test func aLinkToDevNullMasks() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"), started: false)
            try daemon.directory.link("widgets/org.test.bad.widget", to: "/dev/null")
            try daemon.start()
            try check(daemon, .masked, nil)
        }

        @Test func aPipeIsNoManifestAndDoesNotBlock() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"), started: false)
            try daemon.directory.makePipe("widgets/org.test.bad.widget")
            try daemon.start()
            try check(daemon, .invalid, ": is not a regular file")
        }

        @Test func aBadNameIsNoWidget() throws {
            let daemon = try PrivateDaemon(widgets: ["no name.widget": Self.update, "good": "#!/bin/sh\n"])
            let complaints = try daemon.call("Reload")["complaints"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(complaints.contains { $0.contains("no name.widget") }, "\(complaints)")
            #expect(try daemon.call("List")["widgets"] == [])
        }
    }
}
