// SPDX-License-Identifier: MIT
import Arguments
import Platform
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
        #expect(standard.address == ListenAddress.standard)
        #expect(!standard.allowsChanges && !standard.servesAllUsers)
        #expect(standard.names.isEmpty && standard.frames.isEmpty)
    }

    @Test func takesEveryOption() throws {
        let all = try options(
            "--socket", "/tmp/t", "--listen", "[::1]:9", "--allow-changes", "--host", "today.lan", "--frame",
            "http://dash:80")
        #expect(all.socket.path == "/tmp/t")
        #expect(all.address == ListenAddress(family: .v6, port: 9))
        #expect(all.allowsChanges)
        #expect(all.names == ["today.lan"])
        #expect(all.frames == ["http://dash:80"])
    }

    @Test func theSystemsPageIsForAllUsers() throws {
        #expect(try options("--system").servesAllUsers)
        #expect(try options("--all-users").servesAllUsers)
        #expect(try !options("--user").servesAllUsers)
    }

    private static let wrong: [[String]] = [
        ["--listen", "0.0.0.0:80"], ["--listen", "192.168.1.2:80"], ["--listen", "127.0.0.1:70000"], ["--listen", "x"],
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
            #expect(error.description.contains("no password"))
        }
    }

    @Test func aTokenIsLongAndNew() {
        let (one, other) = (PageToken.random(), PageToken.random())
        #expect(one.count == 32)
        #expect(one != other)
    }
}
