// SPDX-License-Identifier: MIT

import JSON

/// The programs that show one line of widgets permanently, by the name that users type, and how an update is written for each.
package enum BarKind: String, CaseIterable, Sendable {
    case waybar, i3bar, polybar, tmux, yambar, genmon, key, json

    /// The text before the first update: the header of the i3bar protocol, and the beginning of its array.
    package var opening: String {
        switch self {
        case .i3bar: "{\"version\":1,\"click_events\":true}\n[\n"
        case .waybar, .polybar, .tmux, .yambar, .genmon, .key, .json: ""
        }
    }

    /// One update, with a line feed at its end.
    ///
    /// - Parameters:
    ///   - click: the command that does what a click on a widget does, for a bar that starts commands; nil for none.
    ///   - menu: the command that shows what all of them offer, for a bar where a click is on all.
    package func update(
        _ segments: [BarSegment], click: ((BarSegment, _ button: Int) -> String?)? = nil, menu: String? = nil
    ) -> String {
        switch self {
        case .waybar: JSONForm.printable(WaybarForm.object(segments).text) + "\n"
        case .i3bar: JSONForm.printable(I3BarForm.statusLine(segments).text) + ",\n"
        case .polybar: PolybarForm.text(segments, click: click)
        case .tmux: TmuxForm.text(segments)
        case .yambar: YambarForm.text(segments)
        case .genmon: GenmonForm.text(segments, menu: menu)
        case .key: segments.joinedText + "\n"
        case .json: JSONForm.printable(WaybarForm.listing(segments).text) + "\n"
        }
    }

    /// Whether the bar writes clicks to standard input.
    package var sendsClicks: Bool { self == .i3bar }

    /// Whether a user can click on a widget in it.
    package var hasClicks: Bool {
        switch self {
        case .waybar, .i3bar, .polybar: true
        case .tmux, .yambar, .genmon, .key, .json: false
        }
    }

    /// Whether the bar reads one update from each process that it starts, and waits for the process to end.
    package var isPolled: Bool { self == .genmon }
}
