// SPDX-License-Identifier: MIT
import Glibc

/// The address of a Unix socket in the file system, unix(7).
struct UnixSocketAddress {
    private var address = sockaddr_un()

    /// `sun_path` must also hold the NUL.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Nil when the path does not fit.
    init?(path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.longestPath else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        // The array of C is a tuple here, which only its memory can fill; the length was checked against it.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls a function of socket(7)'s family, which all take this address as one of another type.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
