// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// File systems that only the daemon under test sees, in a mount namespace of its own: unshare(1).
enum PrivateMounts {
    /// Whether this process may make mount namespaces: as root, or where users may have them.
    static let areAllowed: Bool = {
        guard let command = prefix else { return false }
        let probe = try? run(command[0], command.dropFirst() + ["mount -t tmpfs none /tmp", "sh"])
        if probe?.status == 0 { return true }
        print("skipped: no mount namespace here (\(probe?.errors.split(separator: "\n").first ?? "no unshare"))")
        return false
    }()

    /// A disk at `path` with `room` KiB free, and as much again in a file `filler`.
    static func smallDisk(at path: String, room: Int) -> [String] {
        wrapper("mount -t tmpfs -o size=\(2 * room)k none '\(path)' && head -c \(room)K /dev/zero >'\(path)/filler'")
    }

    /// The directory at `path`, read-only.
    static func readOnly(_ path: String) -> [String] {
        wrapper("mount --bind '\(path)' '\(path)' && mount -o remount,bind,ro '\(path)'")
    }

    private static func wrapper(_ mounting: String) -> [String] {
        (prefix ?? []) + ["\(mounting) && exec \"$@\"", "sh"]
    }

    private static let prefix: [String]? = BuiltPrograms.installed("unshare").map { unshare in
        [unshare, "--mount"] + (getuid() == 0 ? [] : ["--map-root-user"]) + ["/bin/sh", "-c"]
    }
}
