// SPDX-License-Identifier: MIT
import CCurl
import Glibc
import TestSupport
import Testing

@testable import TodayHTTP

/// What each error of libcurl means to a widget.
@Suite(.serialized) struct CurlFailureTests {
    private struct Row {
        var code: CURLcode
        var message = ""
        var systemError: Int32 = 0
        var hasTimedOut = false
        var error: String
    }

    private static let rows = [
        Row(code: CURLE_COULDNT_RESOLVE_HOST, error: "could not resolve host 'example.org'"),
        Row(
            code: CURLE_COULDNT_RESOLVE_PROXY, message: "Could not resolve proxy: p",
            error: "could not connect to a proxy: Could not resolve proxy: p"),
        Row(
            code: CURLE_COULDNT_CONNECT, message: "Failed to connect", systemError: ECONNREFUSED,
            error: "could not connect to example.org:443: Connection refused"),
        Row(
            code: CURLE_COULDNT_CONNECT, message: "Failed to connect",
            error: "could not connect to example.org:443: Failed to connect"),
        Row(code: CURLE_OPERATION_TIMEDOUT, hasTimedOut: true, error: "no answer within 10 s"),
        Row(
            code: CURLE_OPERATION_TIMEDOUT, systemError: ETIMEDOUT,
            error: "could not connect to example.org:443: Connection timed out"),
        Row(
            code: CURLE_PEER_FAILED_VERIFICATION, message: "SSL certificate problem: certificate has expired",
            error:
                "no secure connection to 'example.org': its certificate is not to be trusted (certificate has expired)"
        ),
        Row(
            code: CURLE_SSL_CACERT_BADFILE,
            error: "no secure connection to 'example.org': the file of trusted certificates cannot be read"),
        Row(
            code: CURLE_SSL_CONNECT_ERROR, message: "wrong version number",
            error: "no secure connection to 'example.org': wrong version number"),
        Row(code: CURLE_UNSUPPORTED_PROTOCOL, error: "the answer is not HTTP"),
        Row(code: CURLE_OUT_OF_MEMORY, error: "the headers of the answer have more than 64 KiB"),
        Row(code: CURLcode(100), error: "the headers of the answer have more than 64 KiB"),
        Row(
            code: CURLE_PARTIAL_FILE,
            error: "the connection ended before the answer was complete, after 0 bytes"),
        Row(code: CURLE_GOT_NOTHING, error: "the server closed the connection without an answer"),
        Row(
            code: CURLE_BAD_CONTENT_ENCODING,
            error: "the answer is not compressed as its Content-Encoding says"),
        Row(code: CURLE_SEND_ERROR, message: "Broken pipe", error: "the connection was lost: Broken pipe"),
        Row(code: CURLE_FAILED_INIT, message: "out of luck", error: "out of luck"),
    ]

    private func error(_ row: Row, _ lines: [String] = []) throws -> String {
        LocalServer.withoutProxy
        var answer = AnswerReader(sizeLimit: 10)
        for line in lines { _ = answer.count(line: Array(line.utf8)) }
        return CurlFailure(
            code: row.code, message: row.message, systemError: Int(row.systemError),
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
        let error = try error(Row(code: CURLE_SEND_ERROR, error: ""))
        #expect(error == "the connection was lost: \(String(cString: curl_easy_strerror(CURLE_SEND_ERROR)))")
    }

    /// Out of memory means endless headers only until the headers are complete.
    @Test func withHeadersOutOfMemoryMeansWhatItSays() throws {
        let row = Row(code: CURLE_OUT_OF_MEMORY, message: "no memory", error: "no memory")
        let error = try error(row, ["HTTP/1.1 200 OK\r\n", "\r\n"])
        #expect(error == row.error)
    }
}
