// SPDX-License-Identifier: MIT
import Glibc

/// A directory for one test, removed with this object. TODAY_KEEP_TEST_DIR=1 keeps it for a look at its files.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        var template = Array("\(Self.parent)/today-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
        }
        guard let made else { preconditionFailure("cannot make a directory in \(Self.parent): \(errno)") }
        path = made
    }

    deinit {
        if getenv("TODAY_KEEP_TEST_DIR") == nil { Self.remove(path) }
    }

    /// Removes the files in a directory, without following links, and then the directory.
    private static func remove(_ path: String) {
        // A test may have removed its permissions.
        chmod(path, 0o700)
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                        // A name may be other bytes than UTF-8.
                        guard unlinkat(dirfd(stream), name, 0) != 0, errno == EISDIR else { return }
                        let text = String(cString: name)
                        if text != ".", text != ".." { remove("\(path)/\(text)") }
                    }
                }
            }
            closedir(stream)
        }
        rmdir(path)
    }

    /// The path of a file in the directory.
    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    private static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
}
