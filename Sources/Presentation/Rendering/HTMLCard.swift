// SPDX-License-Identifier: MIT

import TodayModel

/// A widget as an `article` of HTML: name, age, the view of its display mode, and its failure. It has no style and no script of
/// its own; `HTMLPage` has the style for its classes. A `Tile` takes half a column.
package struct HTMLCard {
    private let item: Item
    private let now: WallTime
    private let hasValues: Bool
    private let pictures: String?
    private let button: String
    private let footer: String

    /// - Parameters:
    ///   - hasValues: whether charts have their values for a script, which shows the one under the pointer.
    ///   - pictures: the address at which a server has the pictures, for their widget and name in its query; nil if there is
    ///     none.
    ///   - button: markup at the end of the line with the name.
    ///   - footer: markup below the view.
    package init(
        _ item: Item, now: WallTime, hasValues: Bool = false, pictures: String? = nil, button: String = "",
        footer: String = ""
    ) {
        self.item = item
        self.now = now
        self.hasValues = hasValues
        self.pictures = pictures
        self.button = button
        self.footer = footer
    }

    package var html: String {
        let content = item.isVisible ? item.content : nil
        let tile = content.flatMap { Tile(item, $0) }
        var classes = ["card", item.state.rawValue, content?.severity.rawValue ?? "normal", item.mode.rawValue]
        if tile != nil { classes.append("tile") }
        if item.stale { classes.append("stale") }
        var html =
            "<article class=\"\(classes.joined(separator: " "))\" id=\"\(Markup.escaped(item.id.text))\">\n<header>"
        if let attention = item.attention {
            html += "<span class=\"dot\" role=\"img\" aria-label=\"\(attention)\"></span>"
        }
        if let icon = item.symbol { html += Markup.symbol(icon, label: nil) }
        html += "<h2 dir=\"auto\">\(Markup.escaped(item.name))</h2>"
        html += "<p class=\"age\">\(Markup.escaped(item.freshnessOfCard(at: now)))</p>\(button)</header>\n"
        if let content {
            if let tile {
                html += "<div class=\"body\">\n\(tile.html)</div>\n"
            } else {
                let view = HTMLViews(item: item, hasValues: hasValues, pictures: pictures).html(
                    content.view(for: item.mode))
                let kind = "body" + (content.rows(in: item.mode) == nil ? "" : " sized")
                html += "<div class=\"\(kind)\" style=\"\(room(content))\">\n\(view)</div>\n"
            }
        }
        if let failure = item.failure, item.content == nil || item.state.isTrouble {
            html += "<p class=\"failure\" dir=\"auto\">\(Markup.escaped(failure))</p>\n"
        }
        return html + footer + "</article>\n"
    }
}

extension Item {
    /// Why a card has a coloured dot; nil if nothing is wrong.
    fileprivate var attention: String? {
        if state.isTrouble { return state.rawValue }
        switch content?.severity {
        case .warning?, .critical?: return isVisible ? content?.severity.rawValue : nil
        case .normal?, .good?, .info?, nil: return nil
        }
    }

    /// Whether its age may say something: a program that reports each change is never out of date while nothing is wrong.
    package var hasAge: Bool { !isLive || stateMark != nil }

    /// `freshness` without an uninformative age: that of content younger than its interval, or than a minute.
    package func freshnessOfCard(at now: WallTime) -> String {
        guard hasAge, let age = age(at: now) else { return stateMark ?? "" }
        let words = age.age == TimeSpan.zero.age ? nil : age.age
        if let stateMark { return [stateMark, words].compactMap { $0 }.joined(separator: " · ") }
        if let freshUntil, now < freshUntil { return "" }
        return words ?? ""
    }
}

extension HTMLCard {
    /// The height that the widget prefers, up to the offered one, and its margins beyond those that each card has.
    private func room(_ content: Content) -> String {
        let most = max(item.size.rows, 1)
        let rows = min(content.rows(in: item.mode) ?? most, most)
        guard var insets = content.insets else { return "--rows:\(rows)" }
        insets.left = max(insets.left, Insets.standard.left) - Insets.standard.left
        return "--rows:\(rows);\(Markup.style(insets))"
    }
}

/// An HTML document with cards, which needs no other file.
package struct HTMLPage {
    private let items: [Item]
    private let now: WallTime

    package init(_ items: [Item], now: WallTime) {
        self.items = items
        self.now = now
    }

    package var html: String {
        let cards = items.map { HTMLCard($0, now: now).html }.joined()
        let title = items.count == 1 ? Markup.escaped(items[0].name) : "Today"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>
            \(Self.style)</style>
            <main>
            \(cards)</main>
            </html>

            """
    }

    /// The colours of light and dark have a contrast of 4.5 and more on the cards.
    package static let style = String(decoding: PackageResources.cards_css, as: UTF8.self)
}
