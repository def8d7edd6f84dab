// SPDX-License-Identifier: MIT

import Glibc
import WebPage

/// The file of --token-file.
struct TokenFile {
    struct Fault: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "--token-file \(path): \(reason)" }
    }

    /// What fstat(2) says of it.
    struct Facts {
        var isRegular = true
        var owner: uid_t
        var mode: mode_t
        /// Whether systemd has put the file there for this process. Its access list then appears as permissions of the group.
        var isCredential = false
    }

    /// Why a file does not count as a secret of this user; nil if it does.
    static func fault(_ facts: Facts, user: uid_t) -> String? {
        if !facts.isRegular { return "is not a file" }
        if facts.owner != user, facts.owner != 0 { return "belongs to another user" }
        let others: mode_t = facts.isCredential ? 0o037 : 0o077
        return facts.mode & others == 0 ? nil : "others may read it: chmod 600 is needed"
    }

    static func secret(at path: String, credentials: String?) throws(Fault) -> Secret {
        func fault(_ reason: String) -> Fault { Fault(path: path, reason: reason) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw fault(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault(String(cString: strerror(errno))) }
        let facts = Facts(
            isRegular: status.st_mode & S_IFMT == S_IFREG, owner: status.st_uid, mode: status.st_mode & 0o777,
            isCredential: credentials.map { path.hasPrefix("\($0)/") } ?? false)
        if let reason = Self.fault(facts, user: geteuid()) { throw fault(reason) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw fault(String(cString: strerror(errno))) }
        do throws(TokenText.Fault) {
            return try TokenText.secret(Array(bytes[..<count]))
        } catch {
            throw fault(error.reason)
        }
    }
}
