// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor

/// What the kernel withholds from a program and all that it starts, on systems that forbid namespaces: files by Landlock,
/// landlock(7), and the network by a filter of system calls, seccomp(2).
package final class KernelWalls: Sendable {
    /// A file or directory that the program may use.
    package struct Door: Hashable, Sendable {
        package enum Access: Sendable { case read, write, device }

        package var path: String
        package var access: Access
        /// It need not exist.
        package var isOptional: Bool

        package init(_ access: Access, _ path: String, isOptional: Bool) {
            self.access = access
            self.path = path
            self.isOptional = isOptional
        }
    }

    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String

        init(_ attempt: String, _ code: Int32) { description = "cannot \(attempt): \(String(cString: strerror(code)))" }
    }

    /// The version of Landlock that the kernel has; 0 means none.
    package static let version = Int(clinux_landlock_version())

    package let hasNetwork: Bool
    private let ruleset: OwnedDescriptor?

    /// For the launch of a program; nil if no files are withheld.
    var descriptor: Int32? { ruleset?.number }

    /// - Parameter doors: nil withholds no files.
    package init(doors: [Door]?, hasNetwork: Bool) throws(Failure) {
        self.hasNetwork = hasNetwork
        guard let doors else {
            ruleset = nil
            return
        }
        guard Self.version > 0 else { throw Failure("withhold files, which needs Landlock in the kernel", ENOSYS) }
        let number = clinux_ruleset(Int32(Self.version))
        guard number >= 0 else { throw Failure("make a ruleset of Landlock", errno) }
        ruleset = OwnedDescriptor(adopting: number)
        for door in doors { try Self.open(door, in: number) }
    }

    private static func open(_ door: Door, in ruleset: Int32) throws(Failure) {
        let access =
            switch door.access {
            case .read: CLINUX_READ
            case .write: CLINUX_WRITE
            case .device: CLINUX_DEVICE
            }
        if clinux_ruleset_allow(ruleset, Int32(version), door.path, Int32(access.rawValue)) == 0 { return }
        if door.isOptional, [ENOENT, ENOTDIR, EACCES].contains(errno) { return }
        throw Failure("let a sandbox have \(door.path)", errno)
    }
}
