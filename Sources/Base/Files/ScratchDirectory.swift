// SPDX-License-Identifier: MIT
import Glibc

/// A new directory that only this user can enter, for files that its process removes at its end.
package struct ScratchDirectory: Sendable {
    package let path: String

    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let parent: String
        package let code: Int32
        package var description: String { "cannot make a directory in \(parent): \(FileContents.words(code))" }
    }

    /// - Parameters:
    ///   - name: the beginning of its name.
    ///   - parent: `$TMPDIR` or `/tmp`.
    package init(_ name: String, in parent: String) throws(Failure) {
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
        }
        guard let made else { throw Failure(parent: parent, code: errno) }
        path = made
    }

    /// Removes the directory with all that is in it, without following links. Call it when no process uses it any more.
    package func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        // A program may have removed its own permissions.
        chmod(path, 0o700)
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                // Names that are not UTF-8 are removed, too, so the name stays a C string: readdir(3).
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { remove($0, in: path, dirfd(stream)) }
                }
            }
            closedir(stream)
        }
        rmdir(path)
    }

    private static func remove(_ name: UnsafePointer<CChar>, in path: String, _ directory: Int32) {
        guard strcmp(name, ".") != 0, strcmp(name, "..") != 0 else { return }
        if unlinkat(directory, name, 0) == 0 || errno != EISDIR { return }
        // A directory whose name is not UTF-8 is removed if it is empty.
        if let text = String(validatingCString: name) { remove("\(path)/\(text)") }
        unlinkat(directory, name, Int32(AT_REMOVEDIR))
    }
}
