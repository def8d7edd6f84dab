// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The settings of widgets: the declarations of manifests, with the values that the user has set.
extension Catalog {
    /// The values that a run of the widget gets, by name.
    func settingTexts(of manifest: Manifest) -> [String: String] {
        manifest.settingTexts(choosing: store.settings(of: manifest.id))
    }

    /// The settings of a widget in the order of its manifest, without secrets. A widget whose program is missing has them,
    /// too.
    func settings(of id: WidgetID) throws(Refusal) -> [SettingStatus] {
        let values = store.settings(of: id)
        return try declaredSettings(of: id).map { SettingStatus($0, choosing: values[$0.name]) }
    }

    private func declaredSettings(of id: WidgetID) throws(Refusal) -> [Setting] {
        guard let manifest = registry.widgets[id]?.manifest else { throw .refused(reasonForInvalidity(of: id)) }
        return manifest.settings
    }

    /// The change that sets values and removes others.
    ///
    /// - Parameters:
    ///   - texts: values by name, as a person types them.
    ///   - unset: the names of values to remove; also of settings that the manifest no longer has.
    /// - Throws: the first reason why it cannot be made. A reason never quotes the value of a secret.
    func settingsChange(
        _ texts: [(name: String, text: String)], unset: [String], of id: WidgetID
    ) throws(Refusal) -> Change {
        let settings = try declaredSettings(of: id)
        let stored = store.settings(of: id)
        var values: [String: SettingValue?] = [:]
        for name in unset {
            if stored[name] == nil { _ = try setting(name, among: settings, of: id) }
            values[name] = .some(nil)
        }
        for (name, text) in texts {
            let setting = try setting(name, among: settings, of: id)
            if values[name] != nil { throw .refused("\(name) is to be set and unset at once") }
            do throws(SettingMistake) {
                values[name] = try setting.value(from: text)
            } catch {
                let what = setting.type == .secret ? "the secret" : Setting.quoted(text)
                throw .refused("\(name): \(what) \(error.reason)")
            }
        }
        // The values of settings that have gone are kept, in case that a manifest gets them back, but not without end.
        if stored.count + values.count > 2 * Setting.most {
            for name in stored.keys where !settings.contains(where: { $0.name == name }) { values[name] = .some(nil) }
        }
        return .settings(id, values)
    }

    private func setting(_ name: String, among settings: [Setting], of id: WidgetID) throws(Refusal) -> Setting {
        if let setting = settings.first(where: { $0.name.isSpelled(as: name) }) { return setting }
        let names = settings.map(\.name)
        let hint =
            if names.isEmpty {
                "its manifest declares none"
            } else if let nearest = nearestName(to: name, among: names) {
                "did you mean \(nearest)?"
            } else {
                "it has \(names.joined(separator: ", "))"
            }
        throw .refused("\(id) has no setting \(Setting.quoted(name)); \(hint)")
    }
}
