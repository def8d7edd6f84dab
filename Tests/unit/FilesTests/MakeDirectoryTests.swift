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

    private func failure(making name: String) -> DirectoryFailure? {
        do throws(DirectoryFailure) {
            try Paths.makeOwnDirectory(name, in: directory("base"), mode: 0o700)
            return nil
        } catch {
            return error
        }
    }

    @Test func ownDirectoriesAreMadeBelowABaseThatMayBeALink() throws {
        try directory.makeDirectory("elsewhere")
        #expect(symlink("elsewhere", directory("base")) == 0)
        for _ in 0..<2 { #expect(failure(making: "a/b") == nil) }
        #expect(mode(of: directory("elsewhere/a")) == 0o700)
        #expect(mode(of: directory("elsewhere/a/b")) == 0o700)
    }

    @Test func ownDirectoriesAreMadeWithTheBase() {
        #expect(failure(making: "a/b") == nil)
        #expect(mode(of: directory("base/a/b")) == 0o700)
    }

    @Test(arguments: [("a/b", "a/b"), ("a", "a/b"), ("a/b", "a/b/c")])
    func aLinkBelowTheBaseIsRefused(link: String, name: String) throws {
        try directory.makeDirectory("other/b")
        try directory.makeDirectory("base/a")
        let path = directory("base/\(link)")
        rmdir(path)
        #expect(symlink(directory("other"), path) == 0)
        #expect(failure(making: name)?.description == "\(path) is a symbolic link")
        #expect(!Paths.exists(directory("other/c")))
    }

    @Test func aDanglingLinkBelowTheBaseIsRefused() throws {
        try directory.makeDirectory("base")
        #expect(symlink("nowhere", directory("base/a")) == 0)
        #expect(failure(making: "a/b")?.description == "\(directory("base/a")) is a symbolic link")
        #expect(!Paths.exists(directory("base/nowhere")))
    }

    @Test func anythingElseBelowTheBaseIsRefused() throws {
        try directory.write("", to: "base/a")
        #expect(failure(making: "a")?.description == "\(directory("base/a")) is not a directory")
    }

    /// Only root can give a directory away.
    @Test(.enabled(if: geteuid() == 0)) func anotherUsersDirectoryIsRefused() throws {
        try directory.makeDirectory("base/a")
        #expect(chown(directory("base/a"), 12_345, 12_345) == 0)
        #expect(failure(making: "a")?.description == "\(directory("base/a")) belongs to another user (uid 12345)")
    }
}
