// SPDX-License-Identifier: MIT
import Files
import Runner
import TodayModel

/// What the daemon refuses clients because of a widget's manifest or content. `Permissions` decides who may ask at all.
extension Catalog {
    /// Why a widget has no valid manifest.
    func reasonForInvalidity(of id: WidgetID) -> String {
        guard let entry = registry.widgets[id] else { return "there is no manifest of \(id)" }
        let reason = entry.reason.map { ": \($0)" } ?? ""
        switch entry.validity {
        case .masked: return "\(id) is masked\(reason)"
        case .valid, .invalid: return "the \(entry.isPlugin ? "plugin" : "manifest") of \(id) is not valid\(reason)"
        }
    }

    private func isPlugin(_ id: WidgetID) -> Bool { registry.widgets[id]?.isPlugin ?? false }

    /// Why the manifest forbids a change; nil when it does not.
    func refusal(of change: Change) -> Refusal? {
        switch change {
        case .push(let id, _), .choice(let id, .displayMode):
            guard let manifest = validManifest(of: id) else { return .refused(reasonForInvalidity(of: id)) }
            guard case .choice(_, .displayMode(let mode)) = change, mode > largestMode(of: id) else { return nil }
            let cure =
                manifest.largestDisplayMode == .compact
                ? "LargestDisplayMode=expanded in \(isPlugin(id) ? "a drop-in" : "its manifest") allows the other"
                : "the widget itself says so now"
            return .refused("\(id) has only the compact display mode: \(cure)")
        case .choice(let id, .shown(.lockScreen, true)):
            guard let manifest = validManifest(of: id), !manifest.extensionPoints.contains(.lockScreen) else {
                return nil
            }
            return .refused(
                "\(id) is not for lock screens: ExtensionPoint= in its manifest or a drop-in has to name lock-screen")
        case .choice, .move, .takeBack, .defaults, .add, .remove, .settings: return nil
        }
    }

    /// Why a widget does not run for an interaction; nil when it may.
    func refusal(of interaction: Interaction, for id: WidgetID) -> Refusal? {
        switch interaction {
        case .action(let action, _): refusal(ofAction: action, for: id)
        case .displayMode: nil
        case .beginEditing: refusal(ofEditing: id)
        case .endEditing: refusal(ofEditing: id) ?? refusal(ofEndingEditing: id)
        }
    }

    private func refusal(ofAction action: String, for id: WidgetID) -> Refusal? {
        let actions = shown(of: id)?.content.actions ?? []
        if actions.contains(where: { $0.isSpelled(as: action) }) { return nil }
        let others = actions.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
        return .refused(
            "nothing that \(id) shows now has the action \"\(action.shortened(to: 256))\""
                + (others.isEmpty ? "" : "; there \(actions.count == 1 ? "is" : "are") \(others)"))
    }

    /// Why a host must not open a URL for a widget; nil if it may.
    func refusal(ofOpening url: String, for id: WidgetID) -> String? {
        guard let manifest = validManifest(of: id) else { return reasonForInvalidity(of: id) }
        return URLScheme.refusal(of: url, for: id, declaring: manifest.urlSchemes)
    }

    /// The directory and the variables with which a host executes a command of what a widget shows now.
    func launch(of command: [String], of id: WidgetID) throws(Refusal) -> CommandLaunch {
        if permissions.instance == .system {
            throw .refused(
                "commands of the system's widgets are not executed: a user would execute what another user says")
        }
        guard let manifest = validManifest(of: id) else { throw .refused(reasonForInvalidity(of: id)) }
        guard manifest.allowsCommands else {
            let reason = isPlugin(id) ? "AllowsCommands=no in a drop-in" : "no AllowsCommands=yes in its manifest"
            throw .refused("\(id) has \(reason), so its commands are not executed")
        }
        guard manifest.update.fleet == nil else {
            throw .refused(
                "\(id) is a widget of a fleet, and its commands are not executed: another machine has written them")
        }
        guard shown(of: id)?.content.offers(command) == true else {
            throw .refused(
                "nothing that \(id) shows now has this command; 'todayctl show --numbers \(id)' has those of now")
        }
        do throws(DirectoryFailure) {
            return try runner.commandLaunch(of: manifest, settings: settingTexts(of: manifest))
        } catch {
            throw .refused("\(error)")
        }
    }

    private func refusal(ofEditing id: WidgetID) -> Refusal? {
        guard let manifest = validManifest(of: id) else { return .refused(reasonForInvalidity(of: id)) }
        if manifest.allowsEditing { return nil }
        let reason = isPlugin(id) ? "it is a plugin" : "its manifest says no AllowsEditing=yes"
        return .refused("\(id) has nothing to edit: \(reason)")
    }

    private func refusal(ofEndingEditing id: WidgetID) -> Refusal? {
        if draft(of: id) != nil { return nil }
        return .refused(
            "\(id) is not being edited; editing ends by itself \(Layers.Draft.patience.text) after the last touch")
    }
}
