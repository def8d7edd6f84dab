// SPDX-License-Identifier: MIT

import TodayModel

/// What there is to add, for a list: a line for each.
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

    /// A template whose name is that of its instances has none for people.
    fileprivate var words: String { summary.map { name == shortName ? $0 : "\(name): \($0)" } ?? name }
}
