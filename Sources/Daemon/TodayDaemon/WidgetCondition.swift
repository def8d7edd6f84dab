// SPDX-License-Identifier: MIT
import Registry
import TodayModel

/// Decides the state of a widget from its manifest, the user's choices and its runs.
struct WidgetCondition: Equatable {
    var validity: Registry.Entry.Validity
    var choices: Choices
    /// Whether a widget is enabled while the user has not decided: a new one by EnableNewWidgets= of todayd.conf.
    var enabledByDefault: Bool
    /// Whether the widget has no program, so that clients push its content (Protocol=push).
    var isPushed: Bool
    var shown: Layers.Shown?
    /// Whether a client pushed content that has expired.
    var pushHasExpired = false
    var points: [ExtensionPoint] = [.today]
    var failure: String?

    var state: WidgetState {
        if validity == .masked { return .masked }
        // This comes before invalid: a user who disables a broken widget wants it out of the view.
        if choices.enabled == false { return .disabled }
        switch validity {
        case .masked: return .masked
        case .invalid: return .invalid
        case .valid: break
        }
        if !choices.isEnabled(byDefault: enabledByDefault) { return .disabled }
        if !choices.hasContent { return .hidden }
        // A failing widget stays visible even if its last content was empty, so that it does not vanish without a
        // reason.
        if failure != nil, !isPushed { return .failing }
        // A widget with `Protocol=push` waits for nothing that the daemon starts.
        guard let shown else { return isPushed ? .empty : .waiting }
        if shown.source == .placeholder { return .waiting }
        return shown.content.isEmpty ? .empty : .ready
    }

    /// Why nothing of the widget is shown; nil where something is, and for a failing widget, whose last run says why.
    ///
    /// - Parameter invalidity: why its manifest does not let it run.
    func reasonForSilence(_ invalidity: String?) -> String? {
        switch state {
        case .masked, .invalid: return invalidity
        case .disabled:
            let reason =
                choices.enabled == nil
                ? "new widgets are disabled, by EnableNewWidgets=no in todayd.conf" : "the user has disabled it"
            return choices.hasContent ? reason : reason + ", and its has-content flag is false"
        case .hidden: return "its has-content flag is false"
        case .empty:
            guard let shown else {
                return pushHasExpired ? "what was pushed has expired" : "nothing has been pushed to it"
            }
            let speaker = shown.source == .pushed ? "what was pushed" : "its last answer"
            return "\(speaker) says that there is nothing to show"
        case .waiting where shown?.content.isEmpty ?? true: return "it has not answered yet"
        case .waiting, .failing, .ready:
            return points == [.lockScreen] && !choices.allowedOnLockScreen
                ? "it is for the lock screen alone, and the user has not allowed it there" : nil
        }
    }
}

extension Choices {
    /// - Parameter byDefault: whether a widget is enabled while the user has not decided: a new one by EnableNewWidgets= of todayd.conf.
    func isEnabled(byDefault: Bool) -> Bool { enabled ?? byDefault }

    /// Why a widget with a valid manifest must not be launched; nil when it may.
    func obstacle(enabledByDefault: Bool) -> String? {
        if !isEnabled(byDefault: enabledByDefault) { return "disabled" }
        return hasContent ? nil : "hidden: its has-content flag is false"
    }
}
