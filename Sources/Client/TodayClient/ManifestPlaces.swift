// SPDX-License-Identifier: MIT

import Files
import Glibc
import TodayModel

/// Where manifests lie for the user's daemon and for the system's.
struct ManifestPlaces: Equatable {
    let user: [String]
    let system = ManifestDirectories.system
    /// The user's own socket.
    let socket: String
    let home: String?
    let isRoot: Bool

    init(_ environment: Environment, uid: UInt32 = getuid()) {
        user = ManifestDirectories.user { environment[$0] }
        socket = Endpoint.userPath(environment, uid: uid)
        home = environment["HOME"]
        isRoot = uid == 0
    }

    /// The manifests of a widget, named in full or by the end of its identifier.
    func manifests(of name: String) -> [String] {
        (user + system).flatMap { directory -> [String] in
            let entries = (try? DirectoryListing(of: directory))?.entries ?? []
            return entries.map(\.name).filter { Self.isManifest($0, of: name) }.map { "\(directory)/\($0)" }
        }
    }

    static func isManifest(_ file: String, of name: String) -> Bool {
        guard file.hasSuffix(".widget"), let id = WidgetID(String(file.dropLast(".widget".count))) else { return false }
        return id.text == name || id.hasSuffix(name)
    }

    /// As people write it.
    func shortened(_ path: String) -> String {
        guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}

/// The manifest of a widget, in a directory that the daemon which answers does not read.
struct UnreadManifest: CustomStringConvertible {
    let description: String
    let id: String

    /// Nil where the daemon reads the directory.
    /// - Parameters:
    ///   - id: as it was typed.
    ///   - isRunning: whether the user's own daemon listens.
    init?(
        _ id: String, _ path: String, by daemon: DaemonStatus, at endpoint: Endpoint, _ places: ManifestPlaces,
        isRunning: (String) -> Bool = Paths.exists
    ) {
        let directory = Paths.parent(of: path)
        if daemon.widgetDirectories.contains(directory) { return nil }
        self.id = id
        let remedy: String
        switch daemon.instance {
        case .system where !places.user.contains(directory):
            remedy = "'todayctl status' has the directories that it reads"
        case .system where isRunning(places.socket):
            remedy = "your own does: todayctl --user"
        case .system where places.isRoot:
            remedy = "it reads \(daemon.widgetDirectories.first ?? "none")"
        case .system:
            remedy = "start your own: systemctl --user enable --now todayd"
        case .user where places.system.contains(directory) && !places.user.contains(directory):
            remedy = "the system's does: todayctl --system"
        case .user:
            remedy = "'todayctl status' has the directories that it reads"
        }
        let whose = daemon.instance == .system ? "the system's" : "your own"
        let place = endpoint.kind == .given ? " at \(endpoint.path)" : ""
        description =
            "no widget '\(id)': \(places.shortened(path)) is there, but \(whose) todayd\(place), which answers, does not "
            + "read that directory; \(remedy)"
    }
}
