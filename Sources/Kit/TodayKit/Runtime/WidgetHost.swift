// SPDX-License-Identifier: MIT
import TodayModel

/// Leads one widget through its life, for the daemon, for one run or for a preview.
@MainActor
package final class WidgetHost<Widget: TodayWidget> {
    private var widget: Widget
    private let context: ExtensionContext
    private var presence = Presence.new
    /// The request that the widget has last drawn itself for.
    private var shown: WidgetRequest?

    /// How the widget is seen. A process that was asked has appeared, even if no host looks: what it draws is shown later.
    private enum Presence {
        case new, appeared, watched, disappeared
    }

    /// The widget is made and loaded.
    package init(_ request: WidgetRequest) {
        context = ExtensionContext()
        ExtensionContext.current = context
        widget = Widget()
        context.take(request)
        widget.viewDidLoad()
    }

    /// One call from its beginning to its outcome. The caller waits for it before the next.
    ///
    /// - Parameter showMeanwhile: gets what the widget shows before its first answer, if it shows anything.
    package func perform(
        _ call: WidgetCall, _ request: WidgetRequest, showMeanwhile: ((Content) -> Void)? = nil
    ) async -> WidgetOutcome {
        context.take(request)
        if request.reason == .defaults { DefaultsObservers.notify() }
        // What it has drawn before does not fit: it is drawn anew, even if it holds.
        let isResized = shown.map { $0.mode != request.mode || $0.size != request.size } ?? false
        appear(request, isHostNew: request.reason == .appear)
        if let showMeanwhile, call == .performUpdate, !request.isKnown { givePlaceholder(showMeanwhile) }
        do {
            switch try await result(of: call, request) {
            case .newData: return .newData(try content())
            // There is nothing yet that could still hold.
            case .noData where isResized || !request.isKnown: return .newData(try content())
            case .noData: return .noData(nextUpdate: try Snapshot(widget, context).nextUpdate())
            case .failed: return .failed("the update failed; the widget did not say why")
            }
        } catch {
            return WidgetOutcome(error)
        }
    }

    /// A host begins to look while the process is there.
    package func hostDidAppear(_ request: WidgetRequest) {
        context.take(request)
        appear(request, isHostNew: true)
        presence = .watched
    }

    /// The last host looks away.
    package func hostDidDisappear() { disappear() }

    /// The process ends in order.
    ///
    /// - Parameter isForOneCall: another process goes on. Where this one would have gone on itself, todayd has let go what
    ///   is edited: the widget was hidden, or todayd ends.
    package func end(isForOneCall: Bool = false) {
        if context.isEditing, !isForOneCall {
            context.isEditing = false
            widget.widgetDidCancelEditing()
        }
        switch presence {
        case .new: widget.viewDidDisappear()
        case .appeared, .watched: disappear()
        case .disappeared: break
        }
    }

    /// What the widget shows now, as content that any host takes.
    package func content() throws -> Content { try Snapshot(widget, context).content() }

    /// What the widget shows before its first answer.
    package func placeholder(_ request: WidgetRequest) throws -> Content {
        context.take(request)
        appear(request, isHostNew: false)
        return try Snapshot(widget, context).placeholder()
    }

    /// A mistake in it is the author's to know, and no reason not to update.
    private func givePlaceholder(_ show: (Content) -> Void) {
        do {
            let content = try Snapshot(widget, context).placeholder()
            if !content.isEmpty { show(content) }
        } catch {
            StandardError.say("placeholder: \(error)")
        }
    }

    // MARK: What comes before an answer

    /// The widget appears, and learns of its mode and size where they are new to it.
    private func appear(_ request: WidgetRequest, isHostNew: Bool) {
        let appears = shown == nil || isHostNew && presence != .watched
        if appears { widget.viewWillAppear() }
        if let shown, shown.size != request.size { widget.viewWillTransition(to: request.size) }
        if shown?.mode != request.mode || shown?.size != request.size {
            context.knowsItsMode = true
            widget.widgetActiveDisplayModeDidChange(request.mode, withMaximumSize: request.size)
        }
        shown = request
        guard appears else { return }
        widget.viewDidAppear()
        if presence != .watched { presence = .appeared }
    }

    private func disappear() {
        guard presence == .appeared || presence == .watched else { return }
        presence = .disappeared
        widget.viewWillDisappear()
        widget.viewDidDisappear()
    }

    // MARK: The call itself

    /// A structure is changed by what it does, so it is taken out and put back; of a class this moves a reference.
    private func result(of call: WidgetCall, _ request: WidgetRequest) async throws -> NCUpdateResult {
        var widget = widget
        defer { self.widget = widget }
        resumeEditing(&widget, call, request)
        switch call {
        case .performUpdate: return try await widget.widgetPerformUpdate()
        case .performAction(let name): return try await widget.widgetPerformAction(name)
        case .displayModeDidChange: break
        case .beginEditing: try beginEditing(&widget)
        case .endEditing(let isCancelled):
            context.isEditing = false
            if isCancelled { widget.widgetDidCancelEditing() } else { widget.widgetDidEndEditing() }
        }
        return .newData
    }

    private func beginEditing(_ widget: inout Widget) throws {
        guard widget.widgetAllowsEditing else { throw WidgetFailure("it allows no editing now") }
        context.isEditing = true
        widget.widgetDidBeginEditing()
    }

    /// Editing has begun in another process, of which this one knows nothing.
    private func resumeEditing(_ widget: inout Widget, _ call: WidgetCall, _ request: WidgetRequest) {
        guard request.isEditing, !context.isEditing else { return }
        switch call {
        case .beginEditing, .endEditing: return
        // Where nothing can be edited any more, it shows what it has to say.
        case .performUpdate, .performAction, .displayModeDidChange: try? beginEditing(&widget)
        }
    }
}
