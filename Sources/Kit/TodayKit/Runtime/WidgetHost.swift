// SPDX-License-Identifier: MIT
import TodayModel

/// Leads one widget through its life, whoever asks: the daemon, one run or a preview.
@MainActor
package final class WidgetHost<Widget: TodayWidget> {
    private var widget: Widget
    private let context: ExtensionContext
    private var hasAppeared = false
    private var shown: WidgetRequest?

    /// The widget is made and loaded.
    package init(_ request: WidgetRequest) {
        context = ExtensionContext()
        ExtensionContext.current = context
        widget = Widget()
        tell(request)
        widget.viewDidLoad()
    }

    /// One call from its beginning to its outcome. Whoever calls waits for it before the next.
    package func perform(_ call: WidgetCall, _ request: WidgetRequest) async -> WidgetOutcome {
        tell(request)
        if request.reason == .defaults { DefaultsObservers.notify() }
        appear(request)
        do {
            switch try await result(of: call) {
            case .newData: return .newData(try content())
            case .noData: return .noData
            case .failed: return .failed("the update failed; the widget did not say why")
            }
        } catch {
            return .failed(Self.reason(error))
        }
    }

    /// The process ends in order.
    package func end() {
        if hasAppeared { widget.viewWillDisappear() }
        widget.viewDidDisappear()
    }

    /// What the widget shows now, as content that any host takes.
    package func content() throws -> Content { try Snapshot(widget, context).content() }

    private func tell(_ request: WidgetRequest) {
        context.updateReason = UpdateReason(request.reason)
        context.widgetActiveDisplayMode = request.mode
        context.offered[request.mode] = request.size
    }

    /// What comes before an answer: the widget appears, and learns of its mode and size where they are new to it.
    private func appear(_ request: WidgetRequest) {
        let isFirst = !hasAppeared
        if isFirst || request.reason == .appear { widget.viewWillAppear() }
        if shown?.size != request.size, !isFirst { widget.viewWillTransition(to: request.size) }
        if shown?.mode != request.mode || shown?.size != request.size {
            context.preferredContentSize = nil
            widget.widgetActiveDisplayModeDidChange(request.mode, withMaximumSize: request.size)
        }
        shown = request
        if isFirst || request.reason == .appear { widget.viewDidAppear() }
        hasAppeared = true
    }

    /// A structure is changed by what it does, so it is taken out and put back; of a class this moves a reference.
    private func result(of call: WidgetCall) async throws -> NCUpdateResult {
        var widget = widget
        defer { self.widget = widget }
        switch call {
        case .performUpdate: return try await widget.widgetPerformUpdate()
        case .performAction(let name): return try await widget.widgetPerformAction(name)
        case .displayModeDidChange: break
        case .beginEditing:
            guard widget.widgetAllowsEditing else { throw WidgetFailure("it allows no editing now") }
            widget.widgetDidBeginEditing()
        case .endEditing: widget.widgetDidEndEditing()
        }
        return .newData
    }

    /// In one line.
    private static func reason(_ error: any Error) -> String {
        let words = "\(error)".split { $0.isNewline }.joined(separator: " ")
        return words.isEmpty ? "the update failed" : words
    }
}
