// SPDX-License-Identifier: MIT
import Testing
import TodayHTTP
import TodayKit

@testable import http_json_widget

/// What http-json makes of an answer and its settings.
@Suite struct ReadingTests {
    private func reading(_ answer: String, _ settings: [String: String]) throws -> Reading {
        var settings = settings
        settings["URL"] = settings["URL"] ?? "https://a.b"
        return try Reading(try JSONValue(parsing: answer), try ReadingPlan { settings[$0] })
    }

    private static let price =
        #"{"bitcoin": {"usd": 64210.5, "day": -1.24}, "list": [{"n": "3.50"}], "name": "x", "up": true}"#

    @Test func aPathNamesAValue() throws {
        let reading = try reading(
            Self.price,
            [
                "VALUE": "bitcoin.usd", "FORMAT": "$ {}", "CHANGE": "bitcoin.day",
                "DETAILS": "First=list.0.n\nName=name\nUp=up\nGone=a.b\nlist.-1.n",
            ])
        #expect(reading.text == "$ 64,210.5" && reading.short == "64,210.5" && reading.number == 64_210.5)
        #expect(reading.note == "▼ 1.2 %")
        #expect(
            reading.rows.map { "\($0.label): \($0.text)" } == [
                "First: 3.5", "Name: x", "Up: yes", "Gone: --", "list.-1.n: 3.5",
            ])
        #expect(try self.reading("42", [:]).text == "42" && self.reading(#""ok""#, [:]).text == "ok")
    }

    /// todayd accepts whatever text the server has.
    @Test func textIsOneLine() throws {
        let reading = try reading(#"{"a": "x\ny\u001b[31m", "b": "1\n2"}"#, ["VALUE": "a", "DETAILS": "B=b"])
        #expect(reading.text == "x y" && reading.short == "x y")
        #expect(reading.rows.map(\.text) == ["1 2"])
    }

    @Test func whatIsMissingIsSaid() throws {
        for (answer, settings, reason) in [
            (Self.price, ["VALUE": "bitcoin.eur"], "the answer has no value at bitcoin.eur"),
            ("{}", [:], "VALUE is the path of a value, such as data.0.price"),
            ("1", ["HEADER": "secret"], "HEADER is not a header such as Authorization: Bearer TOKEN"),
        ] {
            do {
                _ = try reading(answer, settings)
                Issue.record("it has read \(answer)")
            } catch {
                #expect("\(error)" == reason)
            }
        }
        #expect(throws: WidgetFailure.self) { _ = try ReadingPlan { _ in nil } }
    }

    private static let warnings: [(settings: [String: String], severity: WidgetSummary.Severity)] = [
        ([:], .normal), (["WARNING_ABOVE": "5"], .normal), (["WARNING_ABOVE": "4.9"], .warning),
        (["WARNING_BELOW": "5"], .normal), (["WARNING_BELOW": "5.1"], .warning),
        (["WARNING_ABOVE": "9", "WARNING_BELOW": "6"], .warning),
    ]

    @Test(arguments: warnings.indices) func boundsWarn(index: Int) throws {
        let (settings, severity) = Self.warnings[index]
        #expect(try reading("5", settings).severity == severity)
    }

    private static let numbers: [(Double, Int?, String)] = [
        (0, nil, "0"), (1, nil, "1"), (1_234.5, nil, "1,234.5"), (1_000_000, nil, "1,000,000"),
        (0.12345, nil, "0.1235"),
        (-0.5, nil, "-0.5"), (12.345, nil, "12.35"), (12.3, 2, "12.30"), (12.5, 0, "13"), (-0.001, 2, "0.00"),
        (999.999, 2, "1,000.00"), (1e20, nil, "1e+20"), (-1_234, 1, "-1,234.0"),
    ]

    @Test(arguments: numbers.indices) func numbersAreReadable(index: Int) {
        let (number, decimals, text) = Self.numbers[index]
        #expect(Reading.text(of: number, decimals) == text)
    }

    @Test func namesAreSettingsInAURL() throws {
        let settings = ["COIN": "a b&c=é", "URL": "https://a.b/?ids=${COIN}&x=${NONE}&y=$z${", "VALUE": "${COIN}.usd"]
        let plan = try ReadingPlan { settings[$0] }
        #expect(plan.url == "https://a.b/?ids=a%20b%26c%3D%C3%A9&x=&y=$z${")
    }
}
