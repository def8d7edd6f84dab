// SPDX-License-Identifier: MIT
import Curl
import Glibc
import TestSupport
import Testing

@testable import TodayHTTP

/// What each error of libcurl means to a widget.
@Suite(.serialized) struct CurlFailureTests {
    private struct Row {
        /// libcurl-errors(3)
        var code: UInt32
        var message = ""
        var systemError: Int32 = 0
        var hasTimedOut = false
        var error: String
    }

    private static let rows = [
        Row(code: 6, error: "could not resolve host 'example.org'"),
        Row(
            code: 5, message: "Could not resolve proxy: p",
            error: "could not connect to a proxy: Could not resolve proxy: p"),
        Row(
            code: 7, message: "Failed to connect", systemError: ECONNREFUSED,
            error: "could not connect to example.org:443: Connection refused"),
        Row(
            code: 7, message: "Failed to connect",
            error: "could not connect to example.org:443: Failed to connect"),
        Row(code: 28, hasTimedOut: true, error: "no answer within 10 s"),
        Row(
            code: 28, systemError: ETIMEDOUT,
            error: "could not connect to example.org:443: Connection timed out"),
        Row(
            code: 60, message: "SSL certificate problem: certificate has expired",
            error:
                "no secure connection to 'example.org': its certificate is not to be trusted (certificate has expired)"
        ),
        Row(
            code: 77,
            error: "no secure connection to 'example.org': the file of trusted certificates cannot be read"),
        Row(
            code: 35, message: "wrong version number",
            error: "no secure connection to 'example.org': wrong version number"),
        Row(code: 1, error: "the answer is not HTTP"),
        Row(code: 27, error: "the headers of the answer have more than 64 KiB"),
        Row(code: 100, error: "the headers of the answer have more than 64 KiB"),
        Row(
            code: 18,
            error: "the connection ended before the answer was complete, after 0 bytes"),
        Row(code: 52, error: "the server closed the connection without an answer"),
        Row(
            code: 61,
            error: "the answer is not compressed as its Content-Encoding says"),
        Row(code: 55, message: "Broken pipe", error: "the connection was lost: Broken pipe"),
        Row(code: 2, message: "out of luck", error: "out of luck"),
    ]

    private func error(_ row: Row, _ lines: [String] = []) throws -> String {
        LocalServer.withoutProxy
        var answer = AnswerReader(sizeLimit: 10)
        for line in lines { _ = answer.count(line: Array(line.utf8)) }
        return CurlFailure(
            code: CurlCode(row.code), message: row.message, systemError: Int(row.systemError),
            address: try WebAddress("https://example.org/x"), timeout: .seconds(10), hasTimedOut: row.hasTimedOut,
            answer: answer
        ).error.description
    }

    @Test func everyCodeHasItsError() throws {
        for row in Self.rows {
            let error = try error(row)
            #expect(error == row.error)
        }
    }

    @Test func withoutAMessageTheTextIsThatOfTheCode() throws {
        let error = try error(Row(code: 55, error: ""))
        #expect(error == "the connection was lost: \(CurlCode(55).text)")
    }

    /// Out of memory means endless headers only until the headers are complete.
    @Test func withHeadersOutOfMemoryMeansWhatItSays() throws {
        let row = Row(code: 27, message: "no memory", error: "no memory")
        let error = try error(row, ["HTTP/1.1 200 OK\r\n", "\r\n"])
        #expect(error == row.error)
    }
}
