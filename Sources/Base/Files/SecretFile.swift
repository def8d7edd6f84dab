// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// A file with a secret, which other users cannot read.
package enum SecretFile {
    /// Why a file is not read, in words.
    package struct Fault: Error, Equatable {
        package let reason: String
    }

    /// Who may read a file besides its owner.
    package enum Readers: Sendable {
        case none
        /// For a service with a user of its own: the file may be root's.
        case group
        /// systemd has put the file there for this process. Its access list appears as permissions of the group.
        case credential

        var refused: mode_t {
            switch self {
            case .none: 0o077
            case .group: 0o027
            case .credential: 0o037
            }
        }
    }

    /// Why a file is no secret of this user; nil if it is one.
    package static func fault(owner: uid_t, mode: mode_t, _ readers: Readers, user: uid_t) -> String? {
        if mode & S_IFMT != S_IFREG { return "is not a file" }
        if owner != user, owner != 0 { return "belongs to another user" }
        return mode & readers.refused == 0 ? nil : "others may read it: chmod 600 is needed"
    }

    /// The first bytes of the file, up to 4 KiB.
    package static func read(_ path: String, _ readers: Readers) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Fault(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Fault(reason: String(cString: strerror(errno))) }
        if let reason = fault(owner: status.st_uid, mode: status.st_mode, readers, user: geteuid()) {
            throw Fault(reason: reason)
        }
        let (bytes, code) = Descriptor.readOnce(descriptor, upTo: 4_096)
        guard code == 0 else { throw Fault(reason: String(cString: strerror(code))) }
        return bytes
    }
}
