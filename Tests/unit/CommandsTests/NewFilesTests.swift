// SPDX-License-Identifier: MIT
import Glibc
import Link
import TestSupport
import Testing

@testable import Commands

@Suite struct NewFilesTests {
    private let directory = TemporaryDirectory()

    private func files(_ names: String...) -> NewFiles {
        NewFiles(files: names.map { (directory($0), "text of \($0)", 0o640) })
    }

    @Test func allOfThemAreWrittenWithTheirDirectories() throws {
        try files("a", "b/c/d").write()
        #expect(try directory.read("b/c/d") == "text of b/c/d")
        var status = stat()
        #expect(stat(directory("a"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    /// Neither the one that could be written, nor the one that was there.
    @Test(arguments: ["file", "file/x", String(repeating: "x", count: 300)])
    func ifOneCannotBeWrittenNoneIs(bad: String) throws {
        try directory.write("mine", to: "file")
        #expect(throws: ClientError.self) { try files("a", bad).write() }
        #expect(try directory.names(in: ".") == ["file"])
        #expect(try directory.read("file") == "mine")
    }
}
