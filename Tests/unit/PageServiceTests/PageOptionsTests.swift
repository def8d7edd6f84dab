// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform
import TestSupport
import Testing

@testable import PageService
@testable import WebPage

@Suite struct PageOptionsTests {
    private func options(_ arguments: String...) throws -> PageOptions {
        let request = try PageOptions.parse(arguments, environment: EnvironmentVariables(["TODAYD_SOCKET": "/tmp/s"]))
        guard case .run(let options) = request else { throw UsageError(commands: [], reason: "prints") }
        return options
    }

    @Test func isReadOnlyOnTheLoopbackUnlessTold() throws {
        let standard = try options()
        #expect(standard.socket.path == "/tmp/s")
        #expect(standard.addresses == [ListenAddress.standard])
        #expect(standard.tokenFile == nil)
        #expect(!standard.allowsChanges)
        #expect(standard.names.isEmpty && standard.frames.isEmpty)
    }

    @Test(arguments: [("--version", "today-page "), ("--help", "today-page - "), ("--completion=bash", "complete")])
    func someOptionsOnlyPrint(option: String, text: String) throws {
        guard case .print(let printed) = try PageOptions.parse([option], environment: EnvironmentVariables([:])) else {
            Issue.record("it runs")
            return
        }
        #expect(printed.contains(text), "\(printed.prefix(200))")
    }

    @Test func takesEveryOption() throws {
        let all = try options(
            "--socket", "/tmp/t", "--listen", "[::1]:9", "--allow-changes", "--host", "today.lan", "--frame",
            "http://dash:80")
        #expect(all.socket.path == "/tmp/t")
        #expect(try all.addresses == [ListenAddress("[::1]:9")])
        #expect(all.allowsChanges)
        #expect(all.names == ["today.lan"])
        #expect(all.frames == ["http://dash:80"])
    }

    @Test func theSystemsPageIsForAllUsers() throws {
    }

    private static let wrong: [[String]] = [
        ["--listen", "0.0.0.0:80"], ["--listen", "192.168.1.2:80"], ["--listen", "127.0.0.1:70000"], ["--listen", "x"],
        ["--listen", "8733", "--listen", "[::]:80"], ["--listen", "192.168.1.2"], ["--listen", "[::1]x"],
        ["--listen", "[::1"], ["--listen", "example.org:80"], ["--listen", ""], ["--listen", ":80"],
        ["--token-file"], ["--completion", "csh"],
        ["--host", "a:80"], ["--host", ""], ["--frame", "dash"], ["--frame", "http://a;script-src *"],
        ["--frame", "http://a b"], ["--user", "--system"], ["more"],
    ]

    @Test(arguments: wrong.indices) func refuses(_ index: Int) {
        #expect(throws: UsageError.self) {
            try PageOptions.parse(Self.wrong[index], environment: EnvironmentVariables([:]))
        }
    }

    @Test func saysWhyItListensOnTheLoopbackOnly() {
        do {
            _ = try PageOptions.parse(["--listen", "0.0.0.0:8733"], environment: EnvironmentVariables([:]))
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains("no password") && error.description.contains("openssl rand -hex 32"))
        }
    }

    private static let places: [(text: String, host: String, port: UInt16)] = [
        ("80", "127.0.0.1", 80), ("localhost", "127.0.0.1", 8_733), ("localhost:9", "127.0.0.1", 9),
        ("127.0.0.2", "127.0.0.2", 8_733), ("192.168.1.5:0", "192.168.1.5", 0), ("::1", "[::1]", 8_733),
        ("[::]", "[::]", 8_733), ("[2001:db8::1]:80", "[2001:db8::1]", 80),
    ]

    @Test(arguments: places.indices) func listens(_ index: Int) throws {
        let row = Self.places[index]
        let place = try #require(try options("--token-file", "t", "--listen", row.text).addresses.first)
        #expect(place.address.host == row.host && place.port == row.port)
    }

    @Test func listensInManyPlaces() throws {
        let options = try options("--token-file", "/t", "--listen", "0.0.0.0", "--listen", "[::]:80")
        #expect(options.addresses.map(\.address.host) == ["0.0.0.0", "[::]"])
        #expect(options.tokenFile == "/t")
    }

    @Test func theManualHasEveryOptionAndNoOther() throws {
        // systemctl has --now.
        let named = try ManualPage("today-page.1").options.subtracting(["now"])
        #expect(named == Set(PageOptions.command.options.map(\.long)).union(["help"]))
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func printsACompletionForEachShell(shell: CompletionScript.Shell) throws {
        func answer(_ arguments: String...) throws -> String? {
            let request = try PageOptions.parse(arguments, environment: EnvironmentVariables([:]))
            return if case .print(let text) = request { text } else { nil }
        }
        #expect(try answer("--completion", shell.rawValue)?.contains("today-page ---complete ") == true)
        #expect(try answer("---complete", "--tok")?.hasPrefix("--token-file\t") == true)
    }
}

@Suite struct TokenFileTests {
    @Test func isRead() throws {
        let directory = TemporaryDirectory()
        let path = directory("token")
        func token(credentials: String? = nil) throws -> Secret? {
            let environment = EnvironmentVariables(["TODAYD_SOCKET": "/tmp/s"])
            guard case .run(let options) = try PageOptions.parse(["--token-file", path], environment: environment)
            else {
                return nil
            }
            return try options.accessToken(credentials: credentials)
        }
        func reason() -> String {
            do {
                _ = try token()
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(reason() == "--token-file \(path): No such file or directory")
        try directory.write("0123456789abcdef0123456789abcdef\n", to: "token")
        chmod(path, 0o600)
        #expect(try token()?.text == "0123456789abcdef0123456789abcdef")
        chmod(path, 0o640)
        #expect(reason().contains("chmod 600"))
        #expect(try token(credentials: directory.path)?.text.count == 32)
        for text in ["short\n", ""] {
            try directory.write(text, to: "token")
            chmod(path, 0o600)
            #expect(reason().contains("less than 128 bits"), "\(text)")
        }
        unlink(path)
        mkfifo(path, 0o600)
        #expect(reason().contains("is not a file"))
    }
}
