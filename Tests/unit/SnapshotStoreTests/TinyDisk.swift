// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// A small file system in memory (tmpfs) over a directory, which a test fills or makes read-only. Needs root.
final class TinyDisk {
    private let path: String

    init?(over path: String, kilobytes: Int = 2_048) {
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=0700") == 0 else { return nil }
        self.path = path
    }

    // Detached, because a store that a failing test left open keeps the file system busy.
    deinit { umount2(path, Int32(MNT_DETACH)) }

    static let isPossible: Bool = {
        let directory = TemporaryDirectory()
        return TinyDisk(over: directory.path) != nil
    }()

    /// Fills the file system.
    func fill() throws {
        let descriptor = open("\(path)/ballast", O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CannotPrepare(reason: "no ballast") }
        defer { close(descriptor) }
        for size in [4_096, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(descriptor, bytes, size) > 0 {}
        }
    }

    func makeRoom() { unlink("\(path)/ballast") }

    func setReadOnly(_ isReadOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else {
            throw CannotPrepare(reason: "cannot remount: \(String(cString: strerror(errno)))")
        }
    }
}
