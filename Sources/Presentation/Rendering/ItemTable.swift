// SPDX-License-Identifier: MIT

import TodayModel

/// The table of `todayctl list`: all widgets, one line for each.
package struct ItemTable {
    let items: [Item]
    let presentation: Presentation

    package init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
    }

    package var lines: [StyledLine] {
        var table = Table([
            .init("WIDGET", elastic: true), .init("STATE"), .init("AGE", trailing: true), .init("MODE", from: 100),
            .init("COMMANDS", from: 72), .init("SHOWN IN", from: 100), .init("SUMMARY", from: 60, elastic: true),
        ])
        for item in items {
            table.append([
                presentation.line(item.id.text, item.isVisible ? .bold : .dim),
                presentation.line(state(of: item), item.state.style),
                presentation.line(item.age(at: presentation.now)?.age ?? "-", .dim),
                presentation.line(item.mode.rawValue, .dim),
                presentation.line(commands(of: item), .dim),
                presentation.line(item.points.map(\.name).joined(separator: ", "), .dim),
                summary(of: item),
            ])
        }
        return table.lines(presentation)
    }

    private func summary(of item: Item) -> StyledLine {
        if let failure = item.failure { return presentation.line(failure) }
        return presentation.line(item.content?.text ?? item.name, item.isDimmed ? .dim : .plain)
    }

    /// The commands that apply to the widget now: the words between `todayctl` and its identifier.
    private func commands(of item: Item) -> String {
        let offers = ItemCommands(item).offers
        return offers.isEmpty ? "-" : offers.map(\.command).joined(separator: ", ")
    }

    private func state(of item: Item) -> String {
        item.stale && item.state == .ready ? "stale" : item.state.rawValue
    }
}

extension WidgetState {
    var style: Style {
        switch self {
        case .ready: .meaning(.good)
        case .failing, .invalid: .meaning(.critical)
        case .waiting: .plain
        case .empty, .hidden, .disabled, .masked: .dim
        }
    }
}

/// A table of what can be added, one line for each offer.
package struct OfferTable {
    private let offers: [Offer]
    private let presentation: Presentation

    package init(_ offers: [Offer], _ presentation: Presentation) {
        self.offers = offers
        self.presentation = presentation
    }

    package var lines: [StyledLine] {
        var table = Table([.init("WIDGET"), .init("NEEDS", from: 60), .init("WHAT", elastic: true)])
        for offer in offers {
            let needs = offer.needs.map { $0.name.lowercased() }.joined(separator: ", ")
            table.append([
                presentation.line(offer.shortName, offer.complaint == nil ? .bold : .dim),
                presentation.line(needs.isEmpty ? "-" : needs, .dim), presentation.line(offer.words),
            ])
        }
        return table.lines(presentation)
    }

    /// All about one of them.
    package static func details(_ offer: Offer, _ presentation: Presentation) -> [StyledLine] {
        var lines = presentation.line(offer.words).wrapped(presentation.width)
        if let example = offer.example {
            let icon = offer.icon.map { "\($0) " } ?? ""
            lines += [StyledLine(), presentation.line("  \(icon)\(example)", .meaning(.accent)), StyledLine()]
        }
        for setting in offer.settings {
            let fallback =
                setting.defaultText.map { $0 == "%i" ? ", else its name" : $0.isEmpty ? "" : ", else \($0)" } ?? ""
            let need = setting.type == .secret ? ", a secret" : setting.defaultText == nil ? ", needed" : fallback
            lines.append(presentation.line("\(setting.name.lowercased()): \(setting.label ?? "")\(need)", .dim))
        }
        if !offer.added.isEmpty {
            let ids = offer.added.map(\.text).joined(separator: ", ")
            lines.append(presentation.line("There \(offer.added.count == 1 ? "is" : "are"): \(ids)", .dim))
        }
        if let complaint = offer.complaint { lines.append(presentation.line(complaint, .meaning(.warning))) }
        return lines.flatMap { $0.wrapped(presentation.width) }
    }
}

extension Offer {
    /// The end of its identifier.
    package var shortName: String { id.text.split(separator: ".").last.map(String.init) ?? id.text }

    /// A template whose name is that of its instances has no name for people.
    fileprivate var words: String { summary.map { name == shortName ? $0 : "\(name): \($0)" } ?? name }
}

/// The table of `todayctl config`: the settings of one widget, one line for each, and values that do not count.
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
