// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct StatedFailureTests {
    private static func alone(_ field: String) -> String {
        "\(field): does not go with failed, only nextUpdate does; it has failed: x"
    }

    private static let printed: [(output: String, reason: String, wait: TimeSpan?)] = [
        (#"{"failed": "rate limited", "nextUpdate": "16min"}"#, "rate limited", .minutes(16)),
        (#"{"failed": "rate limited", "nextUpdate": 90000000}"#, "rate limited", .seconds(90)),
        (#"{"failed": "quota of this year", "nextUpdate": "366d"}"#, "quota of this year", .days(366)),
        (#"{"failed": "no network"}"#, "no network", nil),
        (#"{"failed": ""}"#, "failed, and did not say why", nil),
        (#"{"failed": "x", "nextUpdate": null}"#, "x", nil),
        (#"{"failed": "x", "text": "y"}"#, alone("text"), nil),
        (#"{"text": "y", "failed": "x"}"#, alone("text"), nil),
        (#"{"failed": true}"#, "failed: expected a string, found true or false", nil),
        (#"{"failed": "a\nb"}"#, "failed: is more than one line", nil),
        (#"{"failed": "x", "nextUpdate": "367d"}"#, "nextUpdate: is not between 1s and 52w 2d", nil),
        (
            #"{"failed": "x", "nextUpdate": 16}"#,
            "nextUpdate: 16 microseconds are not between 1s and 52w 2d; seconds are written as \"90s\"", nil
        ),
    ]

    /// With the exit status 0, and with another.
    @Test(arguments: 0..<12) func anObjectOnStandardOutputIsAFailureOfJSON(place: Int) throws {
        let (output, reason, wait) = Self.printed[place]
        let bytes = Array((output + "\n").utf8)
        let expected = OutputError(reason, wait: wait)
        #expect(throws: expected) { try ContentProtocol.json.content(from: ProgramOutput(bytes)).content }
        #expect(ContentProtocol.json.statedFailure(output: bytes, errorOutput: "", status: 1) == expected)
        #expect(ContentProtocol.text.statedFailure(output: bytes, errorOutput: "", status: 1) == nil)
        let word = try ContentProtocol.text.content(from: ProgramOutput(bytes)).content.text
        #expect(word == output)
    }

    @Test func allOfTheTableIsTried() { #expect(Self.printed.count == 12) }

    /// Standard error, the exit status, and what is told in place of the exit status.
    private static let complained: [(errorOutput: String, status: Int32, failure: OutputError?)] = [
        (
            "curl: 429\n{\"failed\": \"rate limited\", \"nextUpdate\": \"16min\"}\n\n \n", 75,
            OutputError("rate limited", wait: .minutes(16))
        ),
        ("{\"failed\": \"x\"}", 75, OutputError("x")),
        ("{\"failed\": \"x\", \"a\": 1}", 75, OutputError(alone("a"))),
        ("{\"failed\": \"x\"}", 1, nil),
        ("{\"failed\": \"x\"}\nbye", 75, nil),
        ("{\"other\": \"x\"}", 75, nil),
        ("[\"failed\"]", 75, nil),
        ("{\"failed\": \"x\"", 75, nil),
        ("", 75, nil),
    ]

    @Test(arguments: 0..<9) func theLastLineOfStandardErrorIsOneWithTheStatus75(place: Int) {
        let (errorOutput, status, failure) = Self.complained[place]
        for dialect in [ContentProtocol.text, .json] {
            #expect(dialect.statedFailure(output: [], errorOutput: errorOutput, status: status) == failure)
        }
    }

    @Test func standardOutputComesBeforeStandardError() {
        let failure = ContentProtocol.json.statedFailure(
            output: Array(#"{"failed": "a"}"#.utf8), errorOutput: #"{"failed": "b"}"#, status: 75)
        #expect(failure == OutputError("a"))
    }
}
