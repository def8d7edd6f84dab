// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayHTTP

/// Certificates are checked, and what is secure stays so.
@Suite(.serialized, .enabled(if: SecureServer.isPossible, "needs python3 and openssl"))
struct SecureTests {
    private func request(_ server: SecureServer, _ path: String = "/", host: String = "127.0.0.1") -> HTTPRequest {
        var request = HTTPRequest("https://\(host):\(server.port)\(path)")
        request.trustedCertificates = server.certificate
        return request
    }

    @Test func aTrustedCertificateIsTakenAndNoOther() async throws {
        let server = try SecureServer()
        var request = request(server)
        request.headers["Authorization"] = "Bearer x"
        #expect(try await request.send().text == "Bearer x")

        request.trustedCertificates = nil
        let unknown = try #require(await failure(of: request))
        // OpenSSL 1.1 writes "self signed".
        let words =
            "no secure connection to '127.0.0.1': its certificate is not to be trusted (self-signed certificate)"
        #expect(unknown.replacing("self signed", with: "self-signed") == words)

        let misnamed = try #require(await failure(of: self.request(server, host: "localhost")))
        #expect(
            misnamed.hasPrefix("no secure connection to 'localhost': its certificate is not to be trusted ("),
            "\(misnamed)")
        #expect(misnamed.contains("match"), "\(misnamed)")

        request.trustedCertificates = "/no/such/file.pem"
        #expect(
            await failure(of: request)
                == "no secure connection to '127.0.0.1': the file of trusted certificates cannot be read")
    }

    @Test func aRedirectToPlainHTTPIsRefused() async throws {
        let server = try SecureServer()
        var request = request(server, "/plain")
        #expect(
            await failure(of: request)
                == "the server redirects to http://127.0.0.1:1/, but http:// is not allowed unless asked for (allowsPlainHTTP)"
        )
        request.allowsPlainHTTP = true
        #expect(await failure(of: request) == "could not connect to 127.0.0.1:1: Connection refused")
    }

    @Test func aServerThatSpeaksNoTLSIsNotSecure() async {
        let server = LocalServer { _, _ in }
        var request = HTTPRequest("https://127.0.0.1:\(server.port)/")
        request.timeout = .seconds(5)
        let words = await failure(of: request)
        #expect(words?.hasPrefix("no secure connection to '127.0.0.1': ") == true, "\(words ?? "no failure")")
    }
}
