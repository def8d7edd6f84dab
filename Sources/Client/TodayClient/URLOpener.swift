// SPDX-License-Identifier: MIT

import Glibc

/// Opens URLs as the user's desktop does, through xdg-open(1).
enum URLOpener {
    private static let program = "xdg-open"

    /// Whether it was opened; the reason is xdg-open's to say.
    static func open(_ url: String) -> Bool {
        var pid = pid_t()
        // Unsafe: the strings are valid within the closures, and the new process has its own copies of them.
        let error = program.withCString { program in
            url.withCString { url in
                var arguments = [UnsafeMutablePointer(mutating: program), UnsafeMutablePointer(mutating: url), nil]
                return posix_spawnp(&pid, program, nil, nil, &arguments, environ)
            }
        }
        guard error == 0 else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }
}
