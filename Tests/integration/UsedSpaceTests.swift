// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The real program of the widget Used Space, started by the real daemon or by its author.
    @Suite struct UsedSpaceTests {
        private static let program = "used-space-widget"
        private static let name = "used-space"

        private static func manifest(path: String) -> String {
            """
            [Update]
            ExecStart=\(BuiltPrograms.directory)/\(program)
            Environment=USED_SPACE_PATH=\(path)
            Protocol=varlink
            Interval=1h
            """
        }

        // MARK: Started by the daemon

        @Test func aTapShowsTheSizesAndANewProcessHidesThem() throws {
            let daemon = try PrivateDaemon(widgets: ["org.test.used-space.widget": Self.manifest(path: "/")])
            let collapsed = try #require(try daemon.follow(Self.name) { $0.state == .ready }.content)
            #expect(collapsed.compact?.texts == [], "the bar has the percentage")
            #expect(collapsed.text == "\(collapsed.short ?? "") used")
            let answer = try daemon.call("PerformAction", ["id": "org.test.used-space", "action": "show"])["answer"]
            #expect(answer?["answer"] == "newData")
            let shown = try #require(try daemon.item(Self.name).content)
            let words = try #require(shown.compact).texts
            #expect(words.count == 6)
            for name in ["Used:", "Free:", "Total:"] { #expect(words.contains(name)) }
            // The next process starts collapsed.
            try daemon.stop()
            try daemon.start()
            #expect(try daemon.update(Self.name).answer == .newData)
            #expect(try daemon.item(Self.name).content?.compact?.texts == [])
        }

        @Test func anUnknownPathIsAFailureWithItsReason() throws {
            let daemon = try PrivateDaemon(
                widgets: ["org.test.used-space.widget": Self.manifest(path: "/nonexistent")])
            let answer = try daemon.update(Self.name)
            #expect(answer.answer == .failed)
            #expect(answer.reason == "cannot tell how full /nonexistent is: No such file or directory")
        }

        /// Uses the test's own small file system, and writes and removes files there.
        @Test(.enabled(if: PrivateMounts.areAllowed, "needs a mount namespace"))
        func onlyAVisibleChangeIsNewDataInEitherDirection() throws {
            let daemon = try PrivateDaemon(started: false)
            let disk = try daemon.directory.makeDirectory("disk")
            try daemon.add("org.test.used-space.widget", Self.manifest(path: disk))
            // The disk has 80,000 KiB; a hundredth of a percent of that is two pages.
            daemon.wrapper = PrivateMounts.smallDisk(at: disk, room: 40_000)
            try daemon.start()
            let inside = "/proc/\(daemon.pid)/root\(disk)"
            func write(_ name: String, pages: Int) throws {
                let file = open("\(inside)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw BuiltProgram.Failure(description: "cannot write to \(inside): \(errno)") }
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

        // MARK: Started by its author

        /// Starts the widget with a cached free space that differs by `part` of the disk from the real one.
        ///
        /// - Returns: the percentage that the widget draws, and the cached one.
        private func percentages(cacheOff part: Double) throws -> (drawn: Double?, cached: Double) {
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
            // The change is too small, so the widget draws the cached value. Other programs may write to this disk meanwhile, so
            // try more than once.
            for part in [0.00004, -0.00004] {
                try await eventually("a quiet disk") {
                    let (drawn, cached) = try percentages(cacheOff: part)
                    return drawn == cached
                }
            }
            for part in [0.001, -0.001] {
                let (drawn, cached) = try percentages(cacheOff: part)
                #expect(drawn != cached)
            }
        }

        @Test func anUnknownActionIsRefused() throws {
            let home = TemporaryDirectory()
            let result = try run(
                Self.program, ["--once", "--action", "dance"], environment: ["XDG_STATE_HOME": home.path])
            #expect(result.status == 1)
            #expect(
                result.errors == "used-space-widget: there is no such action; the widget has show and hide\n")
        }
    }
}
