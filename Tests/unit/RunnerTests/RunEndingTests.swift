// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Testing
import TodayModel

@testable import Runner

@Suite struct RunEndingTests {
    private func failure(
        _ ending: RunEnding, memory: ByteSize? = nil, sandbox: Sandbox.Level = .none, errorOutput: String = "",
        output: String = ""
    ) throws -> String? {
        let id = try #require(WidgetID("org.example.test"))
        var manifest = Manifest(
            id: id, displayName: "Test",
            update: UpdatePlan(command: ["/x"], contentProtocol: .text, timeout: .seconds(90)))
        manifest.limits.memory = memory
        manifest.sandbox.level = sandbox
        return ending.failure(of: manifest, errorOutput: errorOutput, output: Array(output.utf8))
    }

    @Test(
        arguments: [
            (.exited(0), nil),
            (.exited(3), "exited with status 3"),
            (.exited(126), "exited with status 126, a command in it could not be executed"),
            (.exited(127), "exited with status 127, a command in it was not found"),
            (.killed(SIGSEGV, coreDumped: false), "killed by SIGSEGV"),
            (.lost, "ended, but its status was lost"),
        ] as [(Reactor.ExitStatus, String?)])
    func theStatusIsToldInWords(status: Reactor.ExitStatus, words: String?) throws {
        #expect(try failure(RunEnding(status: status)) == words)
    }

    @Test(
        arguments: [
            (.timedOut, "timed out after 1 min 30 s (Timeout=1min 30s)"),
            (.tooMuchOutput, "printed more than 1 MiB (OutputMax=1M)"),
            (.cancelled("the widget was disabled"), "the widget was disabled"),
        ] as [(RunEnding.Cause, String)])
    func aRunThatTheDaemonEndedFailsWithAnyStatus(cause: RunEnding.Cause, words: String) throws {
        for status in [Reactor.ExitStatus.exited(0), .killed(SIGKILL, coreDumped: false), nil] {
            #expect(try failure(RunEnding(status: status, cause: cause)) == words)
        }
    }

    @Test func theKernelSaysThatMemoryWasTheReason() throws {
        var ending = RunEnding(status: .killed(SIGKILL, coreDumped: false))
        ending.isOutOfMemory = true
        #expect(try failure(ending, memory: ByteSize("64M")) == "out of memory (MemoryMax=64M)")
        ending.usage = RunUsage(processor: .seconds(1), memory: ByteSize("64M"))
        #expect(try failure(ending, memory: ByteSize("64M")) == "out of memory (MemoryMax=64M, it had 64 MiB)")
        // One of its processes was ended, and the program has caught that.
        ending.status = .exited(0)
        #expect(try failure(ending, memory: ByteSize("64M"))?.hasPrefix("out of memory") == true)
        ending.cause = .timedOut
        #expect(try failure(ending, memory: ByteSize("64M"))?.hasPrefix("timed out") == true)
        // Without a limit of its own, it was the machine's.
        #expect(try failure(ending, memory: nil)?.contains("memory") == false)
    }

