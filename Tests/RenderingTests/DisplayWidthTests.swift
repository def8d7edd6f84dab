// SPDX-License-Identifier: MIT

import Testing

@testable import Rendering

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("a", 1), ("Zürich", 6), ("Zu\u{308}rich", 6), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("한국어", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}\u{302}\u{303}", 1), ("💾", 2), ("👋🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2),
        ("☀", 1), ("☀\u{FE0F}", 2), ("☀\u{FE0E}", 1), ("⚠️", 2), ("1\u{FE0F}\u{20E3}", 2), ("🇨🇭", 2), ("🇨🇭🇩🇪", 4),
        ("🇨", 1), ("\u{200B}", 0), ("a\u{200D}b", 2), ("\u{AD}", 1), ("नमस्ते", 4), ("สวัสดี", 4), ("（）", 4), ("█▌", 2),
        ("⣿⠁", 2), ("₿", 1), ("…", 1), ("𠀀", 2), ("\u{E0001}", 0), ("a\u{FE0F}", 1), ("⛅", 2), ("🪫", 2), ("Ａ", 2),
        ("\u{3099}", 0), ("─", 1), ("°", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ])
    func widthIsInCells(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [WidthTable.zero, WidthTable.wide])
    func rangesAreInOrderAndApart(table: [UInt32]) {
        #expect(table.count % 2 == 0)
        for index in table.indices.dropFirst() {
            let (previous, next) = (table[index - 1], table[index])
            #expect(index % 2 == 1 ? previous <= next : previous + 1 < next)
        }
    }

    @Test func noCodePointIsBothWideAndZero() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let width = DisplayWidth.of(scalar)
            if width == 2, scalar.properties.generalCategory == .nonspacingMark {
                Issue.record("U+\(String(value, radix: 16)) is a mark and wide")
            }
        }
    }
}
