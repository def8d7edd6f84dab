// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct FileContentsTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [0, 1, 4095, 4096, 100_000])
    func aFileIsReadWhole(size: Int) throws {
        let text = String(repeating: "x", count: size)
        let path = try directory.write(text, to: "file")
        #expect(FileContents(at: path, limit: 100_000) == .bytes(Array(text.utf8)))
    }

    @Test func theBeginningOfAFileOfAnyLengthIsRead() throws {
        let path = try directory.write(String(repeating: "ab", count: 100_000), to: "file")
        #expect(FileContents.beginning(of: path, upTo: 3) == .bytes(Array("aba".utf8)))
        #expect(FileContents.beginning(of: try directory.write("x", to: "short"), upTo: 3) == .bytes(Array("x".utf8)))
        #expect(FileContents.beginning(of: directory.path, upTo: 3) == .directory)
    }

    @Test func aFileOfUnknownSizeIsReadWhole() {
        guard case .bytes(let bytes) = FileContents(at: "/proc/self/status", limit: 65_536) else {
            Issue.record("no bytes")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("Name:"))
    }

    @Test func eachKindOfFileThatIsNotReadIsNamed() throws {
        #expect(FileContents(at: try directory.write("12345", to: "large"), limit: 4) == .tooLarge(5))
        #expect(FileContents(at: directory.path, limit: 4) == .directory)
        #expect(FileContents(at: directory("none"), limit: 4) == .missing)
        #expect(FileContents(at: directory("large") + "/none", limit: 4) == .missing)
        symlink("/nowhere/at/all", directory("dangling"))
        #expect(FileContents(at: directory("dangling"), limit: 4) == .danglingLink(to: "/nowhere/at/all"))
        symlink("/dev/null", directory("masked"))
        #expect(FileContents(at: directory("masked"), limit: 4) == .nullDevice)
        #expect(FileContents(at: "/dev/zero", limit: 4) == .notRegular)
        mkfifo(directory("fifo"), 0o600)
        #expect(FileContents(at: directory("fifo"), limit: 4) == .notRegular)
        mknod(directory("socket"), S_IFSOCK | 0o600, 0)
        #expect(FileContents(at: directory("socket"), limit: 4) == .notRegular)
        symlink(directory("loop"), directory("loop"))
        #expect(FileContents(at: directory("loop"), limit: 4) == .refused("Too many levels of symbolic links"))
    }

    @Test func aFileOfAnOwnerMayBeRefused() throws {
        let path = try directory.write("x", to: "mine")
        #expect(FileContents(at: path, limit: 9) { _ in nil } == .bytes([0x78]))
        #expect(FileContents(at: path, limit: 9) { "uid \($0)" } == .refused("uid \(geteuid())"))
        #expect(FileContents(at: directory.path, limit: 9) { _ in "no" } == .directory)
    }

    /// The owner of a link has chosen the file that it leads to.
    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func theOwnerOfALinkIsAskedToo() throws {
        try directory.write("x", to: "a/mine")
        for (name, target) in [("relative", "a/mine"), ("absolute", directory("a/mine")), ("foreign", "a/mine")] {
            #expect(symlink(target, directory(name)) == 0)
        }
        #expect(lchown(directory("foreign"), 12_345, 12_345) == 0)
        func look(_ name: String) -> FileContents {
            FileContents(at: directory(name), limit: 9) { $0 == 0 ? nil : "it is uid \($0)'s" }
        }
        #expect(look("relative") == .bytes([0x78]) && look("absolute") == .bytes([0x78]))
        #expect(look("foreign") == .refused("it is a link, and it is uid 12345's"))
        #expect(FileContents(at: directory("foreign"), limit: 9) == .bytes([0x78]))
        #expect(chown(directory("a/mine"), 12_345, 12_345) == 0)
        #expect(look("relative") == .refused("it is uid 12345's"))
    }

    @Test func linksWithARuleFailAsOthers() throws {
        symlink("/nowhere/at/all", directory("dangling"))
        symlink(directory("loop"), directory("loop"))
        #expect(FileContents(at: directory("dangling"), limit: 4) { _ in nil } == .danglingLink(to: "/nowhere/at/all"))
        #expect(
            FileContents(at: directory("loop"), limit: 4) { _ in nil } == .refused("Too many levels of symbolic links"))
    }

    @Test func aMarkDiffersForOtherContentsOrAnotherFile() throws {
        let path = try directory.write("one", to: "file")
        let mark = FileMark(at: path)
        #expect(mark != nil)
        chmod(path, 0o755)
        #expect(FileMark(at: path) == mark)
        symlink("file", directory("link"))
        #expect(FileMark(at: directory("link")) == mark)
        #expect(FileMark(at: path)?.version == mark?.version)
        try directory.write("two", to: "file")
        #expect(FileMark(at: path) != mark && FileMark(at: path)?.version != mark?.version)
        try directory.write("another", to: "file")
        #expect(FileMark(at: path) != mark)
        #expect(FileMark(at: directory("none")) == nil)
    }
}
