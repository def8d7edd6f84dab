// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import WebPage

/// What requests mean.
@Suite struct RouteTests {
    private func route(_ method: String, _ path: String, _ query: [(String, String)] = [], _ body: String = "") throws
        -> Route
    {
        var request = HTTPRequest(method, path, query: query.map { HTTPField($0.0, $0.1) })
        request.body = Array(body.utf8)
        return try Route(request)
    }

    private func status(_ method: String, _ path: String, _ query: [(String, String)] = [], _ body: String = "") -> Int?
    {
        do {
            _ = try route(method, path, query, body)
            return nil
        } catch {
            return (error as? RouteRefusal)?.answer.status
        }
    }

    @Test func reading() throws {
        let id = try #require(WidgetID("org.example.a"))
        #expect(try route("GET", "/") == .page(.point(.today), isKiosk: false))
        #expect(try route("HEAD", "/", [("kiosk", "")]) == .page(.point(.today), isKiosk: true))
        #expect(try route("GET", "/", [("point", "lock-screen")]) == .page(.point(.lockScreen), isKiosk: false))
        #expect(try route("GET", "/", [("widget", "org.example.a")]) == .page(.widget(id), isKiosk: false))
        #expect(try route("GET", "/page.css") == .style)
        #expect(try route("GET", "/page.js") == .script)
        #expect(try route("GET", "/icon.svg") == .icon)
        #expect(try route("GET", "/metrics") == .metrics)
        let picture = [("widget", "org.example.a"), ("image", "9ae16a3b2f90404f")]
        #expect(try route("GET", "/api/picture", picture) == .picture(id, name: "9ae16a3b2f90404f"))
        #expect(try route("GET", "/api/list") == .list)
        #expect(try route("GET", "/api/offers") == .offers)
        #expect(try route("GET", "/api/settings", [("widget", "org.example.a")]) == .settings(id))
        #expect(try route("GET", "/api/show", [("point", "status-bar")]) == .show(.point(.statusBar)))
        #expect(try route("GET", "/api/stream", [("widget", "org.example.a")]) == .stream(.widget(id)))
    }

    @Test func whatMeansNothing() {
        #expect(status("GET", "/favicon.ico") == 404)
        #expect(status("GET", "/api/list/") == 404)
        #expect(status("GET", "/../etc/passwd") == 404)
        #expect(status("GET", "/", [("point", "nowhere")]) == 400)
        #expect(status("GET", "/", [("widget", "../x")]) == 400)
        #expect(status("GET", "/api/show", [("widget", "")]) == 400)
        #expect(status("GET", "/api/settings") == 400 && status("GET", "/api/settings", [("widget", "/")]) == 400)
        for name in [
            "", "9ae16a3b2f90404", "9ae16a3b2f90404f0", "+ae16a3b2f90404f", "9AE16A3B2F90404F", "../../../../etc/p",
        ] {
            #expect(status("GET", "/api/picture", [("widget", "a.b"), ("image", name)]) == 400, "\(name)")
        }
        #expect(status("GET", "/api/picture", [("image", "9ae16a3b2f90404f")]) == 400)
        #expect(status("PUT", "/") == 405)
        #expect(status("POST", "/api/list") == 405)
        #expect(status("HEAD", "/api/stream") == 405)
        #expect(status("GET", "/api/change/update") == 405)
        #expect(status("POST", "/api/change/push", [], #"{"id":"org.example.a"}"#) == 404)
    }

