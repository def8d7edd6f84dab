// SPDX-License-Identifier: MIT
import Glibc

/// The checkout that the tests were built from.
enum Tree {
    static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func text(of file: String) throws -> String {
        guard let stream = fopen("\(root)/\(file)", "r") else { throw Failure(description: "cannot read \(file)") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the output of a command; throws when it fails.
    static func output(of command: String) throws -> String {
        guard let stream = popen(command, "r") else { throw Failure(description: "cannot run \(command)") }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard pclose(stream) == 0 else { throw Failure(description: "\(command) failed") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The Swift files below a directory, by their paths from the root.
    static func swiftFiles(below directory: String) throws -> [String] {
        guard let stream = opendir("\(root)/\(directory)") else {
            throw Failure(description: "cannot list \(directory)")
        }
        defer { closedir(stream) }
        var files: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                files += try swiftFiles(below: "\(directory)/\(name)")
            } else if name.hasSuffix(".swift") {
                files.append("\(directory)/\(name)")
            }
        }
        return files.sorted()
    }
}
