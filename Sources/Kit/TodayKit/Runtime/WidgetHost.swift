// SPDX-License-Identifier: MIT
import TodayModel

/// Calls the methods of one widget in their order, for todayd, for one run or for a preview.
@MainActor
package final class WidgetHost<Widget: TodayWidget> {
    private var widget: Widget
    private let context: ExtensionContext
    private var presence = Presence.new
    /// The last request for which the widget was told its mode and size.
    private var lastRequest: WidgetRequest?

    /// Whether the widget has appeared.
    private enum Presence {
        /// No call has come yet.
        case new
        /// A call has come. No host shows the widget now, but hosts will show what it draws.
        case appeared
        /// A host shows the widget now.
        case watched
        /// The last host has stopped.
        case disappeared
    }

    /// Makes the widget and loads it.
    package init(_ request: WidgetRequest) {
        context = ExtensionContext()
        ExtensionContext.current = context
        widget = Widget()
        context.update(for: request)
        widget.viewDidLoad()
        ManifestDemand.editing.check(widget.widgetAllowsEditing)
    }

    /// Performs one call. The caller waits for its outcome before the next.
    ///
    /// - Parameter onPlaceholder: gets the placeholder before the first update, if the widget shows one.
    package func perform(
        _ call: WidgetCall, _ request: WidgetRequest, onPlaceholder: ((Content) -> Void)? = nil
    ) async -> WidgetOutcome {
        context.update(for: request)
        if request.reason == .behind { DefaultsObservers.notify() }
        // The last drawing has another size, so `noData` draws the body, too.
        let isResized = lastRequest.map { $0.mode != request.mode || $0.size != request.size } ?? false
        appear(request, isHostNew: request.reason == .appear)
        if let onPlaceholder, call == .performUpdate, !request.isKnown { drawPlaceholder(onPlaceholder) }
        do {
            switch try await result(of: call, request) {
            case .newData: return .newData(try content())
            // Without a snapshot there is nothing that hosts could go on showing.
            case .noData where isResized || !request.isKnown: return .newData(try content())
            case .noData: return .noData(nextUpdate: try BodyDrawing(widget, context).nextUpdate())
            case .failed: return .failed("the update failed; the widget did not say why")
            }
        } catch {
            return WidgetOutcome(error)
        }
    }

    /// A host begins to show the widget.
    package func hostDidAppear(_ request: WidgetRequest) {
        context.update(for: request)
        appear(request, isHostNew: true)
        presence = .watched
    }

    /// The last host stops showing the widget.
    package func hostDidDisappear() { disappear() }

    /// The process is about to end.
    ///
    /// - Parameter isForOneCall: whether todayd starts a process for each call, so that another process goes on with the
    ///   editing. Otherwise editing ends with this process, because todayd has hidden the widget or is about to end.
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

    /// What the widget shows now.
    package func content() throws -> Content { try BodyDrawing(widget, context).content() }

    /// What the widget shows before its first update.
    package func placeholder(_ request: WidgetRequest) throws -> Content {
        context.update(for: request)
        appear(request, isHostNew: false)
        return try BodyDrawing(widget, context).placeholder()
    }

    /// An error in the placeholder goes to standard error, for the author; the update goes on.
    private func drawPlaceholder(_ onPlaceholder: (Content) -> Void) {
        do {
            let content = try BodyDrawing(widget, context).placeholder()
            if !content.isEmpty { onPlaceholder(content) }
        } catch {
            StandardError.write("placeholder: \(error)")
        }
    }

    // MARK: Before the call

    /// Tells the widget that it appears, and tells it a new mode or size.
    private func appear(_ request: WidgetRequest, isHostNew: Bool) {
        let appears = lastRequest == nil || isHostNew && presence != .watched
        if appears { widget.viewWillAppear() }
        if let lastRequest, lastRequest.size != request.size { widget.viewWillTransition(to: request.size) }
        if lastRequest?.mode != request.mode || lastRequest?.size != request.size {
            context.knowsItsMode = true
            widget.widgetActiveDisplayModeDidChange(request.mode, withMaximumSize: request.size)
        }
        lastRequest = request
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

    // MARK: The call

    /// Copies the widget and writes it back, because the methods of a structure change it; for a class this copies a
    /// reference.
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

    /// Begins to edit if the user has begun in another process of the widget.
    private func resumeEditing(_ widget: inout Widget, _ call: WidgetCall, _ request: WidgetRequest) {
        guard request.isEditing, !context.isEditing else { return }
        switch call {
        case .beginEditing, .endEditing: return
        // If the widget allows no editing any more, it performs the call without it.
        case .performUpdate, .performAction, .displayModeDidChange: try? beginEditing(&widget)
        }
    }
}
