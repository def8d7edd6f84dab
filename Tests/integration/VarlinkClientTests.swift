// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// Another implementation of Varlink, from PyPI.
private enum PythonClient {
    static let release = "31.0.0"
    static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

    /// The Python of a virtual environment with the client, made once per checkout; nil with the reason printed
    /// where that is not possible.
    static let python: String? = {
        let environment = "\(root)/.build/python-varlink-\(release)"
        let python = "\(environment)/bin/python3"
        let probe = ["-c", "import varlink"]
        if access(python, X_OK) == 0, (try? run(python, probe))?.status == 0 { return python }
        guard let system = BuiltPrograms.installed("python3") ?? usrLocalPython else { return skip("no python3") }
        do {
            let made = try run(system, ["-m", "venv", "--clear", environment], within: 120)
            guard made.status == 0 else { return skip(made.output + made.errors) }
            let installed = try run(
                python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "varlink==\(release)"],
                environment: proxies, within: 120)
            guard installed.status == 0 else { return skip(installed.output + installed.errors) }
            return python
        } catch {
            return skip("\(error)")
        }
    }()

    static let usrLocalPython: String? = {
        let path = "/usr/local/bin/python3"
        return access(path, X_OK) == 0 ? path : nil
    }()

    /// Variables that pip needs to reach PyPI.
    static let proxies: [String: String] = {
        let names = [
            "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "PIP_INDEX_URL",
            "PIP_CERT", "PIP_CONFIG_FILE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "HOME",
        ]
        return names.reduce(into: [:]) { found, name in found[name] = getenv(name).map { String(cString: $0) } }
    }()

    static func skip(_ reason: String) -> String? {
        print("skipped: VarlinkClientTests has no Python environment: \(reason)")
        return nil
    }

    /// In continuous integration the test always runs, and fails without Python.
    static var mayRun: Bool { BuiltPrograms.isContinuousIntegration || python != nil }
}

extension Integration {
    /// An independent client understands the service.
    @Suite struct VarlinkClientTests {
        @Test(.enabled(if: PythonClient.mayRun, "needs python3-venv, and PyPI for the first time"))
        func anotherImplementationCallsEveryMethod() throws {
            let python = try #require(PythonClient.python, "no Python environment, see above")
            let json =
                #"{"text":"a","compact":{"type":"button","title":"Press","action":"press"},"expanded":{"type":"spacer"}}"#
            var widgets = Widgets.script(
                "a", "echo '\(json)'",
                update:
                    "Interval=1h\nProtocol=json\n[Settings]\nCITY=string default=Berlin\nCOUNT=number max=5\nTOKEN=secret",
                widget:
                    "ExtensionPoint=today lock-screen\nLargestDisplayMode=expanded\nAppGroups=group.org.test\nURLSchemes=example"
            )
            widgets["org.test.pushed.widget"] = "[Widget]\nDisplayName=Pushed\n[Update]\nProtocol=push\n"
            widgets["org.test.town@.widget"] = "[Update]\nExecStart=/bin/true\n[Settings]\nCITY=string\n"
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("a") { $0.state == .ready }
            let client = try run(python, ["\(PythonClient.root)/Tests/Fixtures/varlink_client.py", daemon.socket])
            #expect(client.status == 0, "\(client.errors)")
            #expect(client.output == "ok\n")
            #expect(try daemon.stop() == 0)
        }
    }
}
