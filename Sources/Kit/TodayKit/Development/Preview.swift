// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform
import Rendering
import TodayModel

/// A widget as `todayctl show` draws it, without todayd.
struct Preview: Sendable {
    let name: String
    let content: Content
    let mode: NCWidgetDisplayMode
    var size: WidgetSize
    /// Whether the user edits the widget: the card has Done instead of Info.
    var isEditing = false
    /// Whether the content is the placeholder before the first update.
    var isPlaceholder = false

    init(name: String, content: Content, mode: NCWidgetDisplayMode, size: WidgetSize? = nil) {
        self.name = name
        self.content = content
        self.mode = mode
        self.size = size ?? WidgetSize(mode.model.maximumSize)
    }

    func text(width: Int, charset: Charset, colors: ColorDepth) -> String {
        // The content is as old as the drawing, so its age is "now".
        let now = WallTime(microseconds: 0)
        let presentation = Presentation(width: width, charset: charset, colors: colors, now: now)
        guard let id = WidgetID("preview.widget") else { return "" }
        var item = Item(
            id: id, name: name, points: [.today], position: 0,
            state: isPlaceholder ? .waiting : content.isEmpty ? .empty : .ready, mode: mode.model,
            largestMode: .expanded)
        item.size = Size(columns: size.columns, rows: size.rows)
        item.content = content
        item.source = isPlaceholder ? .placeholder : isEditing ? .draft : .own
        item.isEdited = isEditing
        item.allowsEditing = isEditing
        if !isPlaceholder { item.taken = now }
        return Card(item, presentation).lines(width: presentation.width)
            .reduce(into: "") { $0 += $1.text(colors) + "\n" }
    }
}

/// What a terminal can show, by the same rules as in todayctl. Containing apps use it, too.
package struct Terminal {
    package let width: Int
    package let charset: Charset
    package let colors: ColorDepth

    package init(_ variables: EnvironmentVariables, descriptor: Int32, isTerminal: Bool) {
        var size = winsize()
        // ioctl_tty(2) fills the structure. It fails if the descriptor is no terminal.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 10
        // Longer lines are harder to read.
        let columns = variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 10 ? $0 : nil }
        width = min(isKnown ? Int(size.ws_col) : columns ?? 80, 76)
        charset = Charset { variables[$0] }
        colors = isTerminal ? ColorDepth(ofTerminal: { variables[$0] }) : .none
    }

    /// Writes all of the text.
    ///
    /// - Returns: false if that fails.
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        Descriptor.writeAll(Array(text.utf8), to: descriptor)
    }
}
