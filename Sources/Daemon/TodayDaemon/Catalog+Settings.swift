// SPDX-License-Identifier: MIT
import TodayModel

/// The settings of widgets: the declarations of manifests, with the values that the user has set.
extension Catalog {
    /// The values that a run of the widget gets, by name.
    func settingTexts(of manifest: Manifest) -> [String: String] {
        manifest.settingTexts(choosing: store.settings(of: manifest.id))
    }

    /// The settings of a widget in the order of its manifest, without the values of secrets. A widget whose program is missing
    /// has them, too.
    func settings(of id: WidgetID) throws(Refusal) -> (own: [SettingStatus], face: [SettingStatus]) {
        let (manifest, values) = (try describedManifest(of: id), store.settings(of: id))
        func status(_ setting: Setting) -> SettingStatus { SettingStatus(setting, choosing: values[setting.name]) }
        return (manifest.settings.map(status), manifest.faceSettings.map(status))
    }

    /// How hosts present a widget: the user's choices, otherwise its manifest's.
    func face(of id: WidgetID) -> Face {
        (registry.widgets[id]?.manifest?.face ?? Face()).choosing(store.settings(of: id))
    }

    private func describedManifest(of id: WidgetID) throws(Refusal) -> Manifest {
        guard let manifest = registry.widgets[id]?.manifest else { throw .refused(reasonForInvalidity(of: id)) }
        return manifest
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
        let manifest = try describedManifest(of: id)
        let stored = store.settings(of: id)
        var values: [String: SettingValue?] = [:]
        do throws(SettingMistake) {
            for typed in unset {
                let name = stored[typed] == nil ? try manifest.setting(named: typed).name : typed
                values[name] = .some(nil)
            }
            for (name, value) in try manifest.values(from: texts) {
                if values[name] != nil { throw SettingMistake("\(name) cannot be set and unset at once") }
                values[name] = value
            }
        } catch {
            throw .refused(error.reason)
        }
        // Values of settings that no longer exist are kept in case a manifest declares them again, but not without limit.
        if stored.count + values.count > 2 * Setting.most {
            let known = (manifest.settings + manifest.faceSettings).map(\.name)
            for name in stored.keys where !known.contains(name) {
                values[name] = .some(nil)
            }
        }
        return .settings(id, values)
    }
}
