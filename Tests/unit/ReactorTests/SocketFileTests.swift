// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

/// What a listener does about the file of its socket.
@Suite struct SocketFileTests {
    let directory = TemporaryDirectory()
    var path: String { directory("socket") }

    init() { TestLoop.start() }

    @LoopActor
    private func listener(at path: String, mode: mode_t = 0o600) throws -> UnixListener {
        try UnixListener(path: path, mode: mode) { descriptor, _ in close(descriptor) }
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [mode_t])
    @LoopActor func theFileHasTheModeWhateverTheUmask(wanted: mode_t) throws {
        let listener = try listener(at: path, mode: wanted)
        #expect(try mode(of: path) == wanted)
        listener.close()
    }

    @Test @LoopActor func aStaleFileIsReplaced() async throws {
        close(try bound(path))
        #expect(directory.exists("socket"))
        let listener = try listener(at: path)
        withExtendedLifetime(try connect(path)) {}
        #expect(listener.close())
    }

    @Test @LoopActor func aLiveSocketIsLeftAlone() throws {
        let first = try listener(at: path)
        let refusal = ReactorError(
            "listen on \(path)", code: EADDRINUSE, reason: "another process is listening there")
        #expect(throws: refusal) { try listener(at: path) }
        withExtendedLifetime(try connect(path)) {}
        #expect(first.close())
    }

    @Test @LoopActor func aFileThatIsNoSocketIsLeftAlone() throws {
        try directory.write("precious", to: "socket")
        let refusal = ReactorError(
            "listen on \(path)", code: EEXIST, reason: "a file that is not a socket is there")
        #expect(throws: refusal) { try listener(at: path) }
        #expect(try directory.read("socket") == "precious")
    }

    @Test @LoopActor func aPathMayHave107Bytes() throws {
        let longest = directory.path + "/" + String(repeating: "x", count: 107 - directory.path.utf8.count - 1)
        let listener = try listener(at: longest)
        withExtendedLifetime(try connect(longest)) {}
        #expect(listener.close())
        let tooLong = longest + "x"
        let refusal = ReactorError(
            "listen on \(tooLong)", code: ENAMETOOLONG,
            reason: "the path of a Unix socket has 1 to 107 bytes, this one 108")
        #expect(throws: refusal) { try self.listener(at: tooLong) }
        #expect(throws: ReactorError.self) { try self.listener(at: "") }
    }

    @Test @LoopActor func aMissingDirectoryIsAnError() {
        #expect(throws: ReactorError("listen on \(directory("none/socket"))", code: ENOENT)) {
            try listener(at: directory("none/socket"))
        }
    }

    @Test @LoopActor func closeRemovesItsFileOnce() throws {
        let listener = try listener(at: path)
        #expect(listener.close())
        #expect(!directory.exists("socket"))
        #expect(!listener.close())
    }

    @Test @LoopActor func closeLeavesTheFileOfASuccessor() throws {
        let first = try listener(at: path)
        try directory.delete("socket")
        let second = try listener(at: path)
        #expect(!first.close())
        withExtendedLifetime(try connect(path)) {}
        #expect(second.close())
    }
}
