// SPDX-License-Identifier: MIT

/// The version of the daemon, its client and the interfaces, which are released together.
package enum Version {
    package static let text = "0.1.0"
    package static let vendor = "todayd"
    package static let product = "Today for Linux"
    package static let url = "https://github.com/todayd/todayd"
}
