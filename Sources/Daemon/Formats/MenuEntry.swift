// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// A line of the bar or of the menu, and what it becomes.
struct MenuEntry {
    let text: MenuText
    let url: String?
    let command: View.Command?
    private let picture: PNG?
    private let attributes: MenuAttributes
    private let dialect: MenuFormat.Dialect

    /// - Parameters:
    ///   - isInBar: whether the line is before the first separator, where dashes are text.
    ///   - pictures: the room for its picture.
    init(
        _ line: MenuLine, isInBar: Bool, of dialect: MenuFormat.Dialect, within pictures: inout MenuPictures,
        noting note: (String) -> Void
    ) {
        let pairs = line.parameters.map { MenuParameters.pairs(in: $0, of: dialect, noting: note) } ?? []
        attributes = MenuAttributes(pairs, of: dialect, noting: note)
        text = MenuText(isInBar ? line.wholeText : line.text, attributes, of: dialect)
        if let trouble = text.markupTrouble { note(trouble) }
        url = attributes.href.flatMap { Self.url($0, note) }
        command = MenuCommand.command(of: attributes, in: dialect, noting: note)
        // If there is a menu, a line of the bar is drawn twice.
        picture = attributes.image.flatMap { pictures.take($0, times: isInBar ? 2 : 1, noting: note) }
        self.dialect = dialect
    }

    var isInMenu: Bool { attributes.isInMenu }
    var color: Color? { text.color ?? attributes.color }
    var tooltip: String? { attributes.tooltip }
    var hasAction: Bool { url != nil || command != nil || attributes.refreshes }

    /// The symbol, if it can be drawn as text.
    var emoji: String? {
        attributes.symbol.flatMap { $0.utf8.contains { $0 >= 0x80 } ? $0 : nil }
    }

    /// The text in a bar; nil for a line that shows nothing there.
    var summary: String? {
        if !text.isBlank { return text.plain }
        return emoji ?? (attributes.hasImage || text.wasSymbol ? MenuBar.placeholder : nil)
    }

    private static func url(_ text: String, _ note: (String) -> Void) -> String? {
        guard let scheme = URLScheme.of(text) else {
            note("href=\(text.prefix(64)) is not a URL")
            return nil
        }
        guard !URLScheme.programs.contains(scheme) else {
            note("href=\(text.prefix(64)) is not opened: a URL with the scheme \(scheme) is a program")
            return nil
        }
        return text
    }

    // MARK: Views

    var item: View.Item {
        var item = View.Item(title: text.plain)
        item.color = color
        item.symbol = attributes.symbol
        item.picture = picture
        item.badge = attributes.badge
        // SwiftBar shows the uncut text there.
        item.tooltip = attributes.tooltip ?? (dialect == .swiftbar ? text.full : nil)
        item.isChecked = attributes.isChecked
        item.isDisabled = attributes.isDisabled
        item.isAlternate = attributes.isAlternate
        item.isMonospaced = attributes.isMonospaced
        item.url = url
        item.command = command
        item.updates = attributes.refreshes
        return item
    }

    /// The line in a menu if it consists only of text in several colours, which an item cannot have.
    var coloredText: View? {
        guard text.parts.count > 1 else { return nil }
        var plain = View.Item(title: text.plain)
        (plain.color, plain.isMonospaced) = (color, attributes.isMonospaced)
        return item == plain ? .stack(View.Stack(.horizontal, texts)) : nil
    }

    /// The line in the bar.
    var barView: View {
        if hasAction {
            var item = item
            item.title = summary ?? ""
            if item.title == item.symbol { item.symbol = nil }
            return .item(item)
        }
        var views = text.isBlank ? [View.text(View.Text(summary ?? ""))] : texts
        if let picture {
            var image = View.Image(.png(picture))
            image.alternative = text.isBlank ? summary : nil
            views = [.image(image)] + (text.isBlank ? [] : views)
        } else if let symbol = attributes.symbol, symbol != summary {
            views.insert(.image(View.Image(.symbol(symbol))), at: 0)
        }
        guard views.count == 1, let view = views.first else { return .stack(View.Stack(.horizontal, views)) }
        return view
    }

    /// Whether the summary shows everything that the line has.
    var isPlain: Bool { barView == .text(View.Text(summary ?? "")) || isEmojiAndText }

    /// The content's icon is the symbol.
    private var isEmojiAndText: Bool {
        !hasAction && emoji != nil && picture == nil && color == nil && text.parts.count < 2
    }

    private var texts: [View] {
        let runs = text.parts
        return runs.map { run in
            // Hosts leave space between views that are side by side.
            let line = runs.count == 1 ? text.plain : LenientText.line(run.text.trimmed)
            var part = View.Text(line)
            part.color = run.color ?? attributes.color
            if run.isBold { part.weight = .bold }
            return .text(part)
        }
    }
}
