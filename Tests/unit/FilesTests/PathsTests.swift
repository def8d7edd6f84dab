// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct PathsTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [("/a/b/c", "/a/b", "c"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b", "a", "b")])
    func pathsHaveParts(path: String, parent: String, name: String) {
        #expect(Paths.parent(of: path) == parent)
        #expect(Paths.name(of: path) == name)
    }

    /// What another user may replace with a link is no safe way, and neither is a link of theirs.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func anotherUserMayLeadAPathElsewhere() throws {
        try directory.write("", to: "own/file")
        try directory.write("", to: "own/theirs")
        try directory.write("", to: "shared/file")
        try directory.write("", to: "shared/theirs/file")
        #expect(chmod(directory("shared"), 0o1777) == 0)
        try directory.link("link", to: "own/file")
        try directory.link("there", to: "shared")
        try directory.link("their-link", to: directory("own/file"))
        for name in ["own/theirs", "shared/theirs", "their-link"] {
            #expect(lchown(directory(name), 12_345, 12_345) == 0)
        }
        func foreign(_ name: String) -> Paths.Way { .foreign(place: directory(name), owner: 12_345) }
        let ways: [(String, Paths.Way)] = [
            ("own/file", .safe), ("own/theirs", .safe), ("shared/file", .safe), ("link", .safe), ("shared", .safe),
            ("their-link", foreign("their-link")), ("shared/theirs/file", foreign("shared/theirs")),
            ("there/theirs", foreign("there/theirs")), ("there/file", .safe), ("none", .missing(ENOENT)),
            ("own/file/x", .missing(ENOTDIR)),
            ("shared/none/x", .missing(ENOENT)),
        ]
        #expect(Paths.way(to: "/nonexistent/file") == .safe, "it is not looked at")
        for (name, way) in ways { #expect(Paths.way(to: directory(name)) == way, "\(name)") }
    }

    @Test func aSocketIsNoOtherFile() throws {
        try directory.write("", to: "plain")
        #expect(
            system("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"\(directory("socket"))\")'") == 0)
        #expect(["socket", "plain", "none", "."].map { Paths.isSocket(directory($0)) } == [true, false, false, false])
    }

    @Test func eachReasonWhyAProgramCannotRunIsNamed() throws {
        #expect(Paths.whyNotExecutable(try directory.script("#!/bin/sh\n", to: "good")) == nil)
        #expect(Paths.whyNotExecutable(try directory.write("", to: "plain")) == "is not executable (chmod +x)")
        #expect(Paths.whyNotExecutable(directory("none")) == "does not exist")
        #expect(
            ["good", "plain", "none", "."].map { Paths.isExecutable(directory($0)) } == [true, false, false, false])
        #expect(Paths.whyNotExecutable(directory.path) == "is a directory; add the program's name")
    }

    @Test func aLinkIsFollowedToItsEnd() throws {
        let path = try directory.write("", to: "deep/file")
        try directory.link("one", to: "deep/two")
        try directory.link("deep/two", to: path)
        #expect(Paths.linkTargets(of: path) == [])
        #expect(Paths.linkTargets(of: directory("one")) == [directory("deep/two"), path])
        try directory.link("astray", to: "nowhere/at/all")
        #expect(Paths.linkTargets(of: directory("astray")) == [directory("nowhere/at/all")])
        try directory.link("round", to: "round")
        #expect(Paths.linkTargets(of: directory("round")).count == 40)
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
}
