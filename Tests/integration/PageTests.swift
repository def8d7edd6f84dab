// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing

extension String.SubSequence {
    /// An address as it stands behind `href=` or `src=`, without what markup needs.
    fileprivate var replacingAmpersands: String {
        var text = String(self)
        while let range = text.firstRange(of: "&amp;") { text.replaceSubrange(range, with: "&") }
        return text
    }
}

extension Integration {
    /// today-page as browsers and programs meet it.
    @Suite(.serialized) struct PageTests {
        private static let clock = """
            [Widget]
            DisplayName=Clock <b>
            ExtensionPoint=today lock-screen
            LargestDisplayMode=expanded
            [Update]
            ExecStart=./clock
            Protocol=json
            """
        private static let script = """
            #!/bin/sh
            printf '{"text":"tick","percentage":40,"metrics":{"beat":7},"compact":{"type":"vstack","children":[{"type":"text","text":"%s"},{"type":"button","title":"Go","action":"go"}]}}' "${TODAY_ACTION:-idle}"
            """

        private static func daemon() throws -> PrivateDaemon {
            let daemon = try PrivateDaemon(widgets: ["org.example.clock.widget": clock, "clock": script])
            _ = try daemon.todayctl("update")
            return daemon
        }

        @Test func thePageHasTheCards() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            let page = try server.get("/")
            #expect(page.status == 200)
            #expect(page.body.contains("Clock &lt;b&gt;") && page.body.contains("idle"))
            #expect(!page.body.contains("today-token"))
            let policy = page.header("Content-Security-Policy") ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
            #expect(page.header("X-Content-Type-Options") == "nosniff")
            #expect(try server.get("/?widget=org.example.clock").body.contains("<title>Clock &lt;b&gt;</title>"))
            #expect(try !server.get("/?point=lock-screen").body.contains("idle"))
            #expect(try server.get("/?widget=org.example.none").status == 404)
            #expect(try server.get("/page.css").header("Content-Type") == "text/css; charset=utf-8")
            #expect(try server.get("/page.js").body.contains("EventSource"))
            #expect(try server.stop().status == 0)
        }

