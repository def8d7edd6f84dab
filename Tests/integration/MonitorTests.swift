// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// The events of `Monitor`.
    @Suite struct MonitorTests {
        private func snapshot(_ monitor: VarlinkConnection) throws -> Event {
            while true {
                let reply = try monitor.receive(within: .seconds(20)).result()
                for field in try JSONField(root: .object(reply)).required("events").array() {
                    let event = try Event(field)
                    if event.kind == .snapshot { return event }
                }
            }
        }

        @Test func runsAndPushesAreSnapshotEvents() async throws {
            var widgets = Widgets.script("run", "echo from a run: $TODAY_REASON")
            widgets["org.test.pushed.widget"] = "[Update]\nProtocol=push\n"
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("run") { $0.state == .ready }
            let monitor = try daemon.connect()
            try monitor.send(VarlinkCall("org.todayd.Today.Monitor", more: true))
            try await eventually("the subscriber") { try daemon.daemonStatus().subscribers == 1 }

            try daemon.call("Push", ["id": "org.test.pushed", "content": ["text": "from outside"]])
            let pushed = try snapshot(monitor)
            #expect(pushed.id == WidgetID("org.test.pushed") && pushed.text == "from outside")
            try daemon.call("Push", ["id": "org.test.run", "content": ["text": "instead of a run"]])
            #expect(try snapshot(monitor).text == "instead of a run")
            try daemon.update("run")
            let run = try snapshot(monitor)
            #expect(run.id == WidgetID("org.test.run") && run.text == "from a run: request")
        }
    }
}
