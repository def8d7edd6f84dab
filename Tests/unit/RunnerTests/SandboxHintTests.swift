// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

/// Messages of real programs, and which door of a sandbox they may have met.
@Suite struct SandboxHintTests {
    private static let table: [(message: String, level: Sandbox.Level, key: String?)] = [
        ("curl: (6) Could not resolve host: example.org", .strict, "Network=yes"),
        ("socket.gaierror: [Errno -3] Temporary failure in name resolution", .strict, "Network=yes"),
        ("Error: getaddrinfo EAI_AGAIN api.example.org", .strict, "Network=yes"),
        ("connect: Network is unreachable", .strict, "Network=yes"),
        ("curl: (6) Could not resolve host: example.org", .network, nil),
        ("Failed to connect to bus: D-Bus is not there", .network, "Bus=yes"),
        ("cat: /home/ada/.netrc: No such file or directory", .network, "ReadPaths="),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/run/docker.sock'", .strict, "ReadPaths="),
        ("cat: notes: No such file or directory", .strict, nil),
        ("sh: 1: cannot create /srv/x: Read-only file system", .strict, "WritePaths="),
        ("cat: /etc/shadow: Permission denied", .strict, "ReadPaths="),
        ("ping: socket: Operation not permitted", .network, "ReadPaths="),
        ("bwrap: setting up uid map: Permission denied", .strict, "apparmor-profiles"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", .strict, "apparmor-profiles"),
        ("bwrap: Creating new namespace failed: Resource temporarily unavailable", .strict, "namespaces"),
        ("bwrap: No permissions to create new namespace, likely because the kernel", .strict, "namespaces"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", .network, "namespaces"),
        ("bwrap: execvp /opt/a: Permission denied", .strict, "ReadPaths="),
        ("bwrap: setting up uid map: Permission denied", .none, nil), ("new namespace", .strict, nil),
        ("ModuleNotFoundError: No module named 'requests'", .network, "ReadPaths="),
        ("Error: Cannot find module 'axios'", .strict, "ReadPaths="), ("No module named 'requests'", .none, nil),
        ("division by zero", .strict, nil), ("", .strict, nil),
        ("cat: /etc/shadow: Permission denied", .none, nil), ("Could not resolve host: a", .none, nil),
    ]

    @Test(arguments: table.indices) func aMessageHintsAtADoor(index: Int) {
        let (message, level, key) = Self.table[index]
        let words = SandboxHint.words(for: message, Sandbox(level: level))
        #expect(words?.contains(key ?? "") ?? false == (key != nil), "\(message): \(words ?? "nothing")")
    }

    @Test func aDoorThatIsOpenIsNotNamed() {
        var sandbox = Sandbox(level: .strict)
        (sandbox.network, sandbox.bus) = (true, true)
        #expect(SandboxHint.words(for: "Could not resolve host: a", sandbox) == nil)
        #expect(SandboxHint.words(for: "Failed to connect to D-Bus", sandbox) == nil)
        sandbox = Sandbox()
        sandbox.network = false
        #expect(SandboxHint.words(for: "Could not resolve host: a", sandbox)?.contains("Network=yes") == true)
        #expect(SandboxHint.words(for: "x: Permission denied", sandbox) == nil)
    }
}
