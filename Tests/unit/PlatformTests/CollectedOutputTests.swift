// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Platform

/// What a program prints, in memory.
@Suite struct CollectedOutputTests {
    private func run(_ script: String, into output: CollectedOutput) throws -> SpawnedProgram.Ending {
        var plan = SpawnedProgram.Plan("/bin/sh", ["-c", script], output: .descriptor(output.descriptor))
        plan.joinsErrors = true
        return try SpawnedProgram(plan).wait()
    }

    @Test func bothStreamsAreCollectedInTheirOrder() throws {
        let output = try #require(CollectedOutput())
        #expect(output.bytes.isEmpty)
        #expect(try run("echo one; echo two >&2; echo three", into: output) == .exited(0))
        #expect(String(decoding: output.bytes, as: UTF8.self) == "one\ntwo\nthree\n")
    }

    /// A pipe that nothing reads would hold the program up, and a closed one end it.
    @Test func aProgramThatPrintsMoreGoesOn() throws {
        let output = try #require(CollectedOutput())
        let script =
            "i=0; while [ $i -lt 2000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890 2>/dev/null; "
            + "i=$((i+1)); done 2>/dev/null; exit 7"
        #expect(try run(script, into: output) == .exited(7))
        let bytes = output.bytes
        #expect(bytes.count <= CollectedOutput.capacity && bytes.count > CollectedOutput.capacity - 100)
        #expect(bytes.prefix(10).elementsEqual("0123456789".utf8))
    }

    @Test func errorsGoWhereTheyGoOtherwise() throws {
        let output = try #require(CollectedOutput())
        let plan = SpawnedProgram.Plan(
            "/bin/sh", ["-c", "echo one; true 2>&1"], output: .descriptor(output.descriptor))
        #expect(!plan.joinsErrors)
        #expect(try SpawnedProgram(plan).wait() == .exited(0))
        #expect(String(decoding: output.bytes, as: UTF8.self) == "one\n")
    }
}
