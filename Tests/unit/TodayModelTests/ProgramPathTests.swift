// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct ProgramPathTests {
    @Test(
        arguments: [
            ("/a:/b", ["/a", "/b"]), ("/a/:/a::.:b:/c//", ["/a", "/c"]), ("/", ["/"]),
            ("", ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]),
        ] as [(String, [String])])
    func onlyWholePathsAreLookedAt(path: String, directories: [String]) {
        #expect(ProgramPath.directories(in: ["PATH": path]) == directories)
    }

    @Test(
        arguments: [
            (["PATH": "/a", "HOME": "/h"], "/a:/h/.local/bin"),
            (["PATH": "/h/.local/bin/:/a", "HOME": "/h"], "/h/.local/bin/:/a"), (["PATH": "/a"], "/a"),
            (["PATH": "/a", "HOME": "h"], "/a"), (["PATH": "/a", "HOME": "/h:/x"], "/a"),
        ])
    func usersHaveADirectoryOfPrograms(environment: [String: String], path: String) {
        #expect(ProgramPath.ofUser(in: environment) == path)
    }
}
