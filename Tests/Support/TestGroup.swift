// SPDX-License-Identifier: MIT
import Glibc
import Spawn

/// Control groups for tests, below that of this process. It takes root, or a group that is delegated to this user.
package enum TestGroup {
    /// A group of its own, without processes; nil where this process may make none.
    package static func delegated() -> DelegatedGroup? {
        guard let place = DelegatedGroup.pathOfOwnGroup else { return nil }
        // What a test has not ended goes with this process.
        if made.isEmpty { atexit { for path in TestGroup.made { try? ControlGroup(at: path).end() } } }
        made.append("\(place)/todayd-test-\(getpid())-\(made.count)")
        return (try? ControlGroup(at: made[made.count - 1])).map { DelegatedGroup($0) }
    }

    /// Whether this process may make groups: without the code that is tested, whose faults must fail tests and not leave them out.
    package static let isPossible: Bool = {
        let places = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].filter { access("\($0)/cgroup.procs", F_OK) == 0 }
        return places.contains { place in
            let probe = "\(place)/todayd-probe-\(getpid())"
            return mkdir(probe, 0o755) == 0 && rmdir(probe) == 0
        }
    }()

    nonisolated(unsafe) private static var made: [String] = []
}
