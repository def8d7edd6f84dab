// SPDX-License-Identifier: MIT
import Glibc

/// A file descriptor with one owner: closed when the last reference goes.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(adopting number: Int32) { self.number = number }

    deinit { close(number) }
}
