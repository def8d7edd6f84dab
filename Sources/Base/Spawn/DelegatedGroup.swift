// SPDX-License-Identifier: MIT
import Glibc

/// The control group that a service manager has given to this process with the right to make groups in it: `Delegate=` of
/// systemd.resource-control(5).
package struct DelegatedGroup: Sendable {
    /// What can be limited for a group, by the kernel's name.
    package enum Controller: String, CaseIterable, Sendable {
        case memory, pids, cpu

        /// - Parameter text: of the file cgroup.subtree_control.
        static func all(in text: String) -> Set<Controller> {
            Set(text.split { $0 == " " || $0 == "\n" }.compactMap { Controller(rawValue: String($0)) })
        }
    }

    package let group: ControlGroup
    /// The controllers that groups inside this one have.
    package let controllers: Set<Controller>

    /// The group of this process, which the service manager has delegated to it. The process moves into a group of its own
    /// inside it, because a group that contains processes cannot enable controllers for the groups in it (cgroups(7), "no
    /// internal processes").
    package static func own() throws(ControlGroup.Failure) -> DelegatedGroup {
        guard let path = pathOfOwnGroup else { throw ControlGroup.Failure("find the unified hierarchy", ENOENT) }
        let group = try ControlGroup(at: path)
        try ControlGroup(at: "\(path)/\(ownName)").enter()
        return DelegatedGroup(group)
    }

    private static let ownName = "daemon"

    /// A group that no other program uses. Ends what an earlier process has left in it.
    package init(_ group: ControlGroup) {
        self.group = group
        for controller in Controller.allCases {
            try? group.write("+\(controller.rawValue)", to: "cgroup.subtree_control")
        }
        controllers = Controller.all(in: group.read("cgroup.subtree_control") ?? "")
        // The names of systemd's own groups begin with a dot, such as that of ExecReload=.
        for name in ControlGroup.names(in: group.path, upTo: 10_000) where name != Self.ownName && !name.hasPrefix(".")
        {
            try? ControlGroup(at: "\(group.path)/\(name)").end()
        }
    }

    // MARK: Where it is

    /// The directory of this process's group in the unified hierarchy; nil if that is not mounted.
    package static var pathOfOwnGroup: String? {
        guard let groups = ProcFile.read("/proc/self/cgroup"), let mounts = ProcFile.read("/proc/self/mountinfo")
        else { return nil }
        return path(groups: String(decoding: groups, as: UTF8.self), mounts: String(decoding: mounts, as: UTF8.self))
    }

    /// - Parameters:
    ///   - groups: of proc_pid_cgroup(5). The line of version 2 begins with `0::`.
    ///   - mounts: of proc_pid_mountinfo(5). The fields are the mount's number, its parent's, the device, the mounted
    ///     directory, the place, options, and after a hyphen the type.
    static func path(groups: String, mounts: String) -> String? {
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        for mount in mounts.split(separator: "\n") {
            let fields = mount.split(separator: " ")
            guard let hyphen = fields.firstIndex(of: "-"), fields.dropFirst(hyphen + 1).first == "cgroup2",
                fields.count > 4, fields[3] == "/", !fields[4].contains("\\")
            else { continue }
            let path = "\(fields[4])\(line.dropFirst(3))"
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        return nil
    }
}
