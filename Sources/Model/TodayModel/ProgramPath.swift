// SPDX-License-Identifier: MIT

/// `PATH` of every run: the directories in which a program is looked for that is named without one.
package enum ProgramPath {
    /// As of a login on Debian, with the directories for administrators: widgets look at the machine.
    package static let standard = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The daemon's own, if it has one.
    package static func value(in environment: [String: String]) -> String {
        environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? standard
    }

    /// Each once, without those that depend on the working directory.
    package static func directories(in environment: [String: String]) -> [String] {
        value(in: environment).split(separator: ":").reduce(into: []) { list, part in
            var directory = part
            while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
            if directory.hasPrefix("/"), !list.contains(String(directory)) { list.append(String(directory)) }
        }
    }
}
