// SPDX-License-Identifier: MIT
import JSON
import Platform

/// The values of the widget's settings, as `[Settings]` of its manifest declares them, and as the user has set them with
/// `todayctl config`. They correspond to the settings of an app in iOS.
///
/// The getters are those of `Defaults`. A widget cannot change its settings. After a change, todayd asks it for an update
/// with the reason `defaults`.
///
/// In a process that todayd has not started, such as a preview, they are environment variables:
/// `CITY=Bern weather-widget --preview`.
public struct WidgetSettings: Sendable {
    /// What todayd tells a program that stays; nil in any other process.
    private let told: JSONObject?
    private let variables: EnvironmentVariables

    init(told: JSONObject?, variables: EnvironmentVariables) {
        self.told = told
        self.variables = variables
    }

    /// The value of a setting as text, with secrets. Nil if it is empty, if the user has set none and the manifest has no
    /// default, and if the manifest does not declare the setting.
    public func string(forKey name: String) -> String? {
        guard let told else { return variables[name] }
        return told[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The number without its fraction; 0 if there is none.
    public func integer(forKey name: String) -> Int {
        Int(exactly: double(forKey: name).rounded(.towardZero)) ?? 0
    }

    /// The number; 0 if there is none.
    public func double(forKey name: String) -> Double {
        string(forKey: name).flatMap(Double.init).map { $0.isFinite ? $0 : 0 } ?? 0
    }

    /// The truth value; false if there is none.
    public func bool(forKey name: String) -> Bool { string(forKey: name) == "true" }

    /// The elements of a list; nil if there is no value.
    public func stringArray(forKey name: String) -> [String]? {
        string(forKey: name)?.split(separator: "\n").map(String.init)
    }
}
