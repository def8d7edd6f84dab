// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@testable import Files

@Suite struct NewFileTests {
    @Test func itIsWrittenOnce() throws {
        let directory = TemporaryDirectory()
        let path = directory("new")
        try NewFile.write("first\n", at: path, mode: 0o640)
        #expect(FileContents(at: path, limit: 100) == .bytes(Array("first\n".utf8)))
        do {
            try NewFile.write("second\n", at: path, mode: 0o640)
            Issue.record("written over")
        } catch {
            #expect(error.isThere)
        }
        #expect(FileContents(at: path, limit: 100) == .bytes(Array("first\n".utf8)))
        #expect(try DirectoryListing(of: directory.path).entries.map(\.name) == ["new"], "no draft is left")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    /// An earlier process of this number was killed before the rename.
    @Test func aDraftThatIsLeftIsReplaced() throws {
        let directory = TemporaryDirectory()
        try directory.write("half", to: ".new-\(getpid())-\(StableHash(Array("new".utf8)[...]).value)")
        try NewFile.write("whole", at: directory("new"), mode: 0o600)
        #expect(try directory.read("new") == "whole")
        #expect(try DirectoryListing(of: directory.path).entries.map(\.name) == ["new"])
    }

    @Test func aNameMayHaveTheGreatestLength() throws {
        let directory = TemporaryDirectory()
        let name = String(repeating: "n", count: 255)
        try NewFile.write("x", at: directory(name), mode: 0o600)
        #expect(try DirectoryListing(of: directory.path).entries.map(\.name) == [name])
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func itMayGetAGroup() throws {
        let directory = TemporaryDirectory()
        try NewFile.write([0x78], at: directory("new"), mode: 0o640, group: 12_345)
        var status = stat()
        #expect(stat(directory("new"), &status) == 0)
        #expect(status.st_uid == 0 && status.st_gid == 12_345 && status.st_mode & 0o777 == 0o640)
    }

    @Test func aDanglingLinkIsNotFollowed() throws {
        let directory = TemporaryDirectory()
        #expect(symlink(directory("target"), directory("new")) == 0)
        #expect(throws: NewFile.Failure.self) { try NewFile.write("text", at: directory("new"), mode: 0o644) }
        #expect(!Paths.exists(directory("target")))
    }

    @Test func aLinkReplacesNothing() throws {
        let directory = TemporaryDirectory()
        try NewFile.link(to: "/there", at: directory("link"))
        #expect(Paths.linkTarget(of: directory("link")) == "/there")
        try directory.write("mine", to: "file")
        for name in ["link", "file"] {
            do throws(NewFile.Failure) {
                try NewFile.link(to: "/other", at: directory(name))
                Issue.record("replaced")
            } catch {
                #expect(error.isThere && error.reason == "File exists")
            }
        }
        #expect(Paths.linkTarget(of: directory("link")) == "/there")
    }

    @Test func whatCannotBeWrittenSaysWhy() throws {
        let directory = TemporaryDirectory()
        do {
            try NewFile.write("text", at: directory("missing/new"), mode: 0o644)
            Issue.record("written into nothing")
        } catch {
            #expect(error.code == ENOENT && !error.isThere)
            #expect(error.description == "cannot write \(directory("missing/new")): No such file or directory")
        }
    }
}
