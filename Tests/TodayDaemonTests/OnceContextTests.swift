// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayDaemon

@Suite struct OnceContextTests {
    private func session(isAction: Bool = false) throws -> OnceContextSession {
        let id = try #require(WidgetID("a.b"))
        var manifest = Manifest(
            id: id, displayName: "B", update: UpdatePlan(command: ["/x"], contentProtocol: .varlink))
        manifest.appGroups = ["group.g"]
        manifest.urlSchemes = ["app"]
        return OnceContextSession(
            manifest, .standard, mode: .compact, settings: ["CITY": "Bern"], isAction: isAction)
    }

    private func answer(
        _ session: inout OnceContextSession, _ method: String, _ parameters: JSONObject = [:], more: Bool = false
    ) -> VarlinkReply {
        session.answer(VarlinkCall("org.todayd.ExtensionContext.\(method)", parameters, more: more))
    }

    @Test func whatIsSetIsTrueAfterwards() throws {
        var session = try session()
        #expect(session.hasContent)
        let set = answer(&session, "SetHasContent", ["hasContent": false])
        #expect(set == VarlinkReply([:]) && !session.hasContent)
        let asked = answer(&session, "HasContent")
        #expect(asked.parameters == ["hasContent": false])
        // The manifest says compact.
        _ = answer(&session, "SetLargestDisplayMode", ["mode": "expanded"])
        let described = answer(&session, "Describe").parameters
        #expect(described["id"] == "a.b" && described["largestMode"] == "compact" && described["groups"] == ["group.g"])
        #expect(described["compact"]?["rows"] == 4 && described["settings"]?["CITY"] == "Bern")
    }

    @Test func defaultsAreThoseThatTheRunHasSet() throws {
        var session = try session()
        let before = answer(&session, "GetDefaults", more: true)
        #expect(before == VarlinkReply(["values": [:]], continues: true))
        _ = answer(&session, "SetDefaults", ["key": "k", "value": ["value": 3]])
        let after = answer(&session, "GetDefaults", ["group": "group.g"])
        #expect(after.parameters == ["values": ["k": ["value": 3]]])
        _ = answer(&session, "SetDefaults", ["group": "group.g", "key": "k"])
        let removed = answer(&session, "GetDefaults")
        #expect(removed.parameters == ["values": [:]])
    }

    /// The method, its parameters, whether an action is performed, and the error; nil where it is answered.
    static let calls: [(method: String, parameters: JSONObject, isAction: Bool, error: String?)] = [
        ("OpenURL", ["url": "app:x"], true, nil), ("OpenURL", ["url": "app:x"], false, "URLRefused"),
        ("OpenURL", ["url": "other:x"], true, "URLRefused"),
        ("GetDefaults", ["group": "group.x"], false, "NoSuchGroup"),
        ("SetHasContent", ["hasContent": 3], false, "InvalidParameter"), ("Fly", [:], false, "MethodNotFound"),
    ]

    @Test(arguments: calls) func refusalsAreThoseOfTheInterface(
        method: String, parameters: JSONObject, isAction: Bool, error: String?
    ) throws {
        var session = try session(isAction: isAction)
        let reply = answer(&session, method, parameters)
        #expect(reply.error?.split(separator: ".").last.map(String.init) == error)
    }
}
