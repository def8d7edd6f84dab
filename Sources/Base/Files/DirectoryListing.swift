// SPDX-License-Identifier: MIT
import Glibc

/// The names in a directory, sorted, each with the kind of its file.
package struct DirectoryListing: Sendable {
    package struct Entry: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case file, directory, link, other
        }
        package let name: String
        package let kind: Kind
    }

    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let isMissing: Bool
        package let description: String
    }

    package let entries: [Entry]
    /// Names that are not UTF-8, with replacement characters, for people: a String cannot name such a file.
    package let illegibleNames: [String]

    package init(of path: String) throws(Failure) {
        guard let directory = opendir(path) else {
            let code = errno
            throw Failure(
                isMissing: code == ENOENT || code == ENOTDIR, description: "\(path): \(FileContents.words(code))")
        }
        defer { closedir(directory) }
        var entries: [Entry] = []
        var illegibleNames: [String] = []
        // readdir(3): the entry is valid until the next call on the same stream, and its name ends with a NUL.
        while let entry = readdir(directory) {
            let (name, lossy) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    (String(validatingCString: $0), String(cString: $0))
                }
            }
            guard let name else {
                illegibleNames.append(lossy)
                continue
            }
            guard name != ".", name != ".." else { continue }
            entries.append(Entry(name: name, kind: Self.kind(entry.pointee.d_type, "\(path)/", name)))
        }
        self.entries = entries.sorted { $0.name < $1.name }
        self.illegibleNames = illegibleNames.sorted()
    }

    /// Some file systems do not tell the kind in the listing (readdir(3), DT_UNKNOWN).
    private static func kind(_ type: UInt8, _ directory: String, _ name: String) -> Entry.Kind {
        switch Int32(type) {
        case Int32(DT_REG): return .file
        case Int32(DT_DIR): return .directory
        case Int32(DT_LNK): return .link
        case Int32(DT_UNKNOWN):
            var status = stat()
            guard lstat(directory + name, &status) == 0 else { return .other }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return .file
            case S_IFDIR: return .directory
            case S_IFLNK: return .link
            default: return .other
            }
        default: return .other
        }
    }
}
