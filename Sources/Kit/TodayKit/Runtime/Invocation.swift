// SPDX-License-Identifier: MIT
import Glibc

/// How the program was started, and so what it is.
package enum Invocation: Hashable, Sendable {
    /// A child of the daemon, or of `varlinkctl call exec:…`, with its connection.
    case service(widget: Int32, context: Int32?)
    /// One run of the daemon with Protocol=json.
    case oneShot
    /// Its author works on it.
    case development

    /// The first descriptor that is passed, sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// - Parameter pid: this process's own, for which alone descriptors are passed.
    package init(_ variables: Variables, pid: pid_t = getpid()) {
        if let (widget, context) = Self.descriptors(variables, pid: pid) {
            self = .service(widget: widget, context: context)
        } else {
            self = variables["TODAYD"] == "1" ? .oneShot : .development
        }
    }

    /// The descriptors by the names which they were passed under: `varlink` the widget's, `context` the daemon's.
    private static func descriptors(_ variables: Variables, pid: pid_t) -> (Int32, Int32?)? {
        guard let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0,
            let names = variables["LISTEN_FDNAMES"]
        else { return nil }
        // Who starts a child with posix_spawn(3) cannot know its number beforehand and leaves it out.
        if let meant = variables["LISTEN_PID"], meant != "\(pid)" { return nil }
        let listed = names.split(separator: ":", omittingEmptySubsequences: false).prefix(Int(count))
        func descriptor(named name: Substring) -> Int32? {
            listed.firstIndex(of: name).map { firstDescriptor + Int32($0) }
        }
        guard let widget = descriptor(named: "varlink") else { return nil }
        return (widget, descriptor(named: "context"))
    }
}
