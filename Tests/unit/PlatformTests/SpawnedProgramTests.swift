// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct SpawnedProgramTests {
    private func output(_ program: SpawnedProgram) -> String {
        var bytes: [UInt8] = []
        while let more = program.read() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func itsOutputAndItsStatusAreRead() throws {
        let program = try SpawnedProgram(.init("/bin/sh", ["-c", "cat; echo $1; exit 3", "sh", "a b"], output: .pipe))
        #expect(output(program) == "a b\n")
        #expect(program.wait() == .exited(3))
    }

    @Test func aSignalEndsIt() throws {
        let program = try SpawnedProgram(.init("/bin/sh", ["-c", "echo up; exec sleep 60"], output: .pipe))
        #expect(program.read() == Array("up\n".utf8))
        program.signal(SIGTERM)
        #expect(program.wait() == .killed(SIGTERM))
    }

    @Test func itRunsInADirectoryWithOtherVariables() throws {
        let directory = TemporaryDirectory()
        var plan = SpawnedProgram.Plan("/bin/sh", ["-c", "pwd; echo $HOME-$ADDED; ps -o sid= -p $$"], output: .pipe)
        (plan.directory, plan.hasOwnSession) = (directory.path, true)
        plan.environment = ["HOME": "/of/it", "ADDED": "=a b"]
        let program = try SpawnedProgram(plan)
        let lines = output(program).split(separator: "\n").map(String.init)
        #expect(lines.first?.hasSuffix(directory.path) == true && lines.dropFirst().first == "/of/it-=a b")
        #expect(lines.last?.split(separator: " ").first == "\(program.pid)")
        #expect(program.wait() == .exited(0))
    }

    /// A variable of any program need not be text.
    @Test func variablesStayByteByByte() throws {
        // ÿ in Latin-1.
        let value: [CChar] = [0x61, -1, 0]
        setenv("TODAY_BYTES", value, 1)
        defer { unsetenv("TODAY_BYTES") }
        var plan = SpawnedProgram.Plan("/bin/sh", ["-c", "printf %s \"$TODAY_BYTES\""], output: .pipe)
        plan.environment = ["OTHER": "x"]
        #expect(try SpawnedProgram(plan).read() == [0x61, 0xff])
        plan.arguments = ["-c", "env | grep ^TODAY_BYTES="]
        plan.environment = ["TODAY_BYTES": "new"]
        #expect(try SpawnedProgram(plan).read().map { String(decoding: $0, as: UTF8.self) } == "TODAY_BYTES=new\n")
    }

    @Test func bytesAreItsInputAsFarAsAPipeHoldsThem() throws {
        var plan = SpawnedProgram.Plan("/usr/bin/wc", ["-c"], output: .pipe)
        for count in [0, 1, 65_536] {
            plan.input = .bytes([UInt8](repeating: 0x61, count: count))
            let program = try SpawnedProgram(plan)
            #expect(output(program) == "\(count)\n")
            #expect(program.wait() == .exited(0))
        }
        plan.input = .bytes([UInt8](repeating: 0x61, count: 65_537))
        #expect(throws: SpawnedProgram.Failure.self) { try SpawnedProgram(plan) }
    }

    @Test func aMissingDirectoryIsNamed() {
        var plan = SpawnedProgram.Plan("/bin/true", [])
        plan.directory = "/nowhere"
        do throws(SpawnedProgram.Failure) {
            _ = try SpawnedProgram(plan)
            Issue.record("started")
        } catch {
            #expect(error.description == "/nowhere: No such file or directory")
        }
    }

    @Test func itsEndIsSeenWithoutWaiting() throws {
        let program = try SpawnedProgram(.init("/bin/sh", ["-c", "exit 4"], output: .pipe))
        while program.read() != nil {}
        var ending = program.endingNow()
        while ending == nil { ending = program.endingNow() }
        #expect(ending == .exited(4))
    }

    @Test func aMissingProgramIsAnError() {
        do throws(SpawnedProgram.Failure) {
            _ = try SpawnedProgram(.init("/nowhere/at/all", [], output: .pipe))
            Issue.record("started")
        } catch {
            #expect(error.description == "/nowhere/at/all: No such file or directory")
        }
    }

    @Test func whatItHoldsIsGivenBack() throws {
        let free = dup(STDIN_FILENO)
        close(free)
        for (name, input) in [("/nowhere/at/all", 1), ("/bin/true", 1), ("/bin/true", 65_537)] {
            var plan = SpawnedProgram.Plan(name, [], output: .pipe)
            plan.input = .bytes([UInt8](repeating: 0x61, count: input))
            _ = try? SpawnedProgram(plan)
            let next = dup(STDIN_FILENO)
            #expect(next == free, "\(name) keeps a descriptor")
            close(next)
        }
        // A process that was not waited for is, and one that was is not again: its number may be that of another by then.
        var program: SpawnedProgram? = try SpawnedProgram(.init("/bin/true", []))
        let pid = try #require(program?.pid)
        program = nil
        #expect(waitpid(pid, nil, WNOHANG) == -1 && errno == ECHILD)
        // Closed twice, it closes no descriptor of another.
        let other = try SpawnedProgram(.init("/bin/true", [], output: .pipe))
        other.closeOutput()
        let next = dup(STDIN_FILENO)
        other.closeOutput()
        #expect(other.output == nil && fcntl(next, F_GETFD) >= 0)
        close(next)
    }

    @Test func aNameIsLookedForInPath() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "a/tool")
        let tool = try directory.script("#!/bin/sh", to: "b/tool")
        #expect(SpawnedProgram.find("tool", in: "\(directory("a")):\(directory("b"))") == tool)
        #expect(SpawnedProgram.find("tool", in: directory("a")) == nil)
        #expect(SpawnedProgram.find("true", in: "bin:.:../../../../../../../../../../bin") == nil)
        for name in ["b", ""] { #expect(SpawnedProgram.find(name, in: directory.path) == nil) }
    }
}
