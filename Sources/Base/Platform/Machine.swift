// SPDX-License-Identifier: MIT
import Glibc

/// What this machine is called.
package enum Machine {
    /// A name that says nothing of the machine to others: machine-id(5) asks for a hash of it, with a text of the application.
    package static func hash(for purpose: String) -> String {
        let file = open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = max(0, read(file, &bytes, bytes.count))
        // A container may have none.
        let id = count > 0 ? Array(bytes[..<count]) : Array(hostName.utf8)
        return String(StableHash(Array("\(purpose):".utf8) + id).value, radix: 16)
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
