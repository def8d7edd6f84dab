// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The widgets that ask servers, as a user adds them, with recorded answers of a server on this machine.
    @Suite struct GalleryNetworkTests {
        /// A daemon with the templates, whose widgets ask this server, and a switch that turns the server off.
        private static func daemon(
            _ name: String, _ program: String, _ server: LocalServer, _ variable: String
        ) throws -> PrivateDaemon {
            let path = "\(BundledWidgetsTests.directory)/\(name)"
            let file = try #require(
                try run("/bin/ls", [path]).output.split(separator: "\n").first { $0.hasSuffix("@.widget") })
            let text = try run("/bin/cat", ["\(path)/\(file)"]).output
                .replacing("ExecStart=./\(program)", with: "ExecStart=\(BuiltPrograms.directory)/\(program)")
                .replacing("[Limits]", with: "Environment=\(variable)=http://127.0.0.1:\(server.port)\n[Limits]")
            return try PrivateDaemon(widgets: [String(file): text])
        }

        private static func server(_ isUp: UpSwitch, _ answer: @escaping @Sendable (String) -> String) -> LocalServer {
            LocalServer { request, peer in
                if isUp.value.withLock({ $0 }) {
                    peer.answer("200 OK", [], answer(request.target))
                } else {
                    peer.answer("503 Service Unavailable")
                }
            }
        }

        private final class UpSwitch: Sendable {
            let value = Mutex(true)
        }

        private static func now() -> Int { time(nil) / 3_600 * 3_600 }

        @Test func theWeatherStaysWhereTheServerFails() throws {
            let start = Self.now()
            let isUp = UpSwitch()
            let server = Self.server(isUp) { target in
                if target.hasPrefix("/v1/search?name=New%20York&") {
                    return #"{"results": [{"name": "New York", "latitude": 40.7, "longitude": -74}]}"#
                }
                let hours = (0..<48).map { "\(start + 3_600 * $0)" }.joined(separator: ",")
                let degrees = (0..<48).map { "\(10 + $0)" }.joined(separator: ",")
                let codes = (0..<48).map { $0 < 3 ? "3" : "63" }.joined(separator: ",")
                return """
                    {"utc_offset_seconds": 0, "hourly": {"time": [\(hours)], "temperature_2m": [\(degrees)],
                     "weather_code": [\(codes)]}, "daily": {}}
                    """
            }
            let daemon = try Self.daemon("Weather", "weather-widget", server, "WEATHER_SERVER")
            let added = try daemon.todayctl("add", "weather", "city=New York")
            #expect(
                added.status == 0 && added.output.contains("New York 10° Cloudy, rain from") == false, "\(added.errors)"
            )
            let id = "org.todayd.weather@New-York"
            let item = try daemon.item(id: id)
            #expect(item.content?.text.hasPrefix("New York 10° Cloudy, rain from ") == true, "\(item)")
            // The place is asked for once.
            #expect(try daemon.todayctl("update", id).status == 0)
            #expect(server.requests.filter { $0.target.hasPrefix("/v1/search") }.count == 1)
            #expect(server.requests.contains { $0.target.contains("latitude=40.7&longitude=-74") })
            isUp.value.withLock { $0 = false }
            #expect(try daemon.todayctl("update", id).status == 5)
            let failing = try daemon.item(id: id)
            #expect(failing.state == .failing && failing.failure?.contains("503") == true)
            #expect(failing.content?.text == item.content?.text, "the last answer stays")
        }

        @Test func aFeedHasItsMarks() throws {
            let server = Self.server(UpSwitch()) { _ in
                "<rss><item><title>One</title><link>https://a.b/1</link></item><item><title>Two</title></item></rss>"
            }
            let daemon = try Self.daemon("Feed", "feed-widget", server, "FEED_SERVER")
            #expect(try daemon.todayctl("add", "feed", "url=https://a.b/rss").status == 0)
            let id = "org.todayd.feed@a-b"
            #expect(try daemon.item(id: id).content?.short == "2")
            #expect(try daemon.todayctl("perform", id, "read").status == 0)
            #expect(try daemon.item(id: id).content?.short == "–")
            #expect(try daemon.todayctl("update", id).status == 0)
            #expect(try daemon.item(id: id).content?.short == "–", "they are kept")
        }

        @Test func aValueIsOfTheAnswer() throws {
            let server = Self.server(UpSwitch()) { target in
                target == "/p?q=1" ? #"{"data": [{"price": "1234.5"}]}"# : "{}"
            }
            let daemon = try Self.daemon("HTTPJSON", "http-json-widget", server, "HTTP_JSON_SERVER")
            let values = ["url=https://a.b/p?q=1", "value=data.0.price", "format=€ {}"]
            let added = try daemon.todayctl("add", "http-json@price", values[0], values[1], values[2])
            #expect(added.status == 0, "\(added.errors)")
            let content = try daemon.item(id: "org.todayd.http-json@price").content
            #expect(content?.text == "€ 1,234.5" && content?.metrics.first?.value == 1_234.5)
        }

        @Test func aCalendarIsReadFromItsServer() throws {
            let server = Self.server(UpSwitch()) { _ in
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Every day\nDTSTART:20200101T000000Z\nDURATION:PT24H\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR"
            }
            let daemon = try Self.daemon("Calendar", "calendar-widget", server, "CALENDAR_SERVER")
            #expect(try daemon.todayctl("add", "calendar@x", "calendars=webcal://a.b/secret.ics").status == 0)
            let content = try daemon.item(id: "org.todayd.calendar@x").content
            #expect(content?.text.hasPrefix("Every day ") == true, "\(String(describing: content?.text))")
            let wrong = try daemon.todayctl("add", "calendar@y", "calendars=/nowhere.ics")
            #expect(wrong.output.contains("/nowhere.ics: No such file or directory"))
            // vdirsyncer has a directory of a file for each event, and one above them for all calendars.
            let directory = TemporaryDirectory()
            for (name, title) in [("work/1", "At work"), ("home/2", "At home"), (".hidden/3", "No"), ("a/b/c/4", "No")]
            {
                let event = "SUMMARY:\(title)\nDTSTART:20200101T000000Z\nRRULE:FREQ=DAILY"
                try directory.write(
                    "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR", to: "\(name).ics")
            }
            #expect(try daemon.todayctl("add", "calendar@z", "calendars=\(directory.path)").status == 0)
            let texts = try daemon.item(id: "org.todayd.calendar@z").content?.compact?.texts
            #expect(
                texts?.contains("At home") == true && texts?.contains("At work") == true
                    && texts?.contains("No") == false)
        }

        @Test func aTokenIsSentToItsServerAlone() throws {
            let server = Self.server(UpSwitch()) { target in
                if target.hasPrefix("/repos/a/b/actions/runs?branch=main") {
                    return
                        #"{"workflow_runs": [{"status": "completed", "conclusion": "failure", "html_url": "https://a.b"}]}"#
                }
                if target.hasPrefix("/notifications") { return "[{}, {}]" }
                return #"{"items": [{"title": "A change", "html_url": "https://a.b/1"}]}"#
            }
            let daemon = try Self.daemon("Repositories", "repositories-widget", server, "REPOSITORIES_SERVER")
            let added = try daemon.todayctl("add", "repositories@x", "repositories=a/b#main")
            #expect(added.status == 0 && added.errors.contains("--secret TOKEN"), "\(added.errors)")
            #expect(try daemon.item(id: "org.todayd.repositories@x").content?.text == "b failed")
            #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
            try daemon.call("SetSettings", ["id": "org.todayd.repositories@x", "values": ["TOKEN": "s3cret"]])
            #expect(try daemon.todayctl("update", "org.todayd.repositories@x").status == 0)
            let content = try daemon.item(id: "org.todayd.repositories@x").content
            #expect(content?.text == "b failed, 1 to review, 2 notifications" && content?.severity == .critical)
            #expect(server.requests.last?.header("Authorization") == "Bearer s3cret")
            #expect(try daemon.todayctl("add", "repositories@y", "repositories=a/c").status == 0)
            #expect(server.requests.last?.target == "/repos/a/c/actions/runs?per_page=1")
        }
    }
}
