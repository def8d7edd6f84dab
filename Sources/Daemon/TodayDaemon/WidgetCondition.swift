// SPDX-License-Identifier: MIT
import TodayModel

/// How a widget stands: what is declared, what the user wants and what its runs gave, weighed into one state.
struct WidgetCondition: Equatable {
    enum Declaration: Equatable {
        case valid, invalid, unsupported, masked
    }
    var declaration: Declaration
    var choices: Choices
    /// todayd.conf's EnableNewWidgets=, which counts while the user has not decided.
    var enabledByDefault: Bool
    /// No program: its content comes from outside (Protocol=push).
    var isPushed: Bool
    var shown: Layers.Shown?
    /// Something was pushed, and its time is over.
    var pushHasExpired = false
    var points: [ExtensionPoint] = [.today]
    var failure: String?

    var state: WidgetState {
        if declaration == .masked { return .masked }
        // Also of what does not work: the user has seen what is wrong and wants it out of the view.
        if choices.enabled == false { return .disabled }
        switch declaration {
        case .masked: return .masked
        case .invalid: return .invalid
        case .unsupported: return .unsupported
        case .valid: break
        }
        if !choices.isEnabled(byDefault: enabledByDefault) { return .disabled }
        if !choices.hasContent { return .hidden }
        // A failing widget stays visible even where its last good content was empty: it does not vanish without a reason.
        if failure != nil, !isPushed { return .failing }
        // What is pushed need not be there, and nothing is on its way.
        guard let shown else { return isPushed ? .empty : .waiting }
        if shown.source == .placeholder { return .waiting }
        return shown.content.isEmpty ? .empty : .ready
    }

    /// Why nothing of it is shown, in words; nil where something is, and of a failing one, whose last run says it.
    ///
    /// - Parameter complaint: what is wrong with its manifest.
    func reasonForSilence(_ complaint: String?) -> String? {
        switch state {
        case .masked, .invalid, .unsupported: return complaint
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
    /// - Parameter byDefault: todayd.conf's EnableNewWidgets=, which counts while the user has not decided.
    func isEnabled(byDefault: Bool) -> Bool { enabled ?? byDefault }

    /// Why a widget with a valid manifest must not be launched, in words; nil when it may.
    func obstacle(enabledByDefault: Bool) -> String? {
        if !isEnabled(byDefault: enabledByDefault) { return "disabled" }
        return hasContent ? nil : "hidden: its has-content flag is false"
    }
}
