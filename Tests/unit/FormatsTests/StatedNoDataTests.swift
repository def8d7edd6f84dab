// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct StatedNoDataTests {
    private static let printed: [(output: String, answer: Result<WidgetAnswer?, OutputError>)] = [
        (#"{"noData": true}"#, .success(.noData())),
        (#" {"noData":true,"nextUpdate":"90s"}"#, .success(.noData(wait: .seconds(90)))),
        (#"{"noData": true, "nextUpdate": 60000000}"#, .success(.noData(wait: .seconds(60)))),
        (#"{"noData": true, "nextUpdate": null}"#, .success(.noData())),
        (#"{"noData": true, "nextUpdate": "8d"}"#, .failure(OutputError("nextUpdate: is not between 1s and 1w"))),
        (#"{"noData": false}"#, .failure(OutputError("noData: is true, or left out"))),
        (#"{"noData": 1}"#, .failure(OutputError("noData: expected true or false, found a number"))),
        (
            #"{"noData": true, "text": "x"}"#,
            .failure(OutputError("text: does not go with noData, only nextUpdate does"))
        ),
        (#"{"text": "x"}"#, .success(nil)), (#"["noData"]"#, .success(nil)), (#"{"noData": true"#, .success(nil)),
        ("", .success(nil)), (#"{"noData": true}"# + String(repeating: " ", count: 240), .success(.noData())),
        (#"{"noData": true}"# + String(repeating: " ", count: 241), .success(nil)),
    ]

    @Test(arguments: 0..<14) func aShortObjectSaysThatNothingIsNew(place: Int) {
        let (output, expected) = Self.printed[place]
        let answer = Result { () throws(OutputError) in
            try ContentProtocol.json.statedNoData(in: ProgramOutput(Array(output.utf8)))
        }
        #expect(answer == expected, "\(output)")
    }

    @Test func allOfTheTableIsTried() { #expect(Self.printed.count == 14) }

    @Test func otherProtocolsHaveNone() throws {
        let output = ProgramOutput(Array(#"{"noData": true}"#.utf8))
        for other in ContentProtocol.allCases where other != .json {
            #expect(try other.statedNoData(in: output) == nil)
        }
        #expect(throws: OutputError.isJSON) { try ContentProtocol.text.content(from: output).content }
    }
}
