// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

extension Integration {
    @Suite struct StopTests {
        /// What todayd ends itself says nothing of the widget.
        @Test func aStopDuringARunIsNoFailureOfTheWidget() throws {
            let script = """
                cd "$TODAY_STATE_DIRECTORY"
                [ -e ran ] && { touch running; exec sleep 20; }
                touch ran
                echo good
                """
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", script, update: "Interval=1s\nTimeout=30s"))
            try daemon.follow("a") { $0.content?.text == "good" }
            let end = ContinuousClock.now + .seconds(20)
            while !daemon.directory.exists("state/widgets/org.test.a/running"), ContinuousClock.now < end {
                usleep(10_000)
            }
            #expect(try daemon.status("a").activity.isRunning)
            #expect(try daemon.stop() == 0)
            try daemon.remove("a")
            try daemon.add("a", "#!/bin/sh\nsleep 20\n")
            try daemon.start()
            let status = try daemon.status("a")
            #expect(status.state == .ready)
            #expect(status.history.map(\.result) == [.newData])
            #expect(try daemon.item("a").failure == nil)
        }

        /// A test that waits for what never comes fails, and does not wait for ever.
        @Test func aConditionThatNeverComesIsAFailure() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo good"))
            try daemon.follow("a") { $0.content?.text == "good" }
            let begin = ContinuousClock.now
            #expect(throws: (any Error).self) {
                try daemon.follow("a", for: .milliseconds(300)) { $0.content?.text == "never" }
            }
            #expect(ContinuousClock.now - begin < .seconds(10))
        }
    }
}
