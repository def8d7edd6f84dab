// SPDX-License-Identifier: MIT
import Accounts
import Testing

@Suite struct UsersTests {
    @Test func usersAndGroupsAreFoundByName() {
        #expect(Users.uid(named: "root") == 0)
        #expect(Users.gid(named: "root") == 0)
        #expect(Users.uid(named: "no-such-user-here") == nil)
        #expect(Users.gid(named: "") == nil)
    }
}
