// SPDX-License-Identifier: MIT
import Accounts
import Files
import Glibc
import Import
import TestSupport
import Testing
import TodayDaemon
import TodayModel

@testable import AuthorTools

/// What may stand where an import reads and writes.
@Suite struct ImportBadInputTests {
    private static let weather = "import.waybar.weather.widget"

    /// What is there in place of a manifest stays, also where a link leads out of the directory.
    @Test(arguments: ["dangling", "directory", "pipe", "empty", "null", "link"])
    func whatIsThereStays(kind: String) throws {
        let machine = try ImportMachine()
        try machine.home.makeDirectory(".config/todayd/widgets")
        let name = ".config/todayd/widgets/\(Self.weather)"
        switch kind {
        case "dangling": try machine.home.link(name, to: machine.home("outside"))
        case "directory": try machine.home.makeDirectory(name)
        case "pipe": try machine.home.makePipe(name)
        case "empty": try machine.home.write("", to: name)
        case "null": try machine.home.link(name, to: "/dev/null")
        default: try machine.home.link(name, to: try machine.home.write("mine", to: "other"))
        }
        let report = try machine.report(.waybar)
        let file = try #require(report.file(Self.weather))
        #expect(file.outcome == .kept && file.reason?.hasPrefix("it ") == true, "\(file)")
        #expect(report.count(.new) == report.files.count - 1 && report.isComplete)
        #expect(!machine.home.exists("outside"))
        if kind == "link" { #expect(try machine.home.read("other") == "mine") }
    }

    /// Configurations are often kept elsewhere, and linked.
    @Test func aLinkToTheSameIsTheSame() throws {
        let machine = try ImportMachine()
        let text = try #require(try machine.report(.waybar, isDryRun: true).file(Self.weather)?.text)
        try machine.home.makeDirectory(".config/todayd/widgets")
        try machine.home.link(
            ".config/todayd/widgets/\(Self.weather)", to: try machine.home.write(text, to: "dotfiles/weather"))
        #expect(try machine.report(.waybar).file(Self.weather)?.outcome == .unchanged)
    }

    /// A configuration and what is said about it.
    static let configurations = [
        ("pipe", "it is not a regular file"), ("dangling", "which does not exist"), ("long", "is longer than 1 MiB"),
        ("wrong", "is not JSON"), ("empty", "is not JSON"),
    ]

    @Test(arguments: configurations)
    func aConfigurationThatCannotBeRead(kind: String, words: String) throws {
        let machine = try ImportMachine(withFixtures: false)
        try machine.home.makeDirectory(".config/waybar")
        let name = ".config/waybar/config"
        switch kind {
        case "pipe": try machine.home.makePipe(name)
        case "dangling": try machine.home.link(name, to: "nowhere")
        case "long": try machine.home.write(String(repeating: " ", count: (1 << 20) + 1), to: name)
        case "wrong": try machine.home.write("{\r\n\"custom/x\": {", to: name)
        default: try machine.home.write("", to: name)
        }
        let report = try machine.report(.waybar)
        #expect(report.files.isEmpty && report.remarks.count == 1)
        #expect(report.remarks.first?.kind == .error && report.remarks.first?.text.contains(words) == true)
        #expect(!machine.home.exists(".config/todayd"))
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func whatBelongsToAnotherUserIsNotRead() throws {
        let machine = try ImportMachine()
        #expect(chown(machine.home(".config/waybar/config.jsonc"), 12_345, 12_345) == 0)
        let report = try machine.report(.waybar)
        #expect(report.files.isEmpty && report.remarks.first?.text.contains("another user (uid 12345)") == true)
        #expect(chown(machine.home(".config/xbar/plugins/ip.5m.sh"), 12_345, 12_345) == 0)
        let plugins = try machine.report(.xbar)
        #expect(plugins.file("ip.5m.sh")?.outcome == .failed && plugins.count(.new) == plugins.files.count - 1)
        #expect(!machine.names("plugins").contains("ip.5m.sh"))
    }

    /// A link would publish what its owner may not read.
    @Test(.enabled(if: getuid() == 0, "only root can give files away"), arguments: [false, true])
    func noLinkOfAnotherUserIsFollowed(isLinked: Bool) throws {
        let machine = try ImportMachine()
        let secret = try machine.home.write("root:$y$", to: "shadow", mode: 0o600)
        let link = ".config/xbar/plugins/x.5m.sh"
        try machine.home.link(link, to: secret)
        #expect(lchown(machine.home(link), 12_345, 12_345) == 0)
        let report = try machine.report(.xbar, isLinked: isLinked)
        let file = try #require(report.file("x.5m.sh"))
        #expect(
            file.outcome == .failed && file.reason?.contains("it is a link, and it belongs to another user") == true)
        // The owner of a directory may have made each file in it by rename(2) or link(2).
        #expect(chown(machine.home(".config/argos"), 12_345, 12_345) == 0)
        for path in [nil, machine.home(".config/argos/todo.5m.sh")] {
            let foreign = try machine.report(.argos, path, isLinked: isLinked)
            #expect(foreign.files.isEmpty && !foreign.isComplete)
            #expect(foreign.remarks.count == 1 && foreign.remarks[0].kind == .error)
            #expect(foreign.remarks[0].text.contains("another user (uid 12345)"), "\(foreign.remarks)")
        }
        #expect(!machine.names("plugins").contains { $0 == "x.5m.sh" || $0 == "todo.5m.sh" })
    }

    /// todayd's own user reads the values and the scripts that other users may not.
    @Test(.enabled(if: getuid() == 0, "only root writes for the system"))
    func theSystemReadsWhatItGets() throws {
        let machine = try ImportMachine(withFixtures: false)
        let group = try #require(Users.gid(named: "daemon"))
        for (name, mode) in [("a.5m.sh", 0o700), ("a.5m.sh.vars.json", 0o600), ("b.5m.sh", 0o755)] {
            try machine.home.write("#!/bin/sh\n", to: "from/\(name)", mode: mode_t(mode))
        }
        let options = ImportOptions(host: .xbar, path: machine.home("from"), directory: machine.home("to"))
        let files = ImportFiles(readingAs: 0, environment: machine.environment)
        let plan = ImportPlan.plan(for: .xbar, path: machine.home("from"), files: files)
        var writer = ImportWriter(options, directory: machine.home("to"), dropIns: nil, instance: .system, group: group)
        #expect(writer.place(plan).allSatisfy { $0.outcome == .new })
        for (name, mode, owner) in [
            ("a.5m.sh", 0o750, group), ("a.5m.sh.vars.json", 0o640, group), ("b.5m.sh", 0o755, getgid()),
        ] {
            var status = stat()
            #expect(stat(machine.home("to/\(name)"), &status) == 0)
            #expect(status.st_mode & 0o777 == mode_t(mode) && status.st_gid == owner, "\(name)")
        }
    }

    @Test func aDirectoryThatCannotBeMadeIsSaidOnce() throws {
        let machine = try ImportMachine()
        try machine.home.write("", to: "file")
        let report = try machine.report(.waybar, directory: machine.home("file/widgets"))
        #expect(report.failure?.reason == "cannot make the directory \(machine.home("file/widgets")): Not a directory")
        #expect(report.count(.failed) == report.files.count && report.files.allSatisfy { $0.reason == nil })
    }

    /// Fixtures with bytes that are changed: what is still imported, todayd can read.
    @Test(arguments: ImportModeTests.configurations)
    func changedFixturesGiveValidManifests(host: ImportSource) throws {
        let machine = try ImportMachine()
        let path = try #require(host.find(ImportFiles(readingAs: geteuid(), environment: machine.environment)))
        guard case .bytes(let original) = FileContents(at: path, limit: 1 << 20) else { return }
        var random = SeededNumbers(seed: 20)
        let special: [UInt8] = Array("\"'\\[]{}=,:#;/\n\t %$.\r\0".utf8) + [0xff, 0xcc, 0x81]
        for round in 0..<40 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...10, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = special.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
            }
            try machine.home.write(bytes, to: "changed")
            let report = try machine.report(host, machine.home("changed"), directory: machine.home("w\(round)"))
            #expect(report.failure == nil && report.count(.failed) == 0)
            let complaints = report.complaints.filter { !$0.reason.contains("ExecStart=") }
            #expect(complaints.isEmpty, "\(complaints)")
            for complaint in report.complaints {
                // A changed shell is a program that is missing, and nothing else.
                #expect(
                    complaint.reason.contains("put the program there") || complaint.reason.contains("in PATH"),
                    "\(complaint.description)")
            }
        }
    }
}
