// SPDX-License-Identifier: MIT
import TodayModel

/// What widgets want opened. The daemon opens nothing: it has no screen, and may have no user. The host where the user
/// pressed a button gets the URL with the answer, so there must be one that waits.
final class OpenRequests {
    private var performing: [WidgetID: String?] = [:]

    /// A widget performs an action.
    func began(_ widget: WidgetID) { performing[widget] = .some(nil) }

    /// The action has ended: what is to be opened.
    func ended(_ widget: WidgetID) -> String? { performing.removeValue(forKey: widget) ?? nil }

    /// Takes a URL, or says why not.
    func open(_ url: String, for manifest: Manifest) -> String? {
        if let reason = Self.objection(to: url, from: manifest) { return reason }
        switch performing[manifest.id] {
        case nil: return "nobody has pressed a button of \(manifest.id): URLs are opened while an action is performed"
        case .some(.some): return "one action opens one URL"
        case .some(nil):
            performing[manifest.id] = url
            return nil
        }
    }

    /// Why a host must not open this URL for the widget.
    static func objection(to url: String, from manifest: Manifest) -> String? {
        URLScheme.objection(to: url, from: manifest.id, declaring: manifest.urlSchemes)
    }
}
