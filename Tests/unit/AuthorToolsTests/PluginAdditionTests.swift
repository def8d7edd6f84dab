// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing
import TodayDaemon
import TodayModel

@testable import AuthorTools

/// `todayctl import FILE`: an import of plugins that the user names.
@Suite struct PluginAdditionTests {
    private let machine: ImportMachine

    init() throws { machine = try ImportMachine(withFixtures: false) }

    private func add(_ name: String, isLinked: Bool = false) throws -> ImportReport {
        try machine.report(.plugins, machine.home(name), isLinked: isLinked)
    }

    @Test func aFileIsCopiedWithItsVariablesAndTheRunBit() throws {
        try machine.home.write("#!/bin/sh\necho x\n", to: "a b.5m.sh")
        try machine.home.write("{}", to: "a b.5m.sh.vars.json")
        let report = try add("a b.5m.sh")
        #expect(report.isComplete && report.remarks.isEmpty && report.complaints.isEmpty, "\(report)")
        #expect(machine.names("plugins") == ["a b.5m.sh", "a b.5m.sh.vars.json"])
        #expect(try machine.home.read(".config/todayd/plugins/a b.5m.sh") == "#!/bin/sh\necho x\n")
        var status = stat()
        #expect(stat(machine.home(".config/todayd/plugins/a b.5m.sh"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o755, "all who may read it may run it")
    }

    /// The user says that it is a plugin.
    @Test func aFileNeedsNoInterval() throws {
        try machine.home.write("#!/bin/sh\n", to: "weather.sh")
        #expect(try add("weather.sh").isComplete && machine.names("plugins") == ["weather.sh"])
    }

    @Test func aDirectoryGivesItsPlugins() throws {
        for name in ["cpu.5m.sh", ".hidden.5m.sh", "old.5m.sh.off", "README.md", "b.1m.py~"] {
            try machine.home.write("#!/bin/sh", to: "from/\(name)", mode: 0o644)
        }
        try machine.home.script("#!/bin/sh", to: "from/run.py")
        try machine.home.makeDirectory("from/lib.5m.d")
        let report = try add("from")
        #expect(report.isComplete && !report.remarks.contains { $0.kind == .error })
        #expect(machine.names("plugins") == ["cpu.5m.sh", "run.py"])
    }

    @Test func linksLeadToTheFile() throws {
        try machine.home.write("#!/bin/sh", to: "a.5m.sh", mode: 0o644)
        let report = try add("a.5m.sh", isLinked: true)
        #expect(Paths.linkTarget(of: machine.home(".config/todayd/plugins/a.5m.sh")) == machine.home("a.5m.sh"))
        #expect(report.complaints.map(\.reason) == ["is not executable (chmod +x)"])
    }

    @Test func whatIsThereStays() throws {
        try machine.home.write("mine", to: ".config/todayd/plugins/a.5m.sh")
        try machine.home.write("new", to: "a.5m.sh")
        #expect(try add("a.5m.sh").files.map(\.outcome) == [.kept])
        #expect(try machine.home.read(".config/todayd/plugins/a.5m.sh") == "mine")
    }

    @Test(arguments: [
        ("none", "does not exist"), ("fifo", "is not a regular file"), ("a.off", "is switched off by its name"),
        ("---", "no name of a widget can be made of its name"),
    ])
    func whatIsNoPluginIsSaid(name: String, words: String) throws {
        #expect(mkfifo(machine.home("fifo"), 0o600) == 0)
        for name in ["a.off", "---"] { try machine.home.write("x", to: name) }
        let report = try add(name)
        let texts = report.remarks.map(\.text) + report.files.compactMap(\.reason)
        #expect(texts.count == 1 && texts[0].contains(words) && !report.isComplete, "\(texts)")
        #expect(machine.names("plugins").isEmpty)
    }
}
