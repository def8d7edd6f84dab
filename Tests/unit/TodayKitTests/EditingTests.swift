// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// Editing from its beginning to one of its two ends, in one process and in several.
@MainActor @Suite(.serialized) struct EditingTests {
    static var log: [String] = []
    static var allowsEditing = true

    struct Editor: TodayWidget {
        private var choice = "euro"
        var widgetAllowsEditing: Bool { allowsEditing }
        mutating func widgetDidBeginEditing() { log.append("begin") }
        mutating func widgetDidEndEditing() { log.append("end") }
        mutating func widgetPerformAction(_ action: String) async -> NCUpdateResult {
            choice = action
            return .newData
        }
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var timeline: TodayKit.Timeline? { TodayKit.Timeline(entries: [TimelineEntry(date: .now)]) }
        var body: some TodayKit.View { Text(extensionContext.isEditing ? "choose, now \(choice)" : choice) }
    }

    /// Restores the old choice when editing is cancelled.
    final class Reverting: TodayWidget {
        private var choice = "euro"
        private var before = ""
        var widgetAllowsEditing: Bool { true }
        func widgetDidBeginEditing() { before = choice }
        func widgetDidCancelEditing() { choice = before }
        func widgetPerformAction(_ action: String) async -> NCUpdateResult {
            choice = action
            return .newData
        }
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var body: some TodayKit.View { Text(choice) }
    }

    init() {
        Self.log = []
        Self.allowsEditing = true
    }

    private func request(isEditing: Bool) -> WidgetRequest {
        var request = WidgetRequest(reason: .editing)
        request.isEditing = isEditing
        return request
    }

    private func text(_ outcome: WidgetOutcome) -> String {
        outcome.content?.text ?? "\(outcome)"
    }

    @Test func theBodyIsAnEditorUntilTheEnd() async throws {
        let host = WidgetHost<Editor>(WidgetRequest())
        let editing = request(isEditing: true)
        #expect(text(await host.perform(.beginEditing, editing)) == "choose, now euro")
        #expect(text(await host.perform(.performAction("yen"), editing)) == "choose, now yen")
        // An editor has no timeline, which would replace it.
        #expect(try host.content().timeline == nil)
        let done = request(isEditing: false)
        #expect(text(await host.perform(.endEditing(isCancelled: false), done)) == "yen")
        #expect(try host.content().timeline != nil)
        #expect(Self.log == ["begin", "end"])
    }

    @Test func cancellingDefaultsToTheEndOfEditing() async {
        let host = WidgetHost<Editor>(WidgetRequest())
        _ = await host.perform(.beginEditing, request(isEditing: true))
        #expect(text(await host.perform(.endEditing(isCancelled: true), request(isEditing: false))) == "euro")
        #expect(Self.log == ["begin", "end"])
    }

    @Test func cancellingRestoresTheOldChoice() async {
        for (isCancelled, choice) in [(true, "euro"), (false, "yen")] {
            let host = WidgetHost<Reverting>(WidgetRequest())
            _ = await host.perform(.beginEditing, request(isEditing: true))
            _ = await host.perform(.performAction("yen"), request(isEditing: true))
            let ended = await host.perform(.endEditing(isCancelled: isCancelled), request(isEditing: false))
            #expect(text(ended) == choice)
        }
    }

    /// todayd ends the process of a widget that it hides, without a call before; a process for one call ends always.
    @Test(arguments: [false, true]) func theEndOfTheProcessCancels(isForOneCall: Bool) async {
        let host = WidgetHost<Editor>(WidgetRequest())
        _ = await host.perform(.beginEditing, request(isEditing: true))
        host.end(isForOneCall: isForOneCall)
        #expect(Self.log == (isForOneCall ? ["begin"] : ["begin", "end"]))
        host.end()
        #expect(Self.log == ["begin", "end"])
    }

    @Test func aNewProcessContinuesEditing() async {
        let host = WidgetHost<Editor>(WidgetRequest())
        #expect(text(await host.perform(.performAction("yen"), request(isEditing: true))) == "choose, now yen")
        _ = await host.perform(.performUpdate, request(isEditing: true))
        #expect(Self.log == ["begin"])
    }

    @Test func aWidgetThatAllowsNoEditingRefusesIt() async {
        Self.allowsEditing = false
        let host = WidgetHost<Editor>(WidgetRequest())
        let refused = await host.perform(.beginEditing, request(isEditing: true))
        #expect(refused == .failed("it allows no editing now"))
        #expect(text(await host.perform(.performUpdate, request(isEditing: true))) == "euro")
        #expect(Self.log == [])
    }
}
