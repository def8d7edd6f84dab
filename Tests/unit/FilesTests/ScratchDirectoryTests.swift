// SPDX-License-Identifier: MIT
import Files
import Glibc
import TestSupport
import Testing

@Suite struct ScratchDirectoryTests {
    private let directory = TemporaryDirectory()

    @Test func itIsNewAndClosedToOthers() throws {
        let one = try ScratchDirectory("a", in: directory.path)
        let other = try ScratchDirectory("a", in: directory.path)
        #expect(one.path != other.path)
        var status = stat()
        #expect(stat(one.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func allInItIsRemovedAndNothingElse() throws {
        let scratch = try ScratchDirectory("a", in: directory.path)
        try directory.write("kept", to: "outside/file")
        let name = scratch.path.dropFirst(directory.path.utf8.count + 1)
        try directory.write("x", to: "\(name)/widgets/a.b/deep/file")
        try directory.link("\(name)/widgets/link", to: directory("outside"))
        // Neither a name that is not UTF-8 nor a closed directory stays.
        let wrong: [CChar] = Array("\(scratch.path)/".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
        close(open(wrong, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        mkdir(wrong.dropLast() + [CChar(bitPattern: 0xfe), 0], 0o700)
        chmod("\(scratch.path)/widgets/a.b", 0)
        scratch.remove()
        #expect(!directory.exists(String(name)))
        #expect(try directory.read("outside/file") == "kept")
    }

    @Test func removingLeavesNoDescriptorOpen() throws {
        let scratch = try ScratchDirectory("a", in: directory.path)
        let name = scratch.path.dropFirst(directory.path.utf8.count + 1)
        for number in 0..<50 { try directory.makeDirectory("\(name)/\(number)") }
        func descriptors() throws -> Int { try DirectoryListing(of: "/proc/self/fd").entries.count }
        let before = try descriptors()
        scratch.remove()
        // Tests that run beside this one have some, too.
        #expect(try descriptors() < before + 40)
    }

    @Test func aMissingParentIsAnError() {
        let parent = directory("none")
        do throws(ScratchDirectory.Failure) {
            _ = try ScratchDirectory("a", in: parent)
            Issue.record("made")
        } catch {
            #expect(error.description == "cannot make a directory in \(parent): No such file or directory")
        }
    }
}
