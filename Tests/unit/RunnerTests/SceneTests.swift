// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import Runner

@Suite struct SceneTests {
    private func request(_ reason: RunReason = .schedule, _ interaction: Interaction? = nil) throws -> RunRequest {
        let id = try #require(WidgetID("org.example.test"))
        let plan = UpdatePlan(command: ["/x"], contentProtocol: .varlink)
        var request = RunRequest(
            run: 1, manifest: Manifest(id: id, displayName: "Test", update: plan), reason: reason, mode: .compact)
        request.interaction = interaction
        request.previous = Layers.Own(Content(text: "a"), taken: .now)
        return request
    }

    private static let situation: JSONObject = [
        "reason": "schedule", "mode": "compact", "columns": 60, "rows": 4, "known": true, "editing": false,
    ]

    @Test func aPlainUpdate() throws {
        let call = try request().call(isFirst: false)
        #expect(call == VarlinkCall("org.todayd.Widget.PerformUpdate", ["request": .object(Self.situation)]))
    }

    @Test func aWidgetOfWhichNothingIsKnownMayGiveAPlaceholder() throws {
        var request = try request()
        request.previous = nil
        let call = request.call(isFirst: false)
        #expect(call.more)
        #expect(call.parameters["request"]?.objectValue?["known"] == false)
        request.interaction = .beginEditing
        #expect(!request.call(isFirst: true).more)
    }

    @Test func theRoomAndTheEditorAreTold() throws {
        var request = try request()
        request.mode = .expanded
        request.isEditing = true
        request.sizes.columns = 90
        request.sizes.expandedRows = 33
        let told = try #require(request.call(isFirst: false).parameters["request"]?.objectValue)
        #expect(told["columns"] == 90 && told["rows"] == 33 && told["editing"] == true)
    }

    private static let methods: [(interaction: Interaction?, isFirst: Bool, method: String)] = [
        (nil, true, "PerformUpdate"), (.action("a"), false, "PerformAction"), (.beginEditing, false, "BeginEditing"),
        (.endEditing(isCancelled: false), false, "EndEditing"), (.displayMode, false, "DisplayModeDidChange"),
        (.displayMode, true, "PerformUpdate"),
    ]

    @Test(arguments: 0..<6) func anInteractionIsAMethod(place: Int) throws {
        let (interaction, isFirst, method) = Self.methods[place]
        let call = try request(interaction?.reason ?? .schedule, interaction).call(isFirst: isFirst)
        #expect(call.memberName == method)
        #expect(call.parameters["action"] == (method == "PerformAction" ? "a" : nil))
        #expect(call.parameters["cancelled"] == nil)
    }

    @Test func theCallSaysThatEditingWasCancelled() throws {
        let call = try request(.editing, .endEditing(isCancelled: true)).call(isFirst: false)
        #expect(call.memberName == "EndEditing")
        #expect(call.parameters["cancelled"] == true)
    }

    @Test(arguments: [VisibilityChange.appear, .disappear])
    func aChangeOfVisibilityIsAOnewayCall(change: VisibilityChange) {
        let scene = Scene(mode: .expanded, size: Size(columns: 70, rows: 9), isKnown: true, isEditing: false)
        let call = scene.call(change)
        #expect(call.oneway)
        #expect(call.memberName == (change == .appear ? "Appear" : "Disappear"))
        #expect(
            call.parameters["request"]
                == ["reason": "appear", "mode": "expanded", "columns": 70, "rows": 9, "known": true, "editing": false])
    }

    /// The calls have the parameters that the interface declares.
    @Test func theCallsAreThoseOfTheInterface() throws {
        let interface = InterfaceDescription(constant: Interfaces.widget)
        let scene = Scene(mode: .compact, size: Size(columns: 1, rows: 1), isKnown: false, isEditing: true)
        let interactions: [Interaction?] = [
            nil, .action("a"), .beginEditing, .endEditing(isCancelled: true), .displayMode,
        ]
        let calls = try interactions.map { try request(.schedule, $0).call(isFirst: false) }
        for call in calls + [scene.call(.appear), scene.call(.disappear)] {
            #expect(interface.check(call.parameters, against: .input(of: call.memberName)) == nil)
        }
    }
}
