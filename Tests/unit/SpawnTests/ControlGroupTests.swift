// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

@testable import Spawn

@Suite struct DelegatedPathTests {
    private static let paths: [(groups: String, mounts: String, path: String?)] = [
        (
            "0::/system.slice/todayd.service\n", "24 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
            "/sys/fs/cgroup/system.slice/todayd.service"
        ),
        (
            "9:name=systemd:/a\n0::/\n",
            "24 1 0:22 / /sys/fs/cgroup/pids rw - cgroup cgroup rw\n25 1 0:23 / /x/unified rw shared:4 - cgroup2 cgroup rw\n",
            "/x/unified"
        ),
        ("9:name=systemd:/a\n", "24 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil),
        ("0::/a\n", "24 1 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n", nil),
        // A part of the hierarchy, and a place whose name is escaped, are left out.
        ("0::/a\n", "24 1 0:22 /b /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", nil),
        ("0::/a\n", "24 1 0:22 / /with\\040space rw - cgroup2 cgroup2 rw\n", nil),
        // Outside of the namespace.
        ("0::/../b\n", "24 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/sys/fs/cgroup/../b"),
        ("", "", nil), ("0::/a", "- cgroup2", nil),
    ]

    @Test(
        arguments: [
            ("memory pids\n", [.memory, .pids]), ("cpuset cpu io memory pids\n", [.cpu, .memory, .pids]),
            ("cpuset\n", []), ("", []),
        ] as [(String, Set<DelegatedGroup.Controller>)])
    func controllersAreReadByTheirNames(text: String, expected: Set<DelegatedGroup.Controller>) {
        #expect(DelegatedGroup.Controller.all(in: text) == expected)
    }

    @Test(arguments: paths.indices) func theGroupIsWhereTheHierarchyIsMounted(index: Int) {
        let (groups, mounts, path) = Self.paths[index]
        #expect(DelegatedGroup.path(groups: groups, mounts: mounts) == path)
    }
}

@Suite(.enabled(if: TestGroup.isPossible, "control groups take root")) struct ControlGroupTests {
    init() {
        TestLoop.start()
        ProcessTree.becomeSubreaper()
    }

    private func made() throws -> DelegatedGroup { try #require(TestGroup.delegated()) }

    @Test @LoopActor func whatTheKernelRefusesIsAnError() throws {
        let parent = try made()
        defer { parent.group.remove() }
        for (text, file) in [("nonsense", "cgroup.procs"), ("1", "none.at.all"), ("+none", "cgroup.subtree_control")] {
            #expect(throws: ControlGroup.Failure.self, "\(file)") { try parent.group.write(text, to: file) }
        }
        try parent.group.write("0", to: "cgroup.freeze")
    }

    @Test @LoopActor func aProgramIsBornInItsGroupAndCannotLeaveItByForking() async throws {
        let parent = try made()
        defer { parent.group.remove() }
        let group = try ControlGroup(at: "\(parent.group.path)/a")
        #expect(!group.isPopulated && group.processes.isEmpty)
        let program = try Launched(
            script: "cat /proc/self/cgroup; (setsid env -i /bin/sleep 1000 >/dev/null 2>&1 &); sleep 0.1"
        ) { $0.group = group }
        let text = try await program.text()
        #expect(text.contains("0::") && text.contains("/a\n"), "\(text)")
        _ = try await program.exit()
        #expect(group.isPopulated && group.processes.count == 1)
        #expect(ControlGroup.path(of: try #require(group.processes.first))?.hasSuffix("/a") == true)
        group.remove()
        #expect(access(group.path, F_OK) == 0, "what is populated stays")
        group.kill()
        try await eventually("end of all") { !group.isPopulated }
        #expect(group.number("usage_usec", in: "cpu.stat") ?? 0 > 0)
        #expect(group.number("nothing", in: "cpu.stat") == nil && group.number(in: "nothing") == nil)
        group.remove()
        #expect(access(group.path, F_OK) != 0)
    }

    @Test @LoopActor func groupsWithinItAreRemovedToo() async throws {
        let parent = try made()
        defer { parent.group.remove() }
        let group = try ControlGroup(at: "\(parent.group.path)/a")
        let program = try Launched(
            script: "mkdir \(group.path)/b \(group.path)/b/c; echo 0 > \(group.path)/b/c/cgroup.procs; sleep 1000"
        ) { $0.group = group }
        try await eventually("move") {
            ControlGroup.path(of: program.process.pid)?.hasSuffix("/a/b/c") == true
        }
        #expect(group.isPopulated)
        // It waits for the child of the shell, too.
        group.end()
        #expect(try await program.exit() == .killed(SIGKILL, coreDumped: false))
        #expect(access(group.path, F_OK) != 0)
    }

    /// A program may make more groups than there is time to remove.
    @Test @LoopActor func aThousandGroupsAreRemovedAtATime() throws {
        let parent = try made()
        defer { for _ in 0..<3 { parent.group.remove() } }
        let group = try ControlGroup(at: "\(parent.group.path)/a")
        for number in 0..<1_200 { #expect(mkdir("\(group.path)/\(number)", 0o755) == 0) }
        group.remove()
        #expect(ControlGroup.names(in: group.path, upTo: .max).count == 200)
        group.remove()
        #expect(access(group.path, F_OK) != 0)
        var deep = parent.group.path + "/b"
        for _ in 0..<100 {
            _ = try ControlGroup(at: deep)
            deep += "/b"
        }
        try ControlGroup(at: "\(parent.group.path)/b").remove()
        #expect(access("\(parent.group.path)/b", F_OK) != 0)
    }

    @Test @LoopActor func aNewOwnerEndsWhatIsLeft() async throws {
        let parent = try made()
        defer { parent.group.remove() }
        let group = try ControlGroup(at: "\(parent.group.path)/1-org.test.old")
        let kept = try ControlGroup(at: "\(parent.group.path)/daemon")
        let control = try ControlGroup(at: "\(parent.group.path)/.control")
        let program = try Launched(script: "sleep 1000") { $0.group = group }
        _ = DelegatedGroup(parent.group)
        #expect(try await program.exit() == .killed(SIGKILL, coreDumped: false))
        #expect(access(group.path, F_OK) != 0)
        #expect(access(kept.path, F_OK) == 0 && access(control.path, F_OK) == 0)
    }

    @Test @LoopActor func failuresNameTheStep() throws {
        #expect(throws: ControlGroup.Failure.self) { try ControlGroup(at: "/nowhere/a") }
        let parent = try made()
        let group = try ControlGroup(at: "\(parent.group.path)/gone")
        defer { parent.group.remove() }
        group.remove()
        do {
            _ = try Launched(script: ":") { $0.group = group }
            Issue.record("a program was started in a group that is gone")
        } catch let error as SpawnError {
            #expect(error.step == .group && "\(error)".contains("in a control group: "), "\(error)")
        }
        #expect(throws: ControlGroup.Failure.self) { try parent.group.write("x", to: "nothing") }
    }
}
