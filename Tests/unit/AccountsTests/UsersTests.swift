// SPDX-License-Identifier: MIT
import Accounts
import Glibc
import TestSupport
import Testing

@Suite struct UsersTests {
    @Test func usersAndGroupsAreFoundByName() {
        #expect(Users.localUID(named: "root") == 0)
        #expect(Users.gid(named: "root") == 0)
        #expect(Users.localUID(named: "no-such-user-here") == nil)
        #expect(Users.gid(named: "") == nil)
    }

    /// Also of a line that is longer than the first buffer, behind lines that are none.
    private static let localUsers: [(name: String, uid: uid_t?)] = [
        ("ada", 1001), ("long", 1002), ("last", 1003), ("none", nil), ("+ada", nil), ("", nil), ("ad", nil),
    ]

    @Test(arguments: localUsers) func aLocalUserIsFoundInTheFile(name: String, uid: uid_t?) throws {
        let directory = TemporaryDirectory()
        let lines = [
            "root:x:0:0::/root:/bin/sh", "", "# words", "torn:x", "+ada::::::", "ada:x:1001:100::/home/ada:/bin/sh",
            "long:x:1002:100:" + String(repeating: "g", count: 5000) + ":/:/bin/sh", "last:x:1003:100::/:/bin/sh",
        ]
        let path = try directory.write(lines.joined(separator: "\n"), to: "passwd")
        #expect(Users.localUID(named: name, in: path) == uid)
        #expect(Users.localUID(named: name, in: directory("missing")) == nil)
    }
}
