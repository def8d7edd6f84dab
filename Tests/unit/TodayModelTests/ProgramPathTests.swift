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
}