    private static let changes: [(name: String, body: String, method: String, parameters: String)] = [
        ("press", #"{"id":"a.b","action":"x"}"#, "PerformAction", #"{"id":"a.b","action":"x"}"#),
        (
            "press", #"{"id":"a.b","action":"x","locked":true}"#, "PerformAction",
            #"{"id":"a.b","action":"x","locked":true}"#
        ),
        ("mode", #"{"id":"a.b","mode":"expanded"}"#, "SetDisplayMode", #"{"id":"a.b","mode":"expanded"}"#),
        ("update", #"{"id":"a.b"}"#, "Update", #"{"id":"a.b"}"#),
        ("show", #"{"id":"a.b","cure":"enable"}"#, "Enable", #"{"id":"a.b"}"#),
        ("show", #"{"id":"a.b","cure":"set_has_content"}"#, "SetHasContent", #"{"id":"a.b","hasContent":true}"#),
        ("show", #"{"id":"a.b","cure":"show_on_lock_screen"}"#, "Enable", #"{"id":"a.b","point":"lock_screen"}"#),
        ("show", #"{"id":"a.b","cure":"show_in_status_bars"}"#, "Enable", #"{"id":"a.b","point":"status_bar"}"#),
        ("hide", #"{"id":"a.b"}"#, "Disable", #"{"id":"a.b","point":"today"}"#),
        ("hide", #"{"id":"a.b","point":"status_bar"}"#, "Disable", #"{"id":"a.b","point":"status_bar"}"#),
        (
            "settings", #"{"id":"a.b","values":{"B":"2","A":""},"unset":["C"]}"#, "SetSettings",
            #"{"id":"a.b","values":{"A":"","B":"2"},"unset":["C"]}"#
        ),
        ("add", #"{"id":"a.b","values":{"B":"2"}}"#, "Add", #"{"id":"a.b","values":{"B":"2"}}"#),
        ("add", #"{"id":"a.b","instance":"x","values":{}}"#, "Add", #"{"id":"a.b","values":{},"instance":"x"}"#),
        ("remove", #"{"id":"a.b@x"}"#, "Remove", #"{"id":"a.b@x"}"#),
        ("settings", #"{"id":"a.b","values":{}}"#, "SetSettings", #"{"id":"a.b","values":{},"unset":[]}"#),
        ("edit", #"{"id":"a.b","step":"begin"}"#, "SetEditing", #"{"id":"a.b","editing":true}"#),
        ("edit", #"{"id":"a.b","step":"done"}"#, "SetEditing", #"{"id":"a.b","editing":false}"#),
        ("edit", #"{"id":"a.b","step":"cancel"}"#, "SetEditing", #"{"id":"a.b","editing":false,"cancel":true}"#),
        ("move", #"{"id":"a.b","to":"up"}"#, "Move", #"{"id":"a.b","to":"up"}"#),
        ("move", #"{"id":"a.b","to":"down"}"#, "Move", #"{"id":"a.b","to":"down"}"#),
        ("move", #"{"id":"a.b","to":"before","other":"a.c"}"#, "Move", #"{"id":"a.b","to":"before","other":"a.c"}"#),
        ("move", #"{"id":"a.b","to":"after","other":"a.c"}"#, "Move", #"{"id":"a.b","to":"after","other":"a.c"}"#),
    ]

    @Test(arguments: changes.indices) func aChangeIsACall(_ index: Int) throws {
        let row = Self.changes[index]
        guard case .change(let change) = try route("POST", "/api/change/\(row.name)", [], row.body) else {
            Issue.record("no change")
            return
        }
        #expect(change.call.method == row.method)
        #expect(JSON.object(change.call.parameters).text == row.parameters)
    }

    private static let wrong: [(name: String, body: String)] = [
        ("show", #"{"id":"a.b"}"#), ("show", #"{"id":"a.b","cure":"no"}"#), ("update", ""), ("update", "[]"),
        ("update", "{}"), ("update", #"{"id":"x"}"#), ("update", #"{"id":3}"#),
        ("press", #"{"id":"a.b"}"#), ("mode", #"{"id":"a.b","mode":"huge"}"#), ("move", #"{"id":"a.b","to":"left"}"#),
        ("move", #"{"id":"a.b","to":"before"}"#), ("move", #"{"id":"a.b","to":"before","other":"/"}"#),
        ("update", #"{"id":"a.b"} {}"#), ("settings", #"{"id":"a.b"}"#),
        ("settings", #"{"id":"a.b","values":{"A":1}}"#), ("add", #"{"id":"a.b"}"#), ("remove", #"{}"#),
        ("add", #"{"id":"a.b","instance":1,"values":{}}"#),
        ("settings", #"{"id":"a.b","values":[]}"#), ("settings", #"{"id":"a.b","values":{},"unset":[1]}"#),
    ]

    @Test(arguments: wrong.indices) func whatIsNoChange(_ index: Int) {
        #expect(status("POST", "/api/change/\(Self.wrong[index].name)", [], Self.wrong[index].body) == 400)
    }
}
