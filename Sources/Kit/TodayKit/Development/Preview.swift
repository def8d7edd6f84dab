// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Rendering
import TodayModel

/// A widget as `todayctl show` draws it, without a daemon.
package struct Preview: Sendable {
    let name: String
    let content: Content
    let mode: NCWidgetDisplayMode
    var size: WidgetSize
    /// The widget is edited: hosts show Done in place of Info.
    package var isEditing = false
    /// There was no answer yet.
    package var isPlaceholder = false

    package init(name: String, content: Content, mode: NCWidgetDisplayMode, size: WidgetSize? = nil) {
        self.name = name
        self.content = content
        self.mode = mode
        self.size = size ?? WidgetSize(mode.model.maximumSize)
    }

    package func text(width: Int, charset: Charset, colors: ColorDepth) -> String {
        // The time of the drawing and that of the content are the same: it is fresh.
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

/// What the terminal of an author, or of a containing app's user, can show, by the same rules as todayctl's.
package struct Terminal {
    package let width: Int
    package let charset: Charset
    package let colors: ColorDepth

    package init(_ variables: Variables, descriptor: Int32, isTerminal: Bool) {
        var size = winsize()
        // tty_ioctl(4) fills the structure; where it is no terminal it fails and leaves it.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 10
        // A card that is wider is not easier to read.
        width = min(isKnown ? Int(size.ws_col) : variables["COLUMNS"].flatMap { Int($0) } ?? 80, 76)
        charset = Charset { variables[$0] }
        colors = isTerminal ? ColorDepth(ofTerminal: { variables[$0] }) : .none
    }

    /// All of the text, to a terminal or wherever else the output goes.
    /// - Returns: whether it could be written.
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        StandardStreams.writeAll(Array(text.utf8), to: descriptor)
    }
}
