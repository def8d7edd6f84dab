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

    /// The name and the home directory of a user: getpwuid_r(3).
    package static func user(_ uid: uid_t) -> (name: String, home: String)? {
        find { buffer in
            var record = passwd()
            var result: UnsafeMutablePointer<passwd>?
            let code = getpwuid_r(uid, &record, &buffer, buffer.count, &result)
            guard result != nil, let name = record.pw_name, let home = record.pw_dir else { return (code, nil) }
            return (code, (String(cString: name), String(cString: home)))
        }
    }

    /// Repeats the call with a larger buffer while the buffer is too small (ERANGE). The record's pointers lead into
    /// the buffer, so only numbers and copies are returned.
    private static func find<Found>(_ ask: (inout [CChar]) -> (code: Int32, found: Found?)) -> Found? {
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
