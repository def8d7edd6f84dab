// SPDX-License-Identifier: MIT

import TodayModel

/// The completions of a word of `todayctl config`.
struct SettingCandidates {
    private let settings: [SettingStatus]

    init(_ settings: [SettingStatus]) { self.settings = settings }

    /// The settings for which the user has set a value.
    func names(of word: String) -> [String] {
        settings.filter(\.isSet).map(\.setting.name).filter { $0.hasPrefix(word) }
    }

    func secrets(of word: String) -> [String] {
        settings.filter { $0.setting.type == .secret }.map(\.setting.name).filter { $0.hasPrefix(word) }
    }

    /// `NAME=`, and then the values of a choice or a boolean. A secret is not set on a command line.
    ///
    /// - Parameter before: the words before it. bash breaks words at an equals sign, so that the last one may be a name.
    func assignments(of word: String, after before: [String]) -> [String] {
        let open = settings.filter { $0.setting.type != .secret }
        if let equals = word.firstIndex(of: "=") {
            let name = word[..<equals]
            let values = open.first { $0.setting.name == name }?.values ?? []
            return values.map { "\(name)=\($0)" }.filter { $0.hasPrefix(word) }
        }
        if let last = before.last, let setting = open.first(where: { $0.setting.name == last }) {
            return setting.values.filter { $0.hasPrefix(word) }
        }
        return open.map { "\($0.setting.name)=" }.filter { name in
            name.hasPrefix(word) && !before.contains { $0.hasPrefix(name) || "\($0)=" == name }
        }
    }
}

extension SettingStatus {
    /// The possible values; none if any text is one.
    fileprivate var values: [String] {
        switch setting.type {
        case .choice: setting.options
        case .boolean: ["yes", "no"]
        case .string, .number, .secret, .list: []
        }
    }
}
