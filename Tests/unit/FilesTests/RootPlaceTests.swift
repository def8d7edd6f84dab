// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@testable import Files

/// Which ways root follows. Only root can give files away.
@Suite(.enabled(if: geteuid() == 0)) struct RootPlaceTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try directory.write("text", to: "own/deep/file")
        try directory.write("text", to: "given/own/file")
        try #require(lchown(directory("given"), 12_345, 12_345) == 0)
        try directory.link("link", to: "own/deep")
        try directory.link("own/up", to: "../own/./deep/file")
        try directory.link("absolute", to: directory("own/up"))
        try directory.link("round", to: "round")
        try directory.link("gone", to: "own/nothing")
        try directory.link("away", to: "given/own/file")
        try directory.link("processes", to: "/proc/self")
        try directory.link("their", to: "own/deep/file")
        try #require(lchown(directory("their"), 12_345, 12_345) == 0)
    }

    private func refusal(_ path: String) -> RootPlace.Refusal? {
        do throws(RootPlace.Refusal) {
            _ = try RootPlace(path)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["own/deep/file", "link/file", "own/up", "absolute", "own/../link/./file"])
    func rootsOwnLinksAreFollowed(name: String) throws {
        let place = try RootPlace(directory(name))
        #expect(FileContents(at: place.path, limit: 10) == .bytes(Array("text".utf8)))
    }

    @Test func whatOthersCanChangeIsRefused() {
        let given = directory("given")
        #expect(refusal(directory("given/own/file")) == .foreign(place: given, owner: 12_345, isLink: false))
        #expect(refusal(directory("away")) == .foreign(place: given, owner: 12_345, isLink: false))
        #expect(refusal(directory("their")) == .foreign(place: directory("their"), owner: 12_345, isLink: true))
        #expect(refusal(directory("given")) == .foreign(place: given, owner: 12_345, isLink: false))
    }

    /// A command line has what its process wants, and root as its owner.
    @Test(arguments: ["/proc/self/cmdline", "/proc/1/root/etc/passwd", "processes"])
    func whatProcessesSayIsRefused(path: String) {
        #expect(refusal(path.hasPrefix("/") ? path : directory(path)) == .processes(place: "/proc"))
    }

    @Test func whatIsNotThereIsSaid() {
        #expect(refusal(directory("nothing")) == .missing)
        #expect(refusal(directory("gone")) == .missing)
        #expect(refusal(directory("own/deep/file/x")) == .missing)
        #expect(refusal(directory("round")) == .tooManyLinks)
    }

    @Test func theFileStaysTheSameWhateverBecomesOfItsName() throws {
        let place = try RootPlace(directory("own/deep/file"))
        try #require(rename(directory("own/deep/file"), directory("own/deep/old")) == 0)
        try directory.write("other", to: "own/deep/file")
        #expect(FileContents(at: place.path, limit: 10) == .bytes(Array("text".utf8)))
    }

    @Test func noDescriptorStaysOpen() throws {
        let before = try DirectoryListing(of: "/proc/self/fd").entries.count
        for name in ["own/deep/file", "their", "absolute", "nothing", "away", "round"] {
            _ = try? RootPlace(directory(name))
        }
        #expect(try DirectoryListing(of: "/proc/self/fd").entries.count == before)
    }
}
