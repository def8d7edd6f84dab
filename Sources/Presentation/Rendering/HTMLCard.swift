// SPDX-License-Identifier: MIT

import TodayModel

/// A widget as an `article` of HTML: title, age, failure, and the view of its display mode. It has no style and no script of
/// its own; `HTMLPage` has the style for its classes.
package struct HTMLCard {
    private let item: Item
    private let now: WallTime
    private let hasValues: Bool
    private let pictures: String?
    private let footer: String

    /// - Parameters:
    ///   - hasValues: whether charts have their values for a script, which shows the one under the pointer.
    ///   - pictures: the address at which a server has the pictures, for their widget and name in its query; nil where there is
    ///     none.
    ///   - footer: markup below the view.
    package init(
        _ item: Item, now: WallTime, hasValues: Bool = false, pictures: String? = nil, footer: String = ""
    ) {
        self.item = item
        self.now = now
        self.hasValues = hasValues
        self.pictures = pictures
        self.footer = footer
    }

    package var html: String {
        let content = item.isVisible ? item.content : nil
        var classes = ["card", item.state.rawValue, content?.severity.rawValue ?? "normal", item.mode.rawValue]
        if item.stale { classes.append("stale") }
        var html =
            "<article class=\"\(classes.joined(separator: " "))\" id=\"\(Markup.escaped(item.id.text))\">\n<header>"
        if let icon = content?.icon { html += Markup.symbol(icon, label: nil) }
        html += "<h2 dir=\"auto\">\(Markup.escaped(item.name))</h2>"
        html += "<p class=\"age\">\(Markup.escaped(item.freshness(at: now)))</p></header>\n"
        if let failure = item.failure, item.content == nil || item.state.isTrouble {
            html += "<p class=\"failure\" dir=\"auto\">\(Markup.escaped(failure))</p>\n"
        }
        if let content {
            let view = HTMLViews(item: item, hasValues: hasValues, pictures: pictures).html(
                content.view(for: item.mode))
            html +=
                "<div class=\"\(content.rows(in: item.mode) == nil ? "body" : "body sized")\" style=\"\(room(content))\">\n"
            html += "\(view)</div>\n"
        }
        return html + footer + "</article>\n"
    }
}

extension HTMLCard {
    /// The height that the widget prefers, up to the one that it is offered, and its margins.
    private func room(_ content: Content) -> String {
        let most = max(item.size.rows, 1)
        let rows = min(content.rows(in: item.mode) ?? most, most)
        let insets = Markup.style(content.insets ?? .standard)
        return "--rows:\(rows);\(insets)"
    }
}

/// A document of HTML with cards, for which it needs no other file.
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
    package static let style = """
        :root { color-scheme: light dark; --page: #ececf0; --card: #fff; --text: #1c1c1e; --soft: #5f5f66; --line: #d8d8dd;
          --accent: #0a5fc4; --good: #1f7a34; --warning: #8f5a00; --critical: #c1121f }
        @media screen and (prefers-color-scheme: dark) { :root { --page: #101012; --card: #1f1f23; --text: #f2f2f5; --soft: #a9a9b2;
          --line: #3a3a40; --accent: #6cb6ff; --good: #7fd17f; --warning: #ffc457; --critical: #ff8080 } }
        body { margin: 1rem; background: var(--page); color: var(--text); font: 1rem/1.35 system-ui, sans-serif }
        main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)) }
        .card { padding: .75rem 1rem; border-radius: .9rem; border-left: .3rem solid var(--line); background: var(--card);
          overflow-wrap: anywhere }
        .card.info { border-color: var(--accent) } .card.good { border-color: var(--good) }
        .card.warning { border-color: var(--warning) }
        .card.critical, .card.failing, .card.invalid { border-color: var(--critical) }
        header { display: flex; gap: .5rem; align-items: baseline } h2 { margin: 0; flex: 1; font-size: 1rem }
        .age { margin: 0; color: var(--soft); font-size: .8rem } .stale .age { color: var(--warning) }
        .failing .age, .failure { color: var(--critical) } .stale .view { opacity: .75 }
        p { margin: .15rem 0; white-space: pre-wrap } .title { font-size: 1.6rem } .headline { font-weight: 600 }
        .caption { font-size: .8rem; color: var(--soft) } .monospace { font-family: monospace } .bold { font-weight: 700 }
        .center { text-align: center } .trailing { text-align: end } .row { display: flex; gap: .5rem; align-items: center }
        .grid td { padding: 0 .75rem 0 0; vertical-align: top }
        .primary { color: var(--text) } .secondary { color: var(--soft) } .accent { color: var(--accent) }
        .good-text { color: var(--good) } .warning-text { color: var(--warning) } .critical-text { color: var(--critical) }
        progress { width: 100%; color: var(--accent); accent-color: currentColor }
        .meter { display: flex; flex-wrap: wrap; gap: 0 .5rem } .meter span:first-child { flex: 1 } svg { width: 100%; height: 4rem; display: block } figure { margin: .3rem 0 }
        button { font: inherit; padding: .15rem .7rem } hr { border: 0; border-top: 1px solid var(--line) }
        :root { --row: 1.71875rem; --column: .375rem }
        .body { max-height: calc(var(--rows) * var(--row)); overflow: auto; box-sizing: border-box }
        .body.sized { height: calc(var(--rows) * var(--row)) } .view { display: flex; flex-direction: column }
        .sized .view { min-height: 100% } .view hr { margin: .3rem 0 } .view .space { flex: 1 0 var(--row) }
        .row .space { flex: 1 } .row .view .space { flex: 1 0 var(--row) }
        .sized figure { flex: 1 1 auto; display: flex; flex-direction: column } .sized figure svg { flex: 1 }
        .badge { color: var(--soft) } details details, details .item { margin-inline-start: 1rem } img { max-width: 100% }

        """
}
