// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// What is noted of content that is read, whatever its format is.
extension ReadContent {
    /// The same with notes on charts of numbers that the content does not have: mostly the name is misspelt.
    var notingCharts: ReadContent {
        var read = self
        let numbers = content.numbers.map(\.name)
        for name in content.viewsInAll.compactMap(\.chartedNumber) {
            if numbers.contains(where: { $0.isSpelled(as: name) }) { continue }
            let hint = nearestName(to: name, among: numbers).map { "; did you mean \(JSONField.quoted($0))?" } ?? ""
            read.note("history: no number here has the name \(JSONField.quoted(name))\(hint)")
        }
        return read
    }

    /// The same with notes on URLs that hosts do not open, one for each scheme.
    package func notingURLs(of manifest: Manifest) -> ReadContent {
        var read = self
        var noted: Set<String> = []
        for url in content.viewsInAll.compactMap(\.url) {
            guard let scheme = URLScheme.of(url),
                let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes),
                noted.insert(scheme).inserted
            else { continue }
            read.note("\(PlainText.line(url, upTo: 48)) is not opened: \(reason)")
        }
        return read
    }
}

extension Content {
    /// All views of both modes.
    fileprivate var viewsInAll: [View] { [compact, expanded].compactMap { $0 }.flatMap(\.withDescendants) }
}

extension View {
    fileprivate var withDescendants: [View] { [self] + children.flatMap(\.withDescendants) }

    /// The number whose history a chart has.
    fileprivate var chartedNumber: String? { if case .chart(let chart) = self { chart.history } else { nil } }

    fileprivate var url: String? {
        switch self {
        case .link(let link): link.url
        case .item(let item): item.url
        case .text, .progress, .chart, .image, .button, .stack, .grid, .spacer, .divider: nil
        }
    }
}