    @Test func theLastLineOfTheErrorsIsPartOfTheReason() throws {
        let errors = "warning: x\ncurl: (6) Could not resolve host\n"
        #expect(
            try failure(RunEnding(status: .exited(1)), errorOutput: errors)
                == "curl: (6) Could not resolve host")
        #expect(
            try failure(RunEnding(status: .exited(6)), errorOutput: errors)
                == "exited with status 6: curl: (6) Could not resolve host")
        #expect(try failure(RunEnding(status: .exited(0)), errorOutput: errors) == nil)
        let long = String(repeating: "x", count: 1_000)
        #expect(try failure(RunEnding(status: .exited(1)), errorOutput: long)?.count == 200)
    }

    @Test(
        arguments: [
            (.exited(1), "MemoryError\n", "exited with status 1, out of memory (MemoryMax=64M): MemoryError"),
            (.exited(1), "no host\n", "no host"),
            (
                .exited(2), "sh: Cannot allocate memory",
                "exited with status 2, out of memory (MemoryMax=64M): sh: Cannot allocate memory"
            ),
            (.killed(SIGSEGV, coreDumped: false), "", "killed by SIGSEGV, perhaps by MemoryMax=64M"),
            (.killed(SIGTERM, coreDumped: false), "", "killed by SIGTERM"),
            (.exited(1), "", "exited with status 1"),
        ] as [(Reactor.ExitStatus, String, String)])
    func theMemoryLimitIsNamedWhereItMayBeTheCause(status: Reactor.ExitStatus, errors: String, words: String) throws {
        #expect(
            try failure(RunEnding(status: status), memory: ByteSize(bytes: 64 << 20), errorOutput: errors) == words)
    }

    @Test(
        arguments: [
            (.exited(1), "", "exited with status 1 in its sandbox (Level=strict)"),
            (.exited(1), "no host", "no host"),
            (.exited(2), "no host", "exited with status 2 in its sandbox (Level=strict): no host"),
            (
                .exited(1), "x: Network is unreachable",
                "x: Network is unreachable; its sandbox has no network (Network=yes gives it)"
            ),
        ] as [(Reactor.ExitStatus, String, String)])
    func aSandboxIsNamedWhereItMayBeTheCause(status: Reactor.ExitStatus, errors: String, words: String) throws {
        #expect(try failure(RunEnding(status: status), sandbox: .strict, errorOutput: errors) == words)
    }

    /// What a program printed before it failed without a word on standard error.
    private static let printed: [(status: Reactor.ExitStatus, output: String, words: String?)] = [
        (.exited(1), "no key\n", "exited with status 1 in its sandbox (Level=strict), after it printed: no key"),
        (
            .exited(2), "a\n\u{1b}[31mb\u{1b}[m\n \n",
            "exited with status 2 in its sandbox (Level=strict), after it printed: b"
        ),
        (
            .exited(6), "curl: Could not resolve host",
            "exited with status 6 in its sandbox (Level=strict), after it printed: curl: Could not resolve host; "
                + "its sandbox has no network (Network=yes gives it)"
        ),
        (.exited(1), "{\"text\": \"a\"}", "exited with status 1 in its sandbox (Level=strict)"),
        (.exited(1), " \n", "exited with status 1 in its sandbox (Level=strict)"),
        (.killed(SIGTERM, coreDumped: false), "a", "killed by SIGTERM in its sandbox (Level=strict)"),
        (.exited(0), "a", nil),
    ]

    @Test(arguments: printed.indices) func standardOutputTellsTheReasonIfStandardErrorIsEmpty(index: Int) throws {
        let (status, output, words) = Self.printed[index]
        #expect(try failure(RunEnding(status: status), sandbox: .strict, output: output) == words)
        guard words != nil else { return }
        let told = try failure(RunEnding(status: status), sandbox: .strict, errorOutput: "why", output: output)
        #expect(told?.hasSuffix("why") == true && told?.contains("printed") == false)
    }

    private static let trace = """

        *** Signal 4: Backtracing from 0x7f4caeef9361... done ***

        *** Program crashed: Illegal instruction at 0x00007f4caeef9361 ***

        Registers:
        r14 0x000055bd4aea7b60  46 61 74 61 6c 20 65 72 72 6f 72 3a 20 66 61 69  Fatal error: fai
        Backtrace took 0.01s
        """
    private static let mistake =
        "which stops a program of Swift at a mistake, such as an overflow or an index out of range"

    /// What the runtime of Swift prints, with and without a trace.
    private static let crashes: [(signal: Int32, errors: String, words: String)] = [
        (
            SIGILL, "Probe/Probe.swift:44: Fatal error: boom",
            "killed by SIGILL: Probe/Probe.swift:44: Fatal error: boom"
        ),
        (SIGTRAP, "Fatal error: boom" + trace, "killed by SIGTRAP: Fatal error: boom"),
        (
            SIGILL, "loading\nA.swift:1: Fatal error: a: b\n" + trace,
            "killed by SIGILL: A.swift:1: Fatal error: a: b"
        ),
        (SIGILL, "", "killed by SIGILL, \(mistake)"), (SIGTRAP, trace, "killed by SIGTRAP, \(mistake)"),
        (SIGILL, "it says why", "killed by SIGILL: it says why"), (SIGSEGV, trace, "killed by SIGSEGV"),
        (SIGABRT, "no: Fatal error: x\ny", "killed by SIGABRT: y"),
    ]

    @Test(arguments: crashes.indices) func crashesOfSwiftHaveTheirReason(index: Int) throws {
        let (signal, errors, words) = Self.crashes[index]
        let ending = RunEnding(status: .killed(signal, coreDumped: false))
        #expect(try failure(ending, errorOutput: errors) == words)
    }

    @Test func anAllocationThatFailsInSwiftIsOutOfMemory() throws {
        let reason = "Fatal error: failed to allocate 10485792 bytes of memory with alignment 8"
        let trace = "\(reason)\nCurrent stack trace:\n0  probe  0x000055695abbc911 <unavailable> + 375057\n"
        let ending = RunEnding(status: .killed(SIGABRT, coreDumped: false))
        #expect(
            try failure(ending, memory: ByteSize(bytes: 64 << 20), errorOutput: trace)
                == "killed by SIGABRT, out of memory (MemoryMax=64M): \(reason)")
    }

    @Test func whatCouldNotBeEndedIsSaid() throws {
        let left = RunEnding(status: .exited(0), isAbandoned: true)
        #expect(left.exit == "exited with status 0, leaving processes that do not end when killed")
        #expect(try failure(left) == nil)
        #expect(RunEnding(status: nil, isAbandoned: true).exit == "did not end when killed")
    }

    @Test(
        arguments: [(1 << 20, "1 MiB"), (1_536 << 10, "1536 KiB"), (3 << 30, "3 GiB"), (1_000, "1000 bytes")]
            as [(UInt64, String)])
    func sizesAreToldAsPeopleReadThem(bytes: UInt64, words: String) {
        #expect(RunEnding.inWords(ByteSize(bytes: bytes)) == words)
    }

    @Test(arguments: [(10_000_000, "10 s"), (90_000_000, "1 min 30 s"), (250_000, "250 ms")] as [(Int64, String)])
    func timesAreToldAsPeopleReadThem(microseconds: Int64, words: String) {
        #expect(RunEnding.inWords(TimeSpan(microseconds: microseconds)) == words)
    }
}
