// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// The page with its cards. It refers to its style and its script, and is complete without them.
package struct PageDocument {
    private let view: PageView
    private let isKiosk: Bool
    /// The token that the script sends with a change; nil if the page allows none.
    private let token: String?
    private let now: WallTime

    package init(_ view: PageView, isKiosk: Bool, token: String?, now: WallTime) {
        self.view = view
        self.isKiosk = isKiosk
        self.token = token
        self.now = now
    }

    /// How often a browser without the script loads the page again, in seconds.
    private static let reload = 30

    package func html(_ items: [Item]) -> String {
        let cards = items.map { CardHTML($0, now: now, hasChanges: token != nil).html }.joined()
        var title = "Today"
        if case .widget = view, items.count == 1 { title = Markup.escaped(items[0].name) }
        return document(title, "<main id=\"cards\" aria-label=\"Widgets\">\n\(cards)</main>\n" + notice(items.isEmpty))
    }

    /// What to do next if there is nothing to show.
    private func notice(_ isEmpty: Bool) -> String {
        "<p id=\"empty\"\(isEmpty ? "" : " hidden")><b>Nothing to show yet</b> <code>todayctl setup</code> makes widgets of the "
            + "scripts of your bars, <code>todayctl new hello</code> begins one of your own, and <code>todayctl list</code> has all, "
            + "also hidden ones.</p>\n"
    }

    /// Replaces the cards if there are none because of an error.
    package func html(trouble: String) -> String {
        document(
            "Today",
            "<main id=\"cards\"></main>\n<p role=\"alert\"><b>The widgets cannot be read</b> \(Markup.escaped(trouble))</p>\n"
        )
    }

    private func document(_ title: String, _ body: String) -> String {
        let permission = token.map { "<meta name=\"today-token\" content=\"\(Markup.escaped($0))\">\n" } ?? ""
        let heading: String
        switch view {
        case .point:
            let edit =
                token == nil ? "" : "<button type=\"button\" id=\"edit\" aria-expanded=\"false\">Edit</button>"
            heading =
                "<header class=\"top\"><h1>Today</h1><p class=\"date\"></p><p id=\"connection\" role=\"status\"></p>"
                + "<p class=\"counts\"></p>\(edit)</header>\n"
        case .widget: heading = "<p id=\"connection\" role=\"status\"></p>\n"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="today-stream" content="\(Markup.escaped(stream))">
            \(permission)<title>\(title)</title>
            <link rel="icon" href="/icon.svg">
            <link rel="stylesheet" href="/page.css">
            <noscript><meta http-equiv="refresh" content="\(Self.reload)"></noscript>
            <script src="/page.js" defer></script>
            </head>
            <body class="\(classes)">
            \(heading)\(body)</body>
            </html>

            """
    }

    private var classes: String {
        let kind: String
        switch view {
        case .point: kind = "page"
        case .widget: kind = "single"
        }
        return isKiosk ? "\(kind) kiosk" : kind
    }

    /// The stream of the same view.
    private var stream: String {
        switch view {
        case .point(let point): "/api/stream?point=\(point.name)"
        case .widget(let id): "/api/stream?widget=\(id.text)"
        }
    }
}

/// The files of the page besides its document, embedded in today-page. Their sources are in `Page`.
package enum PageFiles {
    /// The style of the cards, followed by that of the page around them.
    package static let style = Array(HTMLPage.style.utf8) + PackageResources.page_css
    package static let script = PackageResources.page_js + PackageResources.drawer_js
    /// A card with three lines.
    package static let icon = PackageResources.icon_svg
}
