// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// Connections with TLS: the certificate must be trusted, and a redirect may not lead to http.
@Suite(.serialized, .enabled(if: SecureServer.isPossible, "needs python3 and openssl"))
struct SecureTests {
    private func request(_ server: SecureServer, _ path: String = "/", host: String = "127.0.0.1") -> HTTPRequest {
        var request = HTTPRequest("https://\(host):\(server.port)\(path)")
        request.trustedCertificates = server.certificate
        return request
    }

    @Test func onlyATrustedCertificateIsAccepted() async throws {
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

/// An https server in Python with a certificate of its own. `/plain` redirects to http; the answer to any other path is the
/// Authorization header of the request. It ends with the test, or after a minute, for which it unblocks signals: the threads
/// of tests block them, and children inherit that.
final class SecureServer {
    struct Failure: Error {}

    static var isPossible: Bool {
        BuiltPrograms.isContinuousIntegration
            || BuiltPrograms.installed("python3") != nil && BuiltPrograms.installed("openssl") != nil
    }

    /// The file of the certificate, which is for 127.0.0.1 only.
    let certificate: String
    let port: Int
    private let pid: pid_t
    private let output: UnsafeMutablePointer<FILE>
    private let directory = TemporaryDirectory()

    private static let program = """
        import http.server, os, signal, ssl, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        signal.alarm(60)
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = (self.headers["Authorization"] or "nobody").encode()
                self.send_response(302 if self.path == "/plain" else 200)
                if self.path == "/plain": self.send_header("Location", "http://127.0.0.1:1/")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(os.getpid(), server.server_port, flush=True)
        server.serve_forever()
        """

    init() throws {
        LocalServer.withoutProxy
        certificate = directory("certificate.pem")
        let key = directory("key.pem")
        let make = """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=today -addext subjectAltName=IP:127.0.0.1 \
            -keyout '\(key)' -out '\(certificate)' 2>/dev/null
            """
        guard system(make) == 0 else { throw Failure() }
        let script = try directory.write(Self.program, to: "server.py")
        guard let output = popen("exec python3 '\(script)' '\(certificate)' '\(key)' 2>/dev/null", "r") else {
            throw Failure()
        }
        var line: [UInt8] = []
        while case let byte = getc(output), byte != EOF, byte != 0x0a { line.append(UInt8(truncatingIfNeeded: byte)) }
        let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else {
            pclose(output)
            throw Failure()
        }
        self.output = output
        pid = pid_t(numbers[0])
        port = numbers[1]
    }

    deinit {
        kill(pid, SIGKILL)
        pclose(output)
    }
}
