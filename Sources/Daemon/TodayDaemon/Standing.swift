// SPDX-License-Identifier: MIT
import TodayModel

/// How a widget stands: what is declared, what the user wants and what its runs gave, weighed into one state.
struct Standing: Equatable {
    enum Declaration: Equatable {
        case valid, invalid, unsupported, masked
    }
    var declaration: Declaration
    var choices: Choices
    /// todayd.conf's EnableNewWidgets=, which counts while the user has not decided.
    var enabledByDefault = true
    /// No program: its content comes from outside (Protocol=push).
    var isPushed = false
    var shown: Layers.Shown?
    var failure: String?

    var state: WidgetState {
        switch declaration {
        case .masked: return .masked
        case .invalid: return .invalid
        case .unsupported: return .unsupported
        case .valid: break
        }
        if !choices.isEnabled(byDefault: enabledByDefault) { return .disabled }
        if !choices.hasContent { return .hidden }
        // A failing widget stays visible even where its last good content was empty: nobody should wonder where it is.
        if failure != nil, !isPushed { return .failing }
        // What is pushed need not be there, and nothing is on its way.
        guard let shown else { return isPushed ? .empty : .waiting }
        if shown.source == .placeholder { return .waiting }
        return shown.content.isEmpty ? .empty : .ready
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
