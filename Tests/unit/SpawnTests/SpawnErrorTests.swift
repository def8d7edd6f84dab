// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct SpawnErrorTests {
    init() { TestLoop.start() }

    let directory = TemporaryDirectory()

    @LoopActor private func error(of plan: LaunchPlan) -> SpawnError? {
        do throws(SpawnError) {
            _ = try ChildProcess.launch(plan) { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test @LoopActor func aProgramThatIsNotThere() {
        let error = error(of: LaunchPlan(executable: "/nowhere/x"))
        #expect(error?.description == "cannot execute /nowhere/x: No such file or directory")
        #expect(error?.step == .execute && error?.code == ENOENT)
    }

    @Test @LoopActor func aFileThatIsNotExecutable() throws {
        let path = try directory.write("#!/bin/sh\n", to: "x")
        #expect(
            error(of: LaunchPlan(executable: path))?.description
                == "cannot execute \(path): it is not executable (chmod +x makes it so)")
        #expect(
            error(of: LaunchPlan(executable: directory.path))?.description
                == "cannot execute \(directory.path): it is a directory")
    }

    @Test(arguments: [
        ("#!/nowhere/python\n", "its interpreter /nowhere/python does not exist"),
        ("#! /nowhere/python -u\n", "its interpreter /nowhere/python does not exist"),
        ("#!/bin/sh\r\n", "its interpreter /bin/sh\\r (the file has DOS line ends) does not exist"),
        ("#!/etc/passwd\n", "its interpreter /etc/passwd is not executable"),
        ("echo hello\n", "it is neither a program nor a script that begins with #! and an interpreter"),
    ])
    @LoopActor func aScriptThatCannotBeInterpreted(text: String, reason: String) throws {
        let path = try directory.script(text, to: "x")
        #expect(error(of: LaunchPlan(executable: path))?.description == "cannot execute \(path): \(reason)")
    }

    @Test @LoopActor func aDirectoryThatIsNotThere() {
        var plan = LaunchPlan(executable: "/bin/true")
        plan.directory = "/nowhere"
        #expect(
            error(of: plan)?.description == "cannot enter the directory /nowhere: No such file or directory")
    }

    @Test @LoopActor func aNULByteWouldCutAnArgument() {
        let plan = LaunchPlan(executable: "/bin/true", arguments: ["true", "a\0b"])
        #expect(
            error(of: plan)?.description
                == "cannot start /bin/true: an argument or environment variable contains a NUL byte")
    }

    @Test @LoopActor func tooManyDescriptors() {
        var plan = LaunchPlan(executable: "/bin/true")
        plan.passed = Array(repeating: .init("x", 0), count: 20)
        #expect(error(of: plan)?.step == .descriptors)
    }

    @Test @LoopActor func aFailureLeavesNoChild() throws {
        let before = Set(ChildProcess.running)
        #expect(error(of: LaunchPlan(executable: "/nowhere/x")) != nil)
        #expect(ChildProcess.running == before)
    }
}
