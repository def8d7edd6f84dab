// SPDX-License-Identifier: MIT
import Testing

@testable import TodayDaemon

@Suite struct LogTests {
    @Test(
        arguments: [
            ("org.a.b: works again", "org.a.b: works again"), ("two\nlines", "two\nlines"),
            ("naïve 👩‍🚀 \u{200F}שלום", "naïve 👩‍🚀 \u{200F}שלום"),
            ("red \u{1B}[31malert", "red ?[31malert"), ("a\rb\u{7}c\u{9B}d\0", "a?b?c?d?"),
            ("1\u{202E}2\u{2066}3", "1?2?3"), ("a\u{FEFF}b\u{2028}c", "a?b?c"),
        ])
    func charactersThatControlATerminalAreReplaced(message: String, line: String) {
        #expect(Log.printable(message) == line)
    }
}
