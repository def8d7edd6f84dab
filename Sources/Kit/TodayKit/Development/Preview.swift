// SPDX-License-Identifier: MIT
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
