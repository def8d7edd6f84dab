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
