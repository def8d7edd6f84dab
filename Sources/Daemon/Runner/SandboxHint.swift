// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What of a sandbox may be behind an error message: the kernel's answers are those that a program gets elsewhere, too, so that
/// only its words tell.
enum SandboxHint {
    private static let network = [
        "resolve host", "name resolution", "name or service not known", "network is unreachable", "no route to host",
        "getaddrinfo", "eai_again", "failed to connect", "couldn't connect", "could not connect",
    ]
    private static let bus = ["dbus", "d-bus", "org.freedesktop"]
    private static let missing = ["no such file or directory", "enoent", "does not exist"]
    private static let refused = ["permission denied", "operation not permitted", "eacces", "eperm"]
    private static let unwritable = ["read-only file system", "erofs"]
    /// Where a strict sandbox has nothing, or a directory of its own.
    private static let emptyPlaces = ["/home/", "/root/", "~/", "/run/", "/tmp/", "/var/", "/mnt/", "/media/", "/srv/"]

    /// In words, with the key of a manifest that opens the door; nil where nothing hints at the sandbox.
    static func words(for message: String, _ sandbox: Sandbox) -> String? {
        let message = message.lowercased()
        func says(_ words: [String]) -> Bool { words.contains(where: message.includes) }
        if !sandbox.hasNetwork, says(network) { return "its sandbox has no network (Network=yes gives it)" }
        guard sandbox.level != .none else { return nil }
        if !sandbox.bus, says(bus) { return "its sandbox has no bus of the session (Bus=yes gives it)" }
        if says(unwritable) { return "its sandbox may write to its own directories alone (WritePaths= adds others)" }
        if says(refused) { return "its sandbox may forbid this (ReadPaths=, WritePaths= and Devices= open doors)" }
        if says(missing), says(emptyPlaces) { return "its sandbox may hide this (ReadPaths= shows it)" }
        return nil
    }
}
