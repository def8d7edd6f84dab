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
