// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// The table of `todayctl config`.
@Suite struct SettingTableTests {
    private static func settings() throws -> [SettingStatus] {
        [
            SettingStatus(
                try Setting(name: "CITY", type: .string, label: "Your city", defaultText: "Berlin"),
                choosing: SettingValue("New\nYork")),
            SettingStatus(
                try Setting(
                    name: "COUNT", type: .number, label: "How many", defaultText: "10", minimum: 1, maximum: 50),
                choosing: SettingValue("99")),
            SettingStatus(try Setting(name: "UNITS", type: .choice, options: ["metric", "imperial"]), choosing: nil),
            SettingStatus(
                try Setting(name: "TOKEN", type: .secret, label: "API key"),
                choosing: SettingValue("hunter2", isSecret: true)),
            SettingStatus(try Setting(name: "KEY", type: .secret), choosing: nil),
            SettingStatus(
                try Setting(name: "TAGS", type: .list, defaultText: "a 'b c'"), choosing: SettingValue("d")),
            SettingStatus(try Setting(name: "TITLE", type: .string, defaultText: ""), choosing: nil),
        ]
    }

    @Test func eachSettingHasALineAndWhatDoesNotCountIsSaid() throws {
        let lines = SettingTable(try Self.settings(), Samples.presentation(200)).lines.map { $0.text() }
        let expected = [
            "NAME   VALUE      DEFAULT  TYPE                 MEANING",
            "CITY   New York   Berlin   string               Your city",
            "COUNT  10         10       number from 1 to 50  How many",
            "UNITS  (not set)  -        metric|imperial",
            "TOKEN  (set)      -        secret               API key",
            "KEY    (not set)  -        secret",
            "TAGS   d          a \"b c\"  list",
            "TITLE  \"\"         \"\"       string",
            "COUNT: the value that was set is more than 50; it counts as not set",
        ]
        #expect(lines.map(\.trimmed) == expected)
    }

    @Test func aNarrowTerminalHasANarrowTable() throws {
        let lines = SettingTable(try Self.settings(), Samples.presentation(50)).lines
        #expect(lines.dropLast().allSatisfy { $0.width <= 50 })
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
