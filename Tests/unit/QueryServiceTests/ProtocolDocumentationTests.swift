// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

/// Compares docs/protocol.md with the methods that the service has.
@Suite struct ProtocolDocumentationTests {
    private static let text: String = {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        guard let stream = fopen("\(root)/docs/protocol.md", "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }()

    @Test func everyErrorIsExplained() {
        for interface in [InterfaceDescription.service, Fixture.today] {
            for error in interface.errors {
                #expect(Self.text.contains("`\(error.name)`") || Self.text.contains(".\(error.name)`"), "\(error.name)")
            }
        }
    }

    @Test func limitsAreTheOnesThatHold() {
        let limits = QueryLimits()
        for words in [
            "| a call | \(limits.callBytes >> 20) MiB",
            "; from a client that may change nothing, \(limits.readerCallBytes >> 10) KiB |",
            "| one reply | \(limits.replyBytes >> 20) MiB; items may take \(limits.viewBytes >> 20) MiB",
            "of all connections together | \(limits.waitingInputBytes >> 20) MiB",
            "count once | \(limits.waitingOutputBytes >> 20) MiB",
            "| connections | \(limits.connections), \(limits.connectionsPerUser) per user; "
                + "the last \(limits.connectionsForRoot) are for root |",
            "answered after \(limits.updatePatience.microseconds / 1_000_000) s at the latest",
        ] {
            #expect(Self.text.contains(words), "\(words)")
        }
    }

    @Test func theExamplesAreCalls() throws {
        var calls = 0
        for line in Self.text.split(separator: "\n") where line.hasPrefix("    {\"method\"") {
            let call = try VarlinkCall(parsing: Array(line.drop { $0 == " " }.utf8))
            #expect(Fixture.today.check(call.parameters, against: .input(of: call.memberName)) == nil, "\(line)")
            calls += 1
        }
        #expect(calls > 1)
    }
}
