// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

/// Calls of today-author, in a directory of its own.
struct AuthorTool {
    let directory = TemporaryDirectory()

    /// What a call printed, line by line, and how it ended.
    struct Answer {
        let status: Int32
        let reports: [FileReport]
        let errors: String
    }

    var environment: [String: String] { ["XDG_RUNTIME_DIR": directory.path, "HOME": directory.path] }

    func author(_ arguments: String..., within seconds: Int = 30) throws -> Answer {
        let result = try run("today-author", arguments, environment: environment, within: seconds)
        let reports = try result.output.split(separator: "\n").map { line in
            try FileReport(JSONField(root: try JSON.parse(Array(line.utf8))))
        }
        return Answer(status: result.status, reports: reports, errors: result.errors)
    }

    func once(_ arguments: String..., within seconds: Int = 30) throws -> (status: Int32, report: FileReport) {
        let result = try run(
            "today-author", ["--user", "--once"] + arguments, environment: environment, within: seconds)
        let report = try FileReport(JSONField(root: try JSON.parse(Array(result.output.utf8))))
        return (result.status, report)
    }

    func todayctl(_ arguments: String..., environment more: [String: String] = [:]) throws -> BuiltProgram.Result {
        let allowance = arguments.contains("import") ? Self.allowance : []
        return try run("todayctl", ["--user"] + arguments + allowance, environment: environment.merging(more) { $1 })
    }

    /// What an import needs where bubblewrap is installed and may make no namespaces, as in a chroot.
    static let allowance: [String] = {
        let arguments = ["--unshare-all", "--ro-bind", "/", "/", "/bin/true"]
        guard access("/usr/bin/bwrap", X_OK) == 0, (try? IntegrationTests.run("/usr/bin/bwrap", arguments))?.status != 0
        else { return [] }
        return ["--allow", "all"]
    }()

    /// A manifest whose script is beside it. Returns the manifest's path.
    @discardableResult
    func widget(_ body: String, update: String = "", widget: String = "") throws -> String {
        for (name, text) in Widgets.script("a", body, update: update, widget: widget) {
            try directory.write(text, to: name, mode: text.hasPrefix("#!") ? 0o755 : 0o644)
        }
        return directory("org.test.a.widget")
    }
}

extension Integration {
    /// `today-author --check`: what is wrong with files, without a daemon.
    @Suite struct CheckTests {
        private let tool = AuthorTool()

        @Test func aGoodWidgetIsDescribed() throws {
            let path = try tool.widget("echo hi", update: "Interval=2min")
            let answer = try tool.author("--user", "--check", path)
            #expect(answer.status == 0 && answer.errors == "")
            let report = try #require(answer.reports.first)
            #expect(report.isValid && report.kind == .manifest && report.complaints.isEmpty)
            #expect(report.widget?.text == "org.test.a" && report.name == "Test")
            #expect(report.command == [tool.directory("a")] && report.contentProtocol == "text")
            #expect(report.interval == .minutes(2) && report.timeout == .seconds(30))
            // It needs neither a database nor a socket.
            #expect(try tool.directory.names(in: ".") == ["a", "org.test.a.widget"])
        }

        @Test func everyFileHasALineAndOneErrorCounts() throws {
            let good = try tool.widget("echo hi")
            let bad = try tool.directory.write("[Update]\nInterval=soon\n", to: "org.test.b.widget")
            let answer = try tool.author("--user", "--check", good, bad, "/dev/null", tool.directory.path)
            #expect(answer.status == 3)
            #expect(answer.reports.map(\.file) == [good, bad, "/dev/null", tool.directory.path])
            #expect(answer.reports.map(\.isValid) == [true, false, false, false])
            #expect(
                answer.reports[1].complaints.map(\.diagnostic).first?.hasPrefix("\(bad):2:10: error: Interval=: ")
                    == true)
        }

        @Test func relativePathsAreUnderstood() throws {
            try tool.widget("echo hi")
            let script =
                "cd '\(tool.directory.path)' && exec '\(BuiltPrograms.directory)/today-author' --user --check ./org.test.a.widget"
            let result = try run("/bin/sh", ["-c", script], environment: tool.environment)
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("\"file\":\"\(tool.directory("org.test.a.widget"))\""), "\(result.output)")
        }

        @Test func theSettingsOfTheInstanceCount() throws {
            try tool.directory.write("[Daemon]\nDefaultTimeout=3s\n", to: ".config/todayd/todayd.conf")
            let path = try tool.widget("echo hi")
            #expect(try tool.author("--user", "--check", path).reports.first?.timeout == .seconds(3))
            let other = try tool.directory.write("[Daemon]\nDefaultTimeout=4s\n", to: "other.conf")
            #expect(
                try tool.author("--user", "--config", other, "--check", path).reports.first?.timeout == .seconds(4))
        }

        @Test func itWorksWithoutHomeAndRuntimeDirectory() throws {
            let path = try tool.widget("echo hi")
            let script =
                "unset HOME; export XDG_RUNTIME_DIR=relative; exec '\(BuiltPrograms.directory)/today-author' --user --check \"$0\""
            #expect(try run("/bin/sh", ["-c", script, path]).status == 0)
        }

        /// A linked program needs nothing that lies beside its target, unless its text names it.
        @Test(arguments: [
            ("curl https://a.example", "network"), ("cat ~/notes/a", "/notes/a"), ("cat ~/w/key", nil),
            ("cat ~/real/key", "/real/key"), ("echo hi", nil),
        ])
        func whatASandboxWithholdsIsSaid(body: String, word: String?) throws {
            try tool.directory.script("#!/bin/sh\n\(body)\n", to: "real/a")
            let sandbox = "[Update]\nExecStart=./a\n[Sandbox]\nLevel=strict\n"
            let path = try tool.directory.write(sandbox, to: "w/org.test.a.widget")
            try tool.directory.link("w/a", to: "../real/a")
            let complaints = try tool.author("--user", "--check", path).reports.first?.complaints.map(\.diagnostic)
            #expect(complaints?.count == (word == nil ? 0 : 1))
            if let word {
                #expect(complaints?.first?.contains("\(word)") == true, "\(complaints ?? [])")
                #expect(complaints?.first?.contains("which Level=strict withholds") == true)
            }
        }

        @Test func aFullDiskIsAnError() throws {
            let path = try tool.widget("echo hi")
            let script = "exec '\(BuiltPrograms.directory)/today-author' --user --check \"$0\" >/dev/full"
            let result = try run("/bin/sh", ["-c", script, path], environment: tool.environment)
            #expect(result.status == 1)
            #expect(result.errors.contains("cannot write to standard output: No space left on device"))
        }
    }
}
