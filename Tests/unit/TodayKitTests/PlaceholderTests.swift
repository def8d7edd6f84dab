// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import TodayKit

/// The placeholder, which hosts show before the first update.
@MainActor @Suite(.serialized) struct PlaceholderTests {
    static var before: any TodayKit.View = Text("--")
    static var isUpdated = false

    final class Price: TodayWidget {
        private var price: (any TodayKit.View)?
        func widgetPerformUpdate() async throws -> NCUpdateResult {
            isUpdated = true
            price = Text("62,000")
            return .newData
        }
        var summary: WidgetSummary { WidgetSummary(nextUpdate: .seconds(60)) }
        var body: some TodayKit.View { ViewList([price ?? before]) }
    }

    init() {
        Self.before = Text("--")
        Self.isUpdated = false
    }

    /// The texts of all replies in their order; those that continue end with "…".
    private func replies(more: Bool = true, oneway: Bool = false, known: Bool = false) async -> [String] {
        let server = WidgetServer(WidgetHost<Price>(WidgetRequest()))
        var replies: [String] = []
        func note(_ reply: VarlinkReply) {
            #expect(
                InterfaceDescription(constant: Interfaces.widget)
                    .check(reply.parameters, against: .output(of: "PerformUpdate")) == nil)
            let update = reply.parameters["update"]
            let text = update?["content"]?["text"]?.stringValue ?? update?["result"]?.stringValue ?? "?"
            replies.append("\(text)\(reply.continues ? " …" : "")")
        }
        let request: JSON = ["reason": "boot", "mode": "compact", "columns": 60, "rows": 4, "known": .bool(known)]
        let call = VarlinkCall(
            "org.todayd.Widget.PerformUpdate", ["request": request], oneway: oneway, more: more)
        note(
            await server.answer(call) { reply in
                #expect(!Self.isUpdated)
                note(reply)
            })
        return replies
    }

    @Test func itComesBeforeTheUpdate() async {
        #expect(await replies() == ["-- …", "62,000"])
    }

    @Test func itIsSentOnlyIfTheCallTakesSeveralRepliesAndNothingIsKnown() async {
        #expect(await replies(more: false) == ["62,000"])
        #expect(await replies(known: true) == ["62,000"])
        #expect(await replies(oneway: true) == ["62,000"])
    }

    /// Only an update draws it, whatever the host hands in.
    @Test(arguments: [WidgetCall.performAction("x"), .beginEditing, .endEditing(isCancelled: false)])
    func noOtherCallDrawsIt(call: WidgetCall) async {
        var request = WidgetRequest()
        request.isKnown = false
        var drawn = 0
        _ = await WidgetHost<Price>(request).perform(call, request) { _ in drawn += 1 }
        #expect(drawn == 0)
        _ = await WidgetHost<Price>(request).perform(.performUpdate, request) { _ in drawn += 1 }
        #expect(drawn == 1)
    }

    @Test func anInvalidOrEmptyPlaceholderIsSkipped() async {
        Self.before = Text("\u{1b}[31m")
        #expect(await replies() == ["62,000"])
        Self.isUpdated = false
        Self.before = EmptyView()
        #expect(await replies() == ["62,000"])
    }

    @Test func itHasNoTimeOfTheNextUpdate() throws {
        let content = try WidgetHost<Price>(WidgetRequest()).placeholder(WidgetRequest())
        #expect(content.text == "--")
        #expect(content.nextUpdate == nil)
    }
}
