// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// An https server of Python's with a certificate that only it believes in, and which ends with the test, or after a
/// minute: the threads of tests block signals, and children inherit that. `/plain` leads to http, everything else is answered with the authorization that it saw.
final class SecureServer {
    struct Failure: Error {}

    static var isPossible: Bool {
        BuiltPrograms.isContinuousIntegration
            || BuiltPrograms.installed("python3") != nil && BuiltPrograms.installed("openssl") != nil
    }

    /// For 127.0.0.1 only.
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
