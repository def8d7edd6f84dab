// SPDX-License-Identifier: MIT

import Glibc

/// Files that a command is told to read.
enum InputFile {
    /// The bytes of a file, or of standard input for `-`.
    static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            bytes += chunk[..<count]
            if bytes.count > limit { throw ClientError("\(path): more than \(limit) bytes", .usage) }
        }
    }

    private static func failure(_ path: String) -> ClientError {
        ClientError("\(path): \(String(cString: strerror(errno)))", .usage)
    }
}
