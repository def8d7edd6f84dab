// SPDX-License-Identifier: MIT
import CSystemd
import Glibc

/// A socket that the service manager opened for us, with the name its unit gives it (`FileDescriptorName=`).
package struct PassedSocket: Sendable, Equatable {
    package let name: String
    package let descriptor: Int32

    package init(name: String, descriptor: Int32) {
        self.name = name
        self.descriptor = descriptor
    }

    /// Where it is bound; nil for what is no Unix socket with a file: getsockname(2), unix(7).
    package var path: String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Unsafe: the address as the general type that the call takes. It is told how long the structure is and writes
        // no more; what it leaves is zero, and the longest path is ended by the end of the structure.
        let result = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return path.isEmpty ? nil : path
    }
}

/// The sockets that came with the process: sd_listen_fds_with_names(3).
package enum PassedSockets {
    /// Takes them over: they are close-on-exec from now on, and the environment says nothing of them any more, so that
    /// no child believes that they are meant for it. Empty when there are none.
    package static func take() throws(SystemdError) -> [PassedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else {
            throw SystemdError("take over the sockets passed by the service manager", code: -count)
        }
        // The array and its strings are ours to free.
        defer {
            for index in 0..<Int(count) { free(names?[index]) }
            free(names)
        }
        return (0..<count).map { index in
            let name = names?[Int(index)].map { String(cString: $0) } ?? ""
            return PassedSocket(name: name, descriptor: SD_LISTEN_FDS_START + index)
        }
    }
}

/// Something libsystemd could not do, in words.
package struct SystemdError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, as the end of a sentence that begins with "cannot".
    package let action: String
    /// The errno value.
    package let code: Int32

    package init(_ action: String, code: Int32) {
        self.action = action
        self.code = code
    }

    package var description: String { "cannot \(action): \(String(cString: strerror(code)))" }
}
