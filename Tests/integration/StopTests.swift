// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The stop of the daemon.
    @Suite struct StopTests {
        /// todayd ends the run itself, so the widget has not failed.
        @Test func aStopDuringARunIsNoFailureOfTheWidget() async throws {
            let script = """
                cd "$TODAY_STATE_DIRECTORY"
                [ -e ran ] && { touch running; exec sleep 20; }
                touch ran
                echo good
                """
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", script, update: "Interval=1s\nTimeout=30s"))
            try daemon.follow("a") { $0.content?.text == "good" }
            try await eventually("the second run", within: .seconds(20)) {
                daemon.directory.exists("state/widgets/org.test.a/running")
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
    }
}
