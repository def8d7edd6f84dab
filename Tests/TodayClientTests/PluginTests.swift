// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import TodayClient

@Suite struct PluginTests {
    private let program = Program()

    private func add(_ arguments: String...) throws -> (code: ExitCode?, output: String, errors: String) {
        let result = try program.run(["plugin", "add", "--directory", program.directory("plugins")] + arguments)
        return (result.code, result.output, result.errors)
    }

    @Test func aFileIsCopiedWithItsVariablesAndTheRunBit() throws {
        try program.directory.write("#!/bin/sh\necho x\n", to: "a b.5m.sh")
        try program.directory.write("{}", to: "a b.5m.sh.vars.json")
        let result = try add(program.directory("a b.5m.sh"))
        #expect(result.code == .ok && result.errors == "")
        #expect(result.output.contains("added \(program.directory("plugins/a b.5m.sh"))\n"))
        #expect(try program.directory.names(in: "plugins") == ["a b.5m.sh", "a b.5m.sh.vars.json"])
        #expect(try program.directory.read("plugins/a b.5m.sh") == "#!/bin/sh\necho x\n")
        #expect(access(program.directory("plugins/a b.5m.sh"), X_OK) == 0)
    }

    @Test func aDirectoryGivesItsPlugins() throws {
        for name in ["cpu.5m.sh", ".hidden.5m.sh", "old.5m.sh.off", "README.md", "b.1m.py~"] {
            try program.directory.write("x", to: "from/\(name)")
        }
        try program.directory.script("#!/bin/sh", to: "from/run.py")
        try program.directory.makeDirectory("from/lib.5m.d")
        let result = try add(program.directory("from"))
        #expect(result.code == .ok)
        #expect(try program.directory.names(in: "plugins") == ["cpu.5m.sh", "run.py"])
    }

    @Test func linksLeadToTheFile() throws {
        try program.directory.write("#!/bin/sh", to: "a.5m.sh")
        #expect(try add("--link", program.directory("a.5m.sh")).code == .ok)
        #expect(try program.directory.read("plugins/a.5m.sh") == "#!/bin/sh")
        var status = stat()
        #expect(lstat(program.directory("plugins/a.5m.sh"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func whatIsThereStays() throws {
        try program.directory.write("mine", to: "plugins/a.5m.sh")
        try program.directory.write("new", to: "a.5m.sh")
        try program.directory.write("new", to: "b.5m.sh")
        let result = try add(program.directory("a.5m.sh"), program.directory("b.5m.sh"))
        #expect(result.code == .failed && result.errors.contains("is there and stays as it is"))
        #expect(try program.directory.read("plugins/a.5m.sh") == "mine")
        #expect(try program.directory.read("plugins/b.5m.sh") == "new")
    }

    @Test(arguments: [("none", "there is no"), ("empty", "has no plugins"), ("fifo", "is no file")])
    func whatIsNoPluginIsSaid(name: String, words: String) throws {
        try program.directory.makeDirectory("empty")
        #expect(mkfifo(program.directory("fifo"), 0o600) == 0)
        let result = try add(program.directory(name))
        #expect(result.code != .ok && result.errors.contains(words), "\(result.errors)")
    }
}
