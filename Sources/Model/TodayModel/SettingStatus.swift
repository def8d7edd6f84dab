// SPDX-License-Identifier: MIT
import JSON

/// A setting of a widget and what the user has made of it, as clients get it: without the value of a secret.
package struct SettingStatus: Hashable, Sendable {
    package let setting: Setting
    /// Whether the user has set a value that fits.
    package let isSet: Bool
    /// The value that the widget gets; nil where it gets none, and always for a secret.
    package let text: String?
    /// Why a value that was set does not count; nil where it does.
    package let complaint: String?

    /// - Parameter value: what the user has set.
    package init(_ setting: Setting, choosing value: SettingValue?) {
        self.setting = setting
        complaint = value.flatMap { setting.complaint(about: $0) }
        isSet = value != nil && complaint == nil
        text = setting.type == .secret ? nil : setting.text(choosing: value)
    }
}

extension SettingStatus {
    package var json: JSON {
        var object: JSONObject = ["name": .string(setting.name), "type": .string(setting.type.rawValue)]
        object["label"] = setting.label.map(JSON.string)
        object["default"] = setting.defaultText.map(JSON.string)
        object["min"] = setting.minimum.map(JSON.double)
        object["max"] = setting.maximum.map(JSON.double)
        if !setting.options.isEmpty { object["options"] = JSON(setting.options) }
        object["isSet"] = .bool(isSet)
        object["value"] = text.map(JSON.string)
        object["complaint"] = complaint.map(JSON.string)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        var options: [String] = []
        for option in try field.optional("options")?.array() ?? [] { options.append(try option.string()) }
        setting = Setting(
            declared: try field.required("name").string(), try field.required("type").choice(),
            label: try field.optional("label")?.string(), defaultText: try field.optional("default")?.string(),
            minimum: try field.optional("min")?.double(), maximum: try field.optional("max")?.double(),
            options: options)
        isSet = try field.required("isSet").bool()
        text = try field.optional("value")?.string()
        complaint = try field.optional("complaint")?.string()
    }
}
