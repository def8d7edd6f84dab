// SPDX-License-Identifier: MIT
import Glibc

/// The user and group databases: passwd(5), getgrnam_r(3) and getpwuid_r(3).
package enum Users {
    /// The user of this name in /etc/passwd.
    ///
    /// No directory service is asked (nss(5)): its answer can take as long as the network does, and a failure of the service
    /// looks like a user who does not exist.
    package static func localUID(named name: String, in path: String = "/etc/passwd") -> uid_t? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        return find { buffer in
            var record = passwd()
            var result: UnsafeMutablePointer<passwd>?
            rewind(file)
            while true {
                let code = fgetpwent_r(file, &record, &buffer, buffer.count, &result)
                guard result != nil, let found = record.pw_name else { return (code, nil) }
                // Lines that begin with + or - are instructions to nss_compat(5), and their uid can be missing.
                if strcmp(found, name) == 0, name.utf8.first != UInt8(ascii: "+"), name.utf8.first != UInt8(ascii: "-")
                {
                    return (code, record.pw_uid)
                }
            }
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
