// SPDX-License-Identifier: MIT
import Glibc

/// The user and group databases: getpwnam_r(3), getgrnam_r(3).
package enum Users {
    package static func uid(named name: String) -> uid_t? {
        find { buffer in
            var record = passwd()
            var result: UnsafeMutablePointer<passwd>?
            let code = getpwnam_r(name, &record, &buffer, buffer.count, &result)
            return (code, result == nil ? nil : record.pw_uid)
        }
    }

    package static func gid(named name: String) -> gid_t? {
        find { buffer in
            var record = group()
            var result: UnsafeMutablePointer<group>?
            let code = getgrnam_r(name, &record, &buffer, buffer.count, &result)
            return (code, result == nil ? nil : record.gr_gid)
        }
    }

    /// Asks with a larger and larger buffer as long as it is too small. The record's pointers lead into the buffer; only
    /// its number gets out.
    private static func find(_ ask: (inout [CChar]) -> (code: Int32, found: UInt32?)) -> UInt32? {
        var size = 1024
        while size <= 1 << 20 {
            var buffer = [CChar](repeating: 0, count: size)
            let (code, found) = ask(&buffer)
            if code != ERANGE { return found }
            size *= 4
        }
        return nil
    }
}
