// SPDX-License-Identifier: MIT
import Arguments
import FleetProtocol
import JSON
import Platform
import TestSupport
import Testing
import TodayModel

@testable import FleetService

@Suite struct FleetOptionsTests {
    private func options(_ arguments: String...) throws -> FleetOptions {
        let request = try FleetOptions.parse(arguments, environment: EnvironmentVariables(["TODAYD_SOCKET": "/tmp/s"]))
        guard case .run(let options) = request else { throw UsageError(commands: [], reason: "prints") }
        return options
    }

    @Test func theManualHasEveryOptionAndNoOther() throws {
        // systemctl has --now, todayctl push --fleet.
        let named = try ManualPage("today-fleet.1").options.subtracting(["now", "fleet"])
        #expect(named == Set(FleetOptions.command.options.map(\.long)).union(["help"]))
    }

    @Test func withoutOptionsEtcdIsHere() throws {
        let standard = try options()
        #expect(standard.socket.path == "/tmp/s" && standard.prefix == "/todayd" && standard.site == nil)
        #expect(standard.etcd == EtcdClient.Options(endpoints: ["http://127.0.0.1:2379"]))
        #expect(standard.name == Machine.hostName && standard.priority == 0 && standard.task == nil)
    }

    @Test func takesEveryOption() throws {
        let directory = TemporaryDirectory()
        try directory.write("secret\nmore\n", to: "password", mode: 0o600)
        let all = try options(
            "--socket", "/tmp/t", "--endpoint", "https://a:1/", "--endpoint", "http://localhost:2", "--prefix", "/a/b/",
            "--site", "berlin", "--priority=-5", "--name", "me", "--etcd-user", "u", "--password-file",
            directory("password"), "--ca", "/ca", "--cert", "/cert", "--key", "/key", "--status")
        #expect(all.socket.path == "/tmp/t" && all.prefix == "/a/b" && all.site == "berlin" && all.priority == -5)
        #expect(all.name == "me" && all.task == .status)
        #expect(
            all.etcd
                == EtcdClient.Options(
                    endpoints: ["https://a:1", "http://localhost:2"], user: "u", password: "secret", authority: "/ca",
                    certificate: "/cert", key: "/key"))
        #expect(try options("--endpoint", "http://a:1", "--insecure").etcd.endpoints == ["http://a:1"])
    }

    @Test(arguments: [
        (["--endpoint", "ftp://a"], "https:// or http://"), (["--endpoint", "http://a:1"], "nothing is encrypted"),
        (["--endpoint", "::"], "is not a URL"), (["--endpoint", "https://u:p@a"], "--etcd-user has the name"),
        (["--prefix", "a"], "is not a key"), (["--prefix", "/"], "is not a key"),
        (["--prefix", "/a b"], "is not a key"),
        (["--site", "a/b"], "is not a name"), (["--priority", "101"], "-100 to 100"),
        (["--priority", "x"], "-100 to 100"),
        (["--etcd-user", "u"], "go together"), (["--key", "k"], "--cert"),
        (["--password-file", "/nowhere"], "No such file"), (["--password-file", "/etc"], "is not a file"),
        (["--password-file", "/etc/passwd"], "others may read it"), (["--user", "--system"], "--system"),
        (["--status", "--push", "a"], "--push"),
    ]) func wrongOptionsAreRefused(arguments: [String], reason: String) {
        do throws(UsageError) {
            _ = try FleetOptions.parse(arguments, environment: EnvironmentVariables([:]))
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test func statusTakesTheOptionsOfTheService() throws {
        let directory = TemporaryDirectory()
        try directory.write("# mine\nOPTIONS=--endpoint https://a:1 --prefix /p\n", to: "todayd/fleet.conf")
        func options(_ arguments: String...) throws -> FleetOptions {
            let environment = EnvironmentVariables(["XDG_CONFIG_HOME": directory("")])
            guard case .run(let options) = try FleetOptions.parse(arguments, environment: environment) else {
                throw UsageError(commands: [], reason: "prints")
            }
            return options
        }
        let found = try options("--status")
        #expect(!found.isOfThisMachine)
        #expect(found.etcd.endpoints == ["https://a:1"] && found.prefix == "/p" && found.task == .status)
        #expect(try options("--status", "--endpoint", "https://b:2").etcd.endpoints == ["https://b:2"])
        #expect(try options("--push", "ci").etcd.endpoints == ["https://a:1"])
        #expect(try options("--push", "ci").task == .push("ci"))
        #expect(try options("--status", "--prefix", "/q").prefix == "/q")
        #expect(try options().etcd.endpoints == ["http://127.0.0.1:2379"])
        try directory.write("other\n", to: "todayd/fleet.conf")
        #expect(try options("--status").etcd.endpoints == ["http://127.0.0.1:2379"])
        #expect(try options("--status").isOfThisMachine)
    }

    @Test func anEmptyPasswordIsNone() throws {
        let directory = TemporaryDirectory()
        try directory.write("\nx", to: "password", mode: 0o600)
        #expect(throws: UsageError.self) {
            try options("--etcd-user", "u", "--password-file", directory("password"))
        }
    }

    @Test(arguments: [("--version", "today-fleet "), ("--help", "today-fleet - "), ("--completion=bash", "complete")])
    func someOptionsOnlyPrint(option: String, text: String) throws {
        guard case .print(let printed) = try FleetOptions.parse([option], environment: EnvironmentVariables([:])) else {
            Issue.record("it runs")
            return
        }
        #expect(printed.contains(text), "\(printed.prefix(200))")
    }

    @Test func aStreamIsCutIntoLines() {
        var lines = LineBuffer()
        #expect(lines.append(Array("a".utf8)).isEmpty)
        #expect(lines.append(Array("b\nc\n\nd".utf8)) == [Array("ab".utf8), Array("c".utf8)])
        #expect(lines.append(Array("\n".utf8)) == [Array("d".utf8)])
    }

    @Test func todaydIsToldWhatTheFleetHasAccepted() {
        let member = FleetMember(id: "m", name: "there")
        let good = FleetRecord(
            member, claim: 1, FleetResult(.newData, content: "x"), after: nil, interval: .seconds(5),
            at: WallTime(microseconds: 0))
        #expect(
            TodaydLink.News(good, age: .seconds(2), revision: 3).parameters == [
                "member": "there", "revision": 3, "age": 2_000_000, "content": "x", "wait": 5_000_000,
            ])
        let failed = FleetRecord(
            member, claim: 1, FleetResult(.failed, failure: "no", wait: .seconds(1)), after: good, interval: nil,
            at: WallTime(microseconds: 0))
        #expect(
            TodaydLink.News(failed, age: .zero - .seconds(2), revision: 3).parameters == [
                "member": "there", "revision": 3, "age": 0, "content": "x", "failure": "there: no", "wait": 1_000_000,
            ])
        #expect(
            TodaydLink.News(failure: "gone", member: "me").parameters == [
                "member": "me", "revision": 0, "failure": "gone",
            ])
    }
}
