// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// Room that a widget leaves free.
@Suite struct InsetsTests {
    private func drawn(_ view: View, insets: Insets? = nil, width: Int = 40) -> [String] {
        var content = Content(text: "x")
        content.compact = view
        content.insets = insets
        let layout = ViewLayout(presentation: Samples.presentation(width, .ascii), mode: .compact)
        return layout.lines(content, width: width).map { $0.text() }
    }

    @Test func theMarginsOfContentAreFree() {
        let insets = Insets(top: 1, left: 3, bottom: 2, right: 4)
        #expect(drawn(.text(.init("x")), insets: insets) == ["", "   x", "", ""])
        #expect(drawn(.divider, insets: insets) == ["", "   " + String(repeating: "-", count: 33), "", ""])
    }

    @Test func onNarrowHostsThereIsNoRoomAtTheSides() {
        let text = "just twenty letters!"
        #expect(drawn(.text(.init(text)), insets: Insets(left: 8, right: 8), width: 20) == [text])
        #expect(drawn(.text(.init("few")), insets: Insets(left: 8, right: 8), width: 20) == ["        few"])
    }

    @Test func areasHaveTheirOwn() {
        var area = View.Stack(.vertical, [.text(.init("x"))])
        area.insets = Insets(top: 1, left: 2)
        #expect(drawn(.stack(area)) == ["", "  x"])
        #expect(drawn(.stack(.init(.horizontal, [.text(.init("a")), .stack(area)]))) == ["a", "     x"])
    }

    @Test func anAreaBesideOthersHasTheWidthItNeeds() {
        var area = View.Stack(.horizontal, [.text(.init("b"))])
        area.insets = Insets(left: 2, right: 2)
        let row = View.stack(.init(.horizontal, [.text(.init("a")), .stack(area), .spacer, .text(.init("c"))]))
        #expect(drawn(row, width: 24) == ["a    b" + String(repeating: " ", count: 17) + "c"])
    }

    @Test func theTrackOfABarHasItsColour() {
        var progress = View.Progress(value: 0.5)
        progress.track = .meaning(.critical)
        let bar = ProgressBar(value: 0.5, tint: nil, track: .meaning(.critical))
        #expect(bar.line(width: 10, .ascii).text(.sixteen).contains("\u{1B}[31m----"))
        #expect(bar.line(width: 10, .unicode).text() == "▕████░░░░▏")
    }
}
