// SPDX-License-Identifier: MIT
import Glibc

/// Operations on files in the directory, with relative paths.
extension TemporaryDirectory {
    /// Writes a file, with the directories it needs, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    @discardableResult
    package func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) throws -> String {
        if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
        let path = self(name)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw FileFailure("create", path) }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fchmod(file, mode) == 0 else {
            throw FileFailure("write", path)
        }
        return path
    }

    /// Writes an executable script.
    @discardableResult
    package func script(_ text: String, to name: String) throws -> String {
        try write(text, to: name, mode: 0o755)
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    package func bytes(of name: String) throws -> [UInt8] {
        let path = self(name)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileFailure("open", path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { throw FileFailure("read", path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Makes a directory, with those above it, and returns its path.
    @discardableResult
    package func makeDirectory(_ name: String) throws -> String {
        var made = path
        for part in name.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw FileFailure("create", made) }
        }
        return made
    }

    package func rename(_ name: String, to newName: String) throws {
        guard Glibc.rename(self(name), self(newName)) == 0 else { throw FileFailure("rename", self(name)) }
    }

    /// Makes a symbolic link, which may lead nowhere.
    package func link(_ name: String, to target: String) throws {
        guard symlink(target, self(name)) == 0 else { throw FileFailure("link", self(name)) }
    }

    package func makePipe(_ name: String) throws {
        guard mkfifo(self(name), 0o600) == 0 else { throw FileFailure("create", self(name)) }
    }

    /// Moves a file to a path outside.
    package func move(_ name: String, to path: String) throws {
        guard Glibc.rename(self(name), path) == 0 else { throw FileFailure("move", self(name)) }
    }

    package func delete(_ name: String) throws {
        guard Glibc.remove(self(name)) == 0 else { throw FileFailure("delete", self(name)) }
    }

    /// The names in a directory, sorted.
    package func names(in name: String) throws -> [String] {
        guard let stream = opendir(self(name)) else { throw FileFailure("list", self(name)) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package func exists(_ name: String) -> Bool { access(self(name), F_OK) == 0 }
}

/// A file operation of a test failed.
package struct FileFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ action: String, _ path: String) {
        description = "cannot \(action) \(path): \(String(cString: strerror(errno)))"
    }
}
