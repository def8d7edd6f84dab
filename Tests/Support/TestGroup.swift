// SPDX-License-Identifier: MIT
import Glibc
import Spawn

/// Control groups for tests, below that of this process. It takes root, or a group that is delegated to this user.
package enum TestGroup {
    /// A group of its own, without processes; nil where this process may make none.
    package static func delegated() -> DelegatedGroup? {
        guard let place = DelegatedGroup.pathOfOwnGroup else { return nil }
        count += 1
        return (try? ControlGroup(at: "\(place)/todayd-test-\(getpid())-\(count)")).map { DelegatedGroup($0) }
    }

    /// Ends what is left in a group, and removes it.
    package static func end(_ group: ControlGroup) {
        group.kill()
        for _ in 0..<100 where group.isPopulated { usleep(1_000) }
        group.remove()
    }

    package static let isPossible: Bool = {
        let group = delegated()?.group
        group?.remove()
        return group != nil
    }()

    nonisolated(unsafe) private static var count = 0
}
