// SPDX-License-Identifier: MIT
import Glibc

/// A variable of the process's environment.
func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
