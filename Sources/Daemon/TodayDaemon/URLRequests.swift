// SPDX-License-Identifier: MIT
import TodayModel

/// The URLs that widgets want opened. The daemon opens none itself, because it has no screen and perhaps no user. The
/// host where the user pressed a button gets the URL in the answer, so a button press must be in progress.
final class URLRequests {
    /// What is known of a button press that is in progress.
    private enum Press {
        case withoutURL
        /// The session of the user is locked.
        case locked
        case opens(String)
    }

    private var presses: [WidgetID: Press] = [:]

    func pressBegan(_ widget: WidgetID, isLocked: Bool) { presses[widget] = isLocked ? .locked : .withoutURL }

    /// - Returns: the URL that the host has to open.
    func pressEnded(_ widget: WidgetID) -> String? {
        guard case .opens(let url) = presses.removeValue(forKey: widget) else { return nil }
        return url
    }

    /// Keeps a URL for the answer, or returns why it is refused.
    func open(_ url: String, for manifest: Manifest) -> String? {
        if let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes) { return reason }
        switch presses[manifest.id] {
        case nil:
            return "the user has pressed no button of \(manifest.id): URLs are opened while an action is performed"
        case .opens: return "one action opens one URL"
        case .locked: return Refusal.whileLocked
        case .withoutURL:
            presses[manifest.id] = .opens(url)
            return nil
        }
    }
}
