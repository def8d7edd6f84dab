// SPDX-License-Identifier: MIT

import TodayModel

/// The table of `todayctl config`: the settings of one widget, one line for each, and what does not count.
package struct SettingTable {
    let settings: [SettingStatus]
    let presentation: Presentation

    package init(_ settings: [SettingStatus], _ presentation: Presentation) {
        self.settings = settings
        self.presentation = presentation
    }

    package var lines: [StyledLine] {
        var table = Table([
            .init("NAME"), .init("VALUE", elastic: true), .init("DEFAULT", elastic: true), .init("TYPE", elastic: true),
            .init("MEANING", elastic: true),
        ])
        for status in settings {
            let setting = status.setting
            table.append([
                presentation.line(setting.name, .bold), value(of: status),
                presentation.line(setting.defaultText.map(setting.line) ?? "-", .dim),
                presentation.line(setting.range, .dim), presentation.line(setting.label ?? ""),
            ])
        }
        return table.lines(presentation)
            + settings.compactMap { status in
                status.complaint.map {
                    presentation.line(
                        "\(status.setting.name): the value that was set \($0); it counts as not set", .meaning(.warning)
                    )
                }
            }
    }

    private func value(of status: SettingStatus) -> StyledLine {
        if status.setting.type == .secret {
            return presentation.line(status.isSet ? "(set)" : "(not set)", status.isSet ? .plain : .dim)
        }
        guard let text = status.text else { return presentation.line("(not set)", .dim) }
        return presentation.line(status.setting.line(text), status.isSet ? .plain : .dim)
    }
}

extension Setting {
    /// A value on one line, as a person types it.
    fileprivate func line(_ text: String) -> String {
        if type == .list { return Setting.line(ofList: text) }
        return text.isEmpty ? "\"\"" : text
    }

    /// What may be set.
    fileprivate var range: String {
        switch type {
        case .choice: options.joined(separator: "|")
        case .number:
            switch (minimum, maximum) {
            case (nil, nil): "number"
            case (let minimum?, nil): "number from \(Self.text(of: minimum))"
            case (nil, let maximum?): "number up to \(Self.text(of: maximum))"
            case (let minimum?, let maximum?): "number from \(Self.text(of: minimum)) to \(Self.text(of: maximum))"
            }
        case .string, .boolean, .secret, .list: type.rawValue
        }
    }
}
