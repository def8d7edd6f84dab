// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct MakeDirectoryTests {
    private let directory = TemporaryDirectory()

    private func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func whatIsMissingAboveIsMadeToo() throws {
        try Paths.makeDirectory(directory("a/b/c"), mode: 0o711)
        #expect(mode(of: directory("a/b/c")) == 0o711)
        try Paths.makeDirectory(directory("a/b/c"), mode: 0o700)
        #expect(mode(of: directory("a/b/c")) == 0o711, "one that is there stays as it is")
    }

    @Test func aFileInTheWayIsSaid() throws {
        try directory.write("", to: "file")
        for path in [directory("file"), directory("file/below")] {
            do throws(DirectoryFailure) {
                try Paths.makeDirectory(path, mode: 0o700)
                Issue.record("made \(path)")
            } catch {
                #expect(error.code == ENOTDIR)
                #expect(error.description == "cannot make the directory \(path): Not a directory")
            }
        }
    }
}
