// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Widgets with Stream=yes: programs that stay and print an update whenever they have one.
    @Suite struct StreamTests {
        private static func daemon(_ body: String, update: String = "Interval=1h", _ others: [String: String] = [:])
            throws -> PrivateDaemon
        {
            try PrivateDaemon(
                widgets: Widgets.all(Widgets.script("stream", body, update: "Stream=yes\n\(update)"), others))
        }

        /// How many contents a host is told of in this time.
        private static func contents(_ daemon: PrivateDaemon, within time: Duration) throws -> Int {
            var texts: Set<String> = []
            let end = ContinuousClock.now + time
            try daemon.follow("stream", for: time + .seconds(20)) { item in
                if let text = item.content?.text { texts.insert(text) }
                return ContinuousClock.now >= end
            }
            return texts.count
        }

        /// The processor time of a process, in clock ticks of a hundredth of a second.
        private static func ticks(of pid: pid_t) throws -> Int {
            let descriptor = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &buffer, buffer.count)
            let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
            // Behind the name, which may contain spaces: utime and stime are the 12th and 13th field there.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
                throw BuiltProgram.Failure(description: "/proc has no times of \(pid)")
            }
            return user + system
        }

        @Test func updatesArriveAsTheyArePrinted() throws {
            let daemon = try Self.daemon("while sleep 0.05; do date +%N; done")
            let count = try Self.contents(daemon, within: .seconds(3))
            // At most ten a second; on a busy machine fewer.
            #expect((5...35).contains(count), "\(count)")
            let status = try daemon.status("stream")
            #expect(status.history.count == 1 && status.stream?.isRunning == true)
            #expect(status.stream.map { $0.updates >= 5 && $0.restarts == 0 } == true)
            let page = try daemon.todayctl("status", "org.test.stream").output
            #expect(page.contains(" Stream      started "), "\(page)")
            #expect(page.contains("Next run    waits for the end of its program\n"), "\(page)")
            let pids = Processes.mentioning(daemon.directory.path).filter { $0 != daemon.pid }
            #expect(!pids.isEmpty)
            #expect(try daemon.stop() == 0)
            #expect(pids.allSatisfy { kill($0, 0) != 0 })
        }

        /// Once while it prints, and once while it is silent and a host looks.
        @Test(arguments: [true, false]) func aProgramThatIsEditedStartsAgain(prints: Bool) throws {
            func body(_ name: String) -> String {
                "echo \(name); while sleep 0.2; do \(prints ? "echo \(name)" : ":"); done"
            }
            let daemon = try Self.daemon(body("old"))
            try daemon.follow("stream") { $0.content?.text == "old" }
            try daemon.directory.script("#!/bin/sh\n\(body("new"))\n", to: "widgets/next")
            try daemon.directory.rename("widgets/next", to: "widgets/stream")
            let end = ContinuousClock.now + .seconds(20)
            while try daemon.item("stream").content?.text != "new", ContinuousClock.now < end { usleep(100_000) }
            #expect(try daemon.item("stream").content?.text == "new")
            let status = try daemon.status("stream")
            #expect(status.stream?.restarts == 1 && status.history.allSatisfy { $0.result != .failed })
            #expect(try daemon.stop() == 0)
        }

        @Test(arguments: ["yes", "yes >&2 & echo here; while :; do echo $((i += 1)); done"])
        func aFloodCostsLittle(body: String) throws {
            let daemon = try Self.daemon(body, Widgets.script("other", "echo fine"))
            try daemon.follow("stream") { $0.content != nil }
            let before = try (Self.ticks(of: daemon.pid), daemon.status("stream").stream?.updates ?? 0)
            var slowest = Duration.zero
            let end = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < end {
                let began = ContinuousClock.now
                #expect(try daemon.update("other").answer != .failed)
                slowest = max(slowest, ContinuousClock.now - began)
            }
            let after = try (Self.ticks(of: daemon.pid), daemon.status("stream").stream?.updates ?? 0)
            #expect(slowest < .seconds(5))
            // Three seconds have 300 ticks; the runs of the other widget need some of them, too.
            #expect(after.0 - before.0 < 250, "\(after.0 - before.0) ticks")
            #expect((3...45).contains(after.1 - before.1), "\(after.1 - before.1) updates")
            #expect(try daemon.stop() == 0)
        }

        @Test func aProgramThatDiesAtOnceIsRestartedWithBackOff() async throws {
            let daemon = try Self.daemon("date +%s.%N >> starts; echo why >&2; exit 3")
            try daemon.follow("stream") { $0.state == .failing }
            try await eventually("two restarts", within: .seconds(20)) {
                try daemon.status("stream").stream.map { $0.restarts >= 2 && !$0.isRunning } ?? false
            }
            let starts = try String(
                decoding: daemon.directory.bytes(of: "state/widgets/org.test.stream/starts"), as: UTF8.self
            ).split(separator: "\n").compactMap { Double($0) }
            let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
            #expect(starts.count >= 3)
            for (gap, least) in zip(gaps, [0.9, 1.9]) { #expect(gap > least) }
            let status = try daemon.status("stream")
            #expect(status.stream?.lastEnd == "exited with status 3: why")
            #expect(status.stream?.isRunning == false)
            #expect(status.stream?.restarts == starts.count - 1)
            #expect(status.activity.waitingFor == "the restart of its program, which has failed")
            #expect(status.history.first?.reason == .retry)
        }

        @Test func aKilledProgramIsStartedAgain() throws {
            let daemon = try Self.daemon("echo $$; sleep 1000")
            let first = try daemon.follow("stream") { $0.content != nil }
            let pid = try #require(first.content.flatMap { pid_t($0.text) })
            kill(pid, SIGKILL)
            let failing = try daemon.follow("stream") { $0.state == .failing }
            #expect(failing.content?.text == first.content?.text && failing.failure == "killed by SIGKILL")
            try daemon.follow("stream") { $0.state == .ready && $0.content?.text != first.content?.text }
            let stream = try daemon.status("stream").stream
            #expect(stream?.restarts == 1 && stream?.lastEnd == "killed by SIGKILL")
        }

        @Test func anUpdateOnRequestStartsItAnew() throws {
            let daemon = try Self.daemon("echo $$; sleep 1000")
            let first = try daemon.follow("stream") { $0.content != nil }
            #expect(try daemon.update("stream").answer == .newData)
            #expect(try daemon.item("stream").content?.text != first.content?.text)
            #expect(try daemon.status("stream").stream?.lastEnd == "replaced by a new run (request)")
        }

        @Test func aHiddenWidgetHasNoProgram() async throws {
            let daemon = try Self.daemon("echo $$; sleep 1000")
            let first = try daemon.follow("stream") { $0.content != nil }
            let pid = try #require(first.content.flatMap { pid_t($0.text) })
            try daemon.call("SetHasContent", ["id": "org.test.stream", "hasContent": false])
            try await eventually("end of the program") {
                try kill(pid, 0) != 0 && daemon.status("stream").stream?.isRunning == false
            }
            #expect(try daemon.status("stream").stream?.lastEnd == "hidden: its has-content flag is false")
            #expect(try daemon.status("stream").history.count == 1)
            try await Task.sleep(for: .seconds(2))
            #expect(try daemon.status("stream").stream?.isRunning == false)
            try daemon.call("SetHasContent", ["id": "org.test.stream", "hasContent": true])
            try daemon.follow("stream") { $0.content?.text != first.content?.text }
        }

        @Test func aChangedManifestReplacesTheProgramAndARemovedOneEndsIt() async throws {
            let daemon = try Self.daemon("echo $$ $WORD; sleep 1000")
            let first = try daemon.follow("stream") { $0.content != nil }
            let pid = try #require(first.content.flatMap { pid_t($0.text.trimming) })
            let manifest = Widgets.manifest("stream", update: "Stream=yes\nInterval=1h\nEnvironment=WORD=new")
            try daemon.add("org.test.stream.widget", manifest)
            let second = try daemon.follow("stream") { $0.content?.text.hasSuffix(" new") == true }
            #expect(kill(pid, 0) != 0)
            let other = try #require(second.content.flatMap { pid_t($0.text.split(separator: " ")[0]) })
            try daemon.add("org.test.stream.widget", Widgets.manifest("stream"))
            try await eventually("end of the stream") { kill(other, 0) != 0 }
            #expect(try daemon.status("stream").stream == nil)
            try daemon.remove("org.test.stream.widget")
            try await eventually("end of all programs") {
                Processes.mentioning(daemon.directory("state/widgets/org.test.stream")).isEmpty
            }
        }

        @Test func silenceBecomesStale() throws {
            let daemon = try Self.daemon("echo a; sleep 5; echo b; sleep 1000", update: "Interval=2s")
            try daemon.follow("stream") { $0.content?.text == "a" && !$0.stale }
            try daemon.follow("stream") { $0.content?.text == "a" && $0.stale }
            try daemon.follow("stream") { $0.content?.text == "b" && !$0.stale }
        }

        @Test func aSilentProgramWaitsWithoutAFailure() throws {
            let daemon = try Self.daemon("sleep 1000", update: "Interval=1h\nTimeout=300ms")
            let answer = try daemon.update("stream")
            #expect(answer.answer == .noData && answer.reason == "its program runs, and has printed no update yet")
            #expect(try daemon.item("stream").state == .waiting)
            #expect(try daemon.daemonStatus().running == 0)
            #expect(try daemon.status("stream").stream?.isRunning == true)
        }

        @Test func anUpdateThatCannotBeReadIsAFailureOfTheWidget() throws {
            let daemon = try Self.daemon(
                "echo '{\"text\": \"good\"}'; sleep 0.5; echo '{\"text\": 1}'; sleep 2; echo '{\"text\": \"better\"}'; sleep 1000",
                update: "Protocol=json")
            let failing = try daemon.follow("stream") { $0.state == .failing }
            #expect(failing.content?.text == "good" && failing.failure?.contains("text") == true)
            try daemon.follow("stream") { $0.state == .ready && $0.content?.text == "better" }
            #expect(try daemon.status("stream").stream?.restarts == 0)
        }

        @Test func halfALineAndTheEndAreAnUpdate() throws {
            let daemon = try Self.daemon("printf half")
            try daemon.follow("stream") { $0.content?.text == "half" }
            #expect(try daemon.status("stream").stream?.lastEnd == "exited with status 0")
        }

        @Test func anEndlessLineEndsTheProgram() throws {
            let daemon = try Self.daemon(
                "echo a; sleep 0.3; cat /dev/zero | tr '\\0' x", update: "[Limits]\nOutputMax=64K")
            let failing = try daemon.follow("stream", for: .seconds(40)) { $0.state == .failing }
            #expect(failing.content?.text == "a")
            #expect(failing.failure == "printed an update of more than 64 KiB (OutputMax=64K)")
        }

        /// What it has started ends with the service's control group, under systemd (Tests/system/systemd/checks/life).
        @Test func aProgramEndsWithAKilledDaemon() async throws {
            let daemon = try Self.daemon("echo $$; while :; do sleep 1; done")
            let item = try daemon.follow("stream") { $0.content != nil }
            let pid = try #require(item.content.flatMap { pid_t($0.text) })
            try daemon.kill()
            try daemon.start()
            try daemon.follow("stream") { $0.content.map { $0.text != item.content?.text } ?? false }
            // Process 1 may not have reaped it, but it has no environment any more.
            let left = Processes.mentioning("TODAY_STATE_DIRECTORY=\(daemon.stateDirectory)/widgets/org.test.stream")
            #expect(!left.contains(pid))
            #expect(try daemon.stop() == 0)
        }
    }
}

extension String {
    fileprivate var trimming: Substring { self[...].prefix { $0.isNumber } }
}
