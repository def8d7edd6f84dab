// SPDX-License-Identifier: MIT
import CSystemd
import Glibc

/// A socket that the service manager has opened, with its name from the unit (`FileDescriptorName=`).
package struct PassedSocket: Sendable, Equatable {
    package let name: String
    package let descriptor: Int32

    package init(name: String, descriptor: Int32) {
        self.name = name
        self.descriptor = descriptor
    }

    /// The path to which it is bound; nil unless it is a Unix socket with a file: getsockname(2), unix(7).
    package var path: String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Unsafe: the call takes the address as another type. It gets the size of the structure and writes no more. The
        // rest stays zero, so a path ends with a NUL or with the structure.
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
    /// Takes the sockets over. It makes them close-on-exec and removes their variables, so that no child takes them for
    /// its own. Empty when there are none.
    package static func take() throws(SystemdError) -> [PassedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else {
            throw SystemdError("take over the sockets passed by the service manager", code: -count)
        }
        // The caller frees the array and its strings.
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

/// An error of libsystemd.
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