        @Test func programsGetJSONAndNumbers() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            let list = try server.get("/api/list")
            #expect(try JSON.parse(list.body)["widgets"]?.arrayValue?.first?["id"]?.stringValue == "org.example.clock")
            let show = try server.get("/api/show")
            #expect(try JSON.parse(show.body)["items"]?.arrayValue?.count == 1)
            let metrics = try server.get("/metrics").body
            #expect(metrics.contains("today_widget_percentage{widget=\"org.example.clock\",name=\"Clock <b>\"} 40\n"))
            #expect(
                metrics.contains(
                    "today_widget_metric{widget=\"org.example.clock\",name=\"Clock <b>\",metric=\"beat\"} 7\n"))
            let tag = try #require(list.header("ETag"))
            let again = try server.get("/api/list", "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.header("ETag") == tag)
        }

        @Test func aTabSeesChangesAndARestart() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            let tab = try server.connect()
            try tab.send("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try tab.read(until: "\"whole\":true").contains("text/event-stream"))
            _ = try daemon.todayctl("perform", "clock", "go")
            #expect(try tab.read(until: "\"whole\":false").contains(">go<"))
            _ = try daemon.todayctl("disable", "clock")
            _ = try tab.read(until: "\"removed\":[\"org.example.clock\"]")
            try daemon.stop()
            _ = try tab.read(until: "event: lost")
            #expect(try server.get("/").status == 503)
            try daemon.start()
            _ = try tab.read(until: "\"whole\":true")
        }

        @Test func changesNeedPermissionAndToken() throws {
            let daemon = try Self.daemon()
            let reading = try PageServer(of: daemon)
            let json = "Content-Type: application/json"
            let body = #"{"id":"org.example.clock","action":"go"}"#
            #expect(try reading.post("/api/change/press", body, json, "X-Today-Token: ").status == 403)
            let changing = try PageServer(of: daemon, "--allow-changes")
            #expect(try changing.post("/api/change/press", body, json).status == 403)
            let page = try changing.get("/").body
            let mark = try #require(page.firstRange(of: "today-token\" content=\"")).upperBound
            let token = "X-Today-Token: \(page[mark...].prefix { $0 != "\"" })"
            let origin = "Origin: http://localhost:\(changing.port)"
            #expect(
                try changing.post("/api/change/press", body, json, token, "Origin: http://evil.example").status == 403)
            #expect(try changing.post("/api/change/press", body, token).status == 415)
            #expect(try changing.post("/api/change/press", body, json, token, origin).status == 200)
            #expect(try changing.get("/").body.contains(">go<"))
            let mode = #"{"id":"org.example.clock","mode":"expanded"}"#
            #expect(try changing.post("/api/change/mode", mode, json, token, origin).status == 200)
            #expect(try changing.get("/").body.contains("data-change=\"collapse\""))
            let unknown = #"{"id":"org.example.none"}"#
            #expect(try changing.post("/api/change/update", unknown, json, token, origin).status == 404)
            let other = #"{"id":"org.example.clock","action":"erase"}"#
            #expect(try changing.post("/api/change/press", other, json, token, origin).status >= 400)
        }

        /// What a process of another user gets.
        private func asked(by user: uid_t, _ server: PageServer) throws -> String {
            let script =
                "exec 3<>/dev/tcp/127.0.0.1/\(server.port)\n"
                + "printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3\ncat <&3\n"
            return try run(
                "/usr/bin/setpriv", ["--reuid", "\(user)", "--clear-groups", "/bin/bash", "-c", script]
            ).output
        }

        @Test(.enabled(if: getuid() == 0, "needs root")) func otherUsersMayNotLook() throws {
            let daemon = try Self.daemon()
            let mine = try PageServer(of: daemon)
            #expect(try asked(by: 0, mine).hasPrefix("HTTP/1.1 200 "))
            #expect(try asked(by: 65_534, mine) == "", "the connection is closed before it can say anything")
        }

        @Test func todayctlKnowsWhereItIs() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon)
            let port = "\(server.port)"
            #expect(try daemon.todayctl("page", "--no-open", "--port", port).output == "http://127.0.0.1:\(port)/\n")
            let one = try daemon.todayctl("page", "clock", "--no-open", "--port", port)
            #expect(one.output == "http://127.0.0.1:\(port)/?widget=org.example.clock\n")
            #expect(try server.stop().status == 0)
            let gone = try daemon.todayctl("page", "--no-open", "--port", port)
            #expect(gone.status == 3 && gone.errors.contains("--listen \(port)"))
            #expect(try daemon.todayctl("page", "--port", "0").status == 2)
        }

        /// A pixel, as a PNG file.
        private static let pixel =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

        @Test func aPictureHasAnAddress() throws {
            let script = """
                #!/bin/sh
                printf '{"text":"x","compact":{"type":"image","png":"\(Self.pixel)","label":"A pixel"}}'
                """
            let daemon = try PrivateDaemon(
                widgets: ["org.example.clock.widget": "[Update]\nExecStart=./clock\nProtocol=json\n", "clock": script])
            _ = try daemon.todayctl("update")
            let server = try PageServer(of: daemon)
            let page = try server.get("/")
            let start = try #require(page.body.firstRange(of: "<img src=\"")).upperBound
            let address = page.body[start...].prefix { $0 != "\"" }.replacingAmpersands
            #expect(page.body.contains("alt=\"A pixel\"") && !page.body.contains(Self.pixel.prefix(20)))
            let picture = try server.get(address)
            #expect(picture.status == 200 && picture.header("Content-Type") == "image/png")
            #expect(picture.header("X-Content-Type-Options") == "nosniff")
            let tag = try #require(picture.header("ETag"))
            #expect(try server.get(address, "If-None-Match: \(tag)").status == 304)
            let other = String(address.dropLast()) + (address.hasSuffix("0") ? "1" : "0")
            #expect(try server.get(other).status == 409)
            #expect(try server.get("/api/picture?widget=org.example.clock&image=../../../../etc").status == 400)
            #expect(try server.get(address, "Sec-Fetch-Site: cross-site").status == 403)
        }

        @Test func aPageInAFrameIsReadOnly() throws {
            let daemon = try Self.daemon()
            let server = try PageServer(of: daemon, "--allow-changes", "--frame", "http://dash.example")
            let card = "/?widget=org.example.clock"
            func facts(_ target: String, _ headers: String...) throws -> (hasToken: Bool, ancestors: String) {
                let answer = try server.get(target, headers)
                let policy = answer.header("Content-Security-Policy") ?? ""
                let mark = policy.firstRange(of: "frame-ancestors ")?.upperBound ?? policy.endIndex
                return (answer.body.contains("today-token"), String(policy[mark...]))
            }
            for target in ["/", card] {
                #expect(try facts(target, "Sec-Fetch-Dest: document") == (true, "'none'"))
                #expect(try facts(target, "Sec-Fetch-Dest: iframe") == (false, "'self' http://dash.example"))
            }
            #expect(try facts(card) == (false, "'self' http://dash.example"))
            #expect(try facts("/") == (true, "'none'"))
        }
    }
}
