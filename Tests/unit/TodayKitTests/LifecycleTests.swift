// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// The order in which TodayKit calls the methods of a widget.
@MainActor @Suite(.serialized) struct LifecycleTests {
    static var log: [String] = []
    static var result: Result<NCUpdateResult, WidgetFailure> = .success(.newData)

    /// Records its calls.
    final class Recorder: TodayWidget {
        private var isEditing = false
        init() { log.append("init") }

        func viewDidLoad() { log.append("load") }
        func viewWillAppear() { log.append("will appear") }
        func viewDidAppear() { log.append("did appear") }
        func viewWillTransition(to size: WidgetSize) { log.append("to \(size.columns)x\(size.rows)") }
        func viewWillDisappear() { log.append("will disappear") }
        func viewDidDisappear() { log.append("did disappear") }
        func widgetActiveDisplayModeDidChange(_ mode: NCWidgetDisplayMode, withMaximumSize size: WidgetSize) {
            log.append("\(mode) \(size.columns)x\(size.rows)")
            if mode == .expanded { preferredContentSize = WidgetSize(columns: 0, rows: 8) }
        }
        func widgetPerformUpdate() async throws -> NCUpdateResult {
            log.append("update for \(extensionContext.updateReason)")
            return try result.get()
        }
        func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
            log.append("action \(action)")
            return .noData
        }
        func widgetDidBeginEditing() {
            isEditing = true
            log.append("begin editing")
        }
        func widgetDidEndEditing() {
            isEditing = false
            log.append("end editing")
        }
        var widgetAllowsEditing: Bool { true }
        var body: some TodayKit.View {
            Text(isEditing ? "editing" : "\(contentSize.columns)x\(contentSize.rows)")
            Text("\(extensionContext.widgetActiveDisplayMode)")
        }
    }

    private let expanded = WidgetRequest(mode: .expanded)

    init() {
        Self.log = []
        Self.result = .success(.newData)
    }

    private func lines(_ outcome: WidgetOutcome, _ mode: DisplayMode = .compact) -> [String] {
        guard let content = outcome.content else { return ["\(outcome)"] }
        return content.view(for: mode).children.map { if case .text(let text) = $0 { text.text } else { "?" } }
    }

    @Test func methodsAreCalledInTheirOrder() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        #expect(Self.log == ["init", "load"])
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .schedule))
        host.end()
        #expect(
            Self.log == [
                "init", "load", "will appear", "compact 60x4", "did appear", "update for schedule", "will disappear",
                "did disappear",
            ])
    }

    @Test func aProcessThatWasNeverAskedNeverAppears() {
        WidgetHost<Recorder>(WidgetRequest()).end()
        #expect(Self.log == ["init", "load", "did disappear"])
    }

    // MARK: Hosts

    @Test func aNewHostMakesTheWidgetAppear() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .boot))
        Self.log = []
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .schedule))
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .appear))
        #expect(Self.log == ["update for schedule", "will appear", "did appear", "update for appear"])
    }

    @Test func onlyTheFirstAndTheLastHostCount() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .boot))
        Self.log = []
        host.hostDidAppear(WidgetRequest())
        // The host causes an update, and a second host appears.
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .appear))
        host.hostDidAppear(WidgetRequest())
        host.hostDidDisappear()
        host.hostDidDisappear()
        _ = await host.perform(.performUpdate, WidgetRequest(reason: .schedule))
        host.end()
        #expect(
            Self.log == [
                "will appear", "did appear", "update for appear", "will disappear", "did disappear",
                "update for schedule",
            ])
    }

    @Test func theEndOfTheProcessMakesTheWidgetDisappear() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        host.hostDidAppear(expanded)
        host.hostDidDisappear()
        host.hostDidAppear(expanded)
        host.end()
        #expect(
            Self.log == [
                "init", "load", "will appear", "expanded 60x16", "did appear", "will disappear", "did disappear",
                "will appear", "did appear", "will disappear", "did disappear",
            ])
    }

    // MARK: Modes and sizes

    @Test func anotherModeIsATransition() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        let first = await host.perform(.performUpdate, WidgetRequest())
        #expect(lines(first) == ["58x4", "compact"])
        Self.log = []
        let second = await host.perform(.displayModeDidChange, expanded)
        #expect(Self.log == ["to 60x16", "expanded 60x16"])
        #expect(lines(second, .expanded) == ["58x8", "expanded"])
        #expect(lines(second, .compact) == ["58x4", "compact"])
        Self.log = []
        _ = await host.perform(.displayModeDidChange, expanded)
        #expect(Self.log == [])
    }

    @Test func theSizeMayChangeWithinAMode() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        _ = await host.perform(.performUpdate, WidgetRequest())
        Self.log = []
        // The last drawing has another size, so `noData` draws the body again.
        Self.result = .success(.noData)
        let small = WidgetRequest(size: WidgetSize(columns: 20, rows: 2))
        #expect(lines(await host.perform(.performUpdate, small)) == ["18x2", "compact"])
        #expect(Self.log == ["to 20x2", "compact 20x2", "update for request"])
        #expect(await host.perform(.performUpdate, small) == .noData())
    }

    @Test func anActionReachesTheWidgetByItsName() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        #expect(await host.perform(.performAction("go"), WidgetRequest(reason: .action)) == .noData())
        #expect(Self.log.last == "action go")
    }

    @Test func failureHasAReason() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        Self.result = .failure(WidgetFailure("no\nnetwork"))
        #expect(await host.perform(.performUpdate, WidgetRequest()) == .failed("no network"))
        Self.result = .success(.failed)
        #expect(
            await host.perform(.performUpdate, WidgetRequest())
                == .failed("the update failed; the widget did not say why"))
        Self.result = .success(.noData)
        #expect(await host.perform(.performUpdate, WidgetRequest()) == .noData())
    }

    @Test func noDataDrawsTheBodyWhileNothingIsKnown() async {
        let host = WidgetHost<Recorder>(WidgetRequest())
        Self.result = .success(.noData)
        var request = WidgetRequest()
        request.isKnown = false
        #expect(lines(await host.perform(.performUpdate, request)) == ["58x4", "compact"])
        #expect(lines(await host.perform(.performAction("go"), request)) == ["58x4", "compact"])
        #expect(await host.perform(.performUpdate, WidgetRequest()) == .noData())
        Self.result = .failure(WidgetFailure("no network"))
        #expect(await host.perform(.performUpdate, request) == .failed("no network"))
    }
}
