// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// SIGHUP, which `systemctl reload` sends, makes the daemon read changes that inotify(7) does not report.
    @Suite struct ReloadTests {
        private static func manifest(_ name: String) -> String {
            "[Widget]\nDisplayName=\(name)\n[Update]\nProtocol=push\n"
        }

        @Test func aHangUpReadsWhatHasAnotherName() throws {
            let elsewhere = TemporaryDirectory()
            try elsewhere.write(Self.manifest("Before"), to: "a.widget")
            let daemon = try PrivateDaemon(widgets: ["org.test.b.widget": Self.manifest("Before")], started: false)
            #expect(link(elsewhere("a.widget"), daemon.directory("widgets/org.test.a.widget")) == 0)
            try daemon.start()
            #expect(try daemon.item("a").name == "Before")
            // The daemon does not watch the directory of the file's other name. When it has seen the later change of b, it
            // would have seen this one, too.
            try elsewhere.write(Self.manifest("After"), to: "a.widget")
            try daemon.add("org.test.b.widget", Self.manifest("After"))
            try daemon.follow("b") { $0.name == "After" }
            #expect(try daemon.item("a").name == "Before")

            try daemon.reload()
            #expect(try daemon.item("a").name == "After")
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("read all manifests again: 2 widgets"))
        }
    }
}
