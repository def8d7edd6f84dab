// SPDX-License-Identifier: MIT
import Glibc

/// Which file it is: the device and the inode number, which no two files have at the same time (inode(7)).
package struct FileIdentity: Hashable, Sendable {
    package let device: dev_t
    package let inode: ino_t

    package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

    /// The file that a path leads to; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file at a path, which may be a symbolic link itself; nil if there is none.
    package init?(ofLink path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file behind a descriptor; nil if the descriptor is not open.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
