// SPDX-License-Identifier: MIT

import TodayModel

/// What is drawn on: how wide, with which characters and colours, and at what time.
package struct Presentation: Sendable {
    package var width: Int
    package var charset: Charset
    package var colors: ColorDepth
    package var now: WallTime

    package init(width: Int, charset: Charset = .unicode, colors: ColorDepth = .none, now: WallTime) {
        self.width = max(width, 10)
        self.charset = charset
        self.colors = colors
        self.now = now
    }

    /// Text of any origin, fit to be shown here.
    package func printable(_ untrusted: String) -> Printable {
        Printable(untrusted, charset)
    }

    package func line(_ untrusted: String, _ style: Style = .plain) -> Line {
        Line(printable(untrusted), style)
    }

    /// One of two spellings of our own, by what can be shown.
    func glyph(_ unicode: String, ascii: String) -> Printable {
        Printable(charset == .unicode ? unicode : ascii, .unicode)
    }

    var ellipsis: Printable { glyph("…", ascii: "...") }

    /// A view alone, as a card shows it below its title.
    package func lines(of view: View, mode: DisplayMode) -> [Line] {
        ViewLayout(presentation: self, mode: mode).lines(view, width: width).map { truncated($0, width) }
    }

    package func truncated(_ line: Line, _ width: Int) -> Line {
        line.truncated(width, ellipsis: ellipsis)
    }
}
