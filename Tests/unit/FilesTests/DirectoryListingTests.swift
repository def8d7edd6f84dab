// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct DirectoryListingTests {
    private let directory = TemporaryDirectory()

    @Test func aListingIsSortedAndKnowsKinds() throws {
        try directory.write("", to: "b")
        try directory.makeDirectory("a")
        symlink("b", directory("c"))
        mkfifo(directory("d"), 0o600)
        let entries = try DirectoryListing(of: directory.path).entries
        #expect(entries.map(\.name) == ["a", "b", "c", "d"])
        #expect(entries.map(\.kind) == [.directory, .file, .link, .other])
    }

    /// ISO 8859-1, as old archives have it.
    @Test func aNameThatIsNotUTF8IsToldApart() throws {
        try directory.write("", to: "a")
        let bytes = Array("\(directory.path)/caf".utf8) + [0xe9] + Array(".5m.sh".utf8) + [0]
        let file = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { path in
            path.baseAddress.map { creat($0, 0o644) } ?? -1
        }
        #expect(file >= 0)
        close(file)
        let listing = try DirectoryListing(of: directory.path)
        #expect(listing.entries.map(\.name) == ["a"])
        #expect(listing.illegibleNames == ["caf\u{fffd}.5m.sh"])
    }

    /// A file on the way is as good as nothing; what cannot be followed is there.
    @Test(arguments: [("none", true), ("file", true), ("file/none", true), ("loop", false)])
    func whatIsNoDirectoryIsMissing(name: String, isMissing: Bool) throws {
        try directory.write("", to: "file")
        try directory.link("loop", to: "loop")
        do throws(DirectoryListing.Failure) {
            _ = try DirectoryListing(of: directory(name))
            Issue.record("listed")
        } catch {
            #expect(error.isMissing == isMissing, "\(error)")
        }
    }

    @Test func aMissingDirectoryIsAnError() throws {
        do throws(DirectoryListing.Failure) {
            _ = try DirectoryListing(of: directory("none"))
            Issue.record("listed")
        } catch {
            #expect(error.isMissing)
            #expect(error.description == "\(directory("none")): No such file or directory")
        }
    }
}
