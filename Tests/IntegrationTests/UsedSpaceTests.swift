// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The widget Used Space, its real program by the real daemon or by hand.
    @Suite struct UsedSpaceTests {
        private static let program = "used-space-widget"
        private static let name = "used-space"

        private static func manifest(path: String) -> String {
            """
            [Widget]
            LargestDisplayMode=expanded
            [Update]
            ExecStart=\(BuiltPrograms.directory)/\(program)
            Environment=USED_SPACE_PATH=\(path)
            Protocol=varlink
            Interval=1h
            """
        }

        private func texts(_ view: View?) -> [String] {
            switch view {
            case .text(let text): [text.text]
            case .stack(let stack): stack.children.flatMap(texts)
            case .grid(let grid): grid.children.flatMap(texts)
            default: []
            }
        }

        // MARK: By the daemon

        @Test func aTapShowsTheSizesAndANewProcessHidesThem() throws {
            let daemon = try PrivateDaemon(widgets: ["org.test.used-space.widget": Self.manifest(path: "/")])
            let collapsed = try #require(try daemon.follow(Self.name) { $0.state == .ready }.content)
            #expect(texts(collapsed.compact).isEmpty, "the bar has the percentage")
            #expect(collapsed.text == "\(collapsed.short ?? "") used")
            let answer = try daemon.call("PerformAction", ["id": "org.test.used-space", "action": "show"])["answer"]
            #expect(answer?["answer"] == "newData")
            let shown = try #require(try daemon.item(Self.name).content)
            #expect(texts(shown.compact).last?.hasPrefix("Used: ") == true)
            let words = texts(shown.expanded)
            #expect(words.count == 6)
            for name in ["Used:", "Free:", "Total:"] { #expect(words.contains(name)) }
            // The next process begins collapsed.
            try daemon.stop()
            try daemon.start()
            #expect(try daemon.update(Self.name).answer == .newData)
            #expect(texts(try daemon.item(Self.name).content?.compact).isEmpty)
        }

        @Test func whatCannotBeAskedIsAFailureWithItsReason() throws {
            let daemon = try PrivateDaemon(
                widgets: ["org.test.used-space.widget": Self.manifest(path: "/nonexistent")])
            let answer = try daemon.update(Self.name)
            #expect(answer.answer == .failed)
            #expect(answer.reason == "cannot tell how full /nonexistent is: No such file or directory")
        }

        /// A disk of the test's own, on which it writes and removes files.
        @Test(.enabled(if: PrivateMounts.areAllowed, "needs a mount namespace"))
        func onlyAChangeThatCanBeSeenIsNewDataInEitherDirection() throws {
            let daemon = try PrivateDaemon(started: false)
            let disk = try daemon.directory.makeDirectory("disk")
            try daemon.add("org.test.used-space.widget", Self.manifest(path: disk))
            // 80,000 KiB, of which a hundredth of a percent is two pages.
            daemon.wrapper = PrivateMounts.smallDisk(at: disk, room: 40_000)
            try daemon.start()
            let inside = "/proc/\(daemon.pid)/root\(disk)"
            func write(_ name: String, pages: Int) throws {
                let file = open("\(inside)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw Program.Failure(description: "cannot write to \(inside): \(errno)") }
                let bytes = [UInt8](repeating: 1, count: 4_096 * pages)
                #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
                close(file)
            }
            try daemon.follow(Self.name) { $0.content?.short == "50.0%" }
            #expect(try daemon.update(Self.name).answer == .noData)
            try write("small", pages: 1)
            #expect(try daemon.update(Self.name).answer == .noData)
            try write("more", pages: 1)
            #expect(try daemon.update(Self.name).answer == .newData)
            #expect(unlink("\(inside)/more") == 0)
            #expect(try daemon.update(Self.name).answer == .noData)
            #expect(unlink("\(inside)/small") == 0)
            #expect(try daemon.update(Self.name).answer == .newData)
            try write("large", pages: 2_000)
            #expect(try daemon.update(Self.name).answer == .newData)
            #expect(try daemon.item(Self.name).content?.short == "60.0%")
        }

        // MARK: By hand

        /// The percentage that is drawn when the cache is so many parts of the disk away from the truth, and the cache's.
        private func percentages(off part: Double) throws -> (drawn: Double?, cached: Double) {
            var status = statvfs()
            #expect(statvfs("/", &status) == 0)
            let used = Int(status.f_blocks) - Int(status.f_bfree)
            let total = (used + Int(status.f_bavail)) * Int(status.f_frsize)
            let free = Int(status.f_bavail) * Int(status.f_frsize) + Int(part * Double(total))
            let home = TemporaryDirectory()
            let cache: JSON = ["space": ["path": "/", "total": JSON(total), "free": JSON(free)]]
            try home.write(cache.text, to: "today-widgets/\(Self.program)/defaults.json")
            let result = try run(Self.program, ["--once", "--json"], environment: ["XDG_STATE_HOME": home.path])
            #expect(result.errors == "")
            let content = try Content(JSONField(root: JSON.parse(Array(result.output.utf8))))
            return (content.percentage, Double(total - free) / Double(total) * 100)
        }

        @Test func theCachedValueIsDrawnFirst() async throws {
            // No new data: what is drawn is what was cached. (Other programs write to this disk meanwhile.)
            for part in [0.00004, -0.00004] {
                try await eventually("a quiet disk") {
                    let (drawn, cached) = try percentages(off: part)
                    return drawn == cached
                }
            }
            for part in [0.001, -0.001] {
                let (drawn, cached) = try percentages(off: part)
                #expect(drawn != cached)
            }
        }

        @Test func whatItDoesNotKnowItRefuses() throws {
            let home = TemporaryDirectory()
            let result = try run(
                Self.program, ["--once", "--action", "dance"], environment: ["XDG_STATE_HOME": home.path])
            #expect(result.status == 1)
            #expect(
                result.errors == "used-space-widget: there is no action of this name; the widget has show and hide\n")
        }
    }
}
