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
