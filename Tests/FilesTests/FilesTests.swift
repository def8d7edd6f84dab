// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct FilesTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [0, 1, 4095, 4096, 100_000])
    func aFileIsReadWhole(size: Int) throws {
        let text = String(repeating: "x", count: size)
        let path = try directory.write(text, to: "file")
        #expect(FileLook(at: path, limit: 100_000) == .bytes(Array(text.utf8)))
    }

    @Test func aFileOfUnknownSizeIsReadWhole() {
        guard case .bytes(let bytes) = FileLook(at: "/proc/self/status", limit: 65_536) else {
            Issue.record("no bytes")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("Name:"))
    }

    @Test func whatIsNoSmallFileIsToldApart() throws {
        #expect(FileLook(at: try directory.write("12345", to: "large"), limit: 4) == .tooLarge(5))
        #expect(FileLook(at: directory.path, limit: 4) == .directory)
        #expect(FileLook(at: directory("none"), limit: 4) == .missing)
        #expect(FileLook(at: directory("large") + "/none", limit: 4) == .missing)
        symlink("/nowhere/at/all", directory("dangling"))
        #expect(FileLook(at: directory("dangling"), limit: 4) == .danglingLink(to: "/nowhere/at/all"))
        symlink("/dev/null", directory("masked"))
        #expect(FileLook(at: directory("masked"), limit: 4) == .nullDevice)
        #expect(FileLook(at: "/dev/zero", limit: 4) == .notRegular)
        mkfifo(directory("fifo"), 0o600)
        #expect(FileLook(at: directory("fifo"), limit: 4) == .notRegular)
        symlink(directory("loop"), directory("loop"))
        #expect(FileLook(at: directory("loop"), limit: 4) == .refused("Too many levels of symbolic links"))
    }

    @Test func aMarkIsOfOneTextOfOneFile() throws {
        let path = try directory.write("one", to: "file")
        let mark = FileMark(at: path)
        #expect(mark != nil)
        chmod(path, 0o755)
        #expect(FileMark(at: path) == mark)
        symlink("file", directory("link"))
        #expect(FileMark(at: directory("link")) == mark)
        try directory.write("another", to: "file")
        #expect(FileMark(at: path) != mark)
        #expect(FileMark(at: directory("none")) == nil)
    }

    @Test func aListingIsSortedAndKnowsKinds() throws {
        try directory.write("", to: "b")
        try directory.makeDirectory("a")
        symlink("b", directory("c"))
        mkfifo(directory("d"), 0o600)
        let entries = try DirectoryListing(of: directory.path).entries
        #expect(entries.map(\.name) == ["a", "b", "c", "d"])
        #expect(entries.map(\.kind) == [.directory, .file, .link, .other])
    }

    @Test func aListingOfNothingSaysSo() throws {
        do throws(DirectoryListing.Failure) {
            _ = try DirectoryListing(of: directory("none"))
            Issue.record("listed")
        } catch {
            #expect(error.isMissing)
            #expect(error.description == "\(directory("none")): No such file or directory")
        }
    }

    @Test func programsAreJudged() throws {
        #expect(Paths.whyNotExecutable(try directory.script("#!/bin/sh\n", to: "good")) == nil)
        #expect(Paths.whyNotExecutable(try directory.write("", to: "plain")) == "is not executable (chmod +x)")
        #expect(Paths.whyNotExecutable(directory("none")) == "does not exist")
        #expect(Paths.whyNotExecutable(directory.path) == "is a directory; add the program's name")
    }

    @Test func linksAndSeveralNamesAppearComplete() throws {
        let path = try directory.write("", to: "one")
        #expect(!Paths.isLinkOrHasSeveralNames(path))
        symlink(path, directory("link"))
        #expect(Paths.isLinkOrHasSeveralNames(directory("link")))
        #expect(Paths.linkTarget(of: directory("link")) == path)
        #expect(Paths.linkTarget(of: path) == nil)
        #expect(Paths.resolved(directory("link")) == Paths.resolved(path))
        link(path, directory("two"))
        #expect(Paths.isLinkOrHasSeveralNames(path))
    }

    @Test(arguments: [("/a/b/c", "/a/b", "c"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b", "a", "b")])
    func pathsHaveParts(path: String, parent: String, name: String) {
        #expect(Paths.parent(of: path) == parent)
        #expect(Paths.name(of: path) == name)
    }
}
