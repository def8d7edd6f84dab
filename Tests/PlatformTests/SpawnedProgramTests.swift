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
        let program = try SpawnedProgram("/bin/sh", ["-c", "cat; echo $1; exit 3", "sh", "a b"], readsOutput: true)
        #expect(output(program) == "a b\n")
        #expect(program.wait() == .exited(3))
    }

    @Test func aSignalEndsIt() throws {
        let program = try SpawnedProgram("/bin/sh", ["-c", "echo up; exec sleep 60"], readsOutput: true)
        #expect(program.read() == Array("up\n".utf8))
        program.signal(SIGTERM)
        #expect(program.wait() == .killed(SIGTERM))
    }

    @Test func aMissingProgramIsAnError() {
        do throws(SpawnedProgram.Failure) {
            _ = try SpawnedProgram("/nowhere/at/all", [], readsOutput: true)
            Issue.record("started")
        } catch {
            #expect(error.description == "/nowhere/at/all: No such file or directory")
        }
    }

    @Test func aNameIsLookedForInPath() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "a/tool")
        let tool = try directory.script("#!/bin/sh", to: "b/tool")
        #expect(SpawnedProgram.find("tool", in: "\(directory("a")):\(directory("b"))") == tool)
        #expect(SpawnedProgram.find("tool", in: directory("a")) == nil)
    }
}
