// SPDX-License-Identifier: MIT

import Files
import Glibc
import JSON
import Platform
import TodayModel

/// The manifest directories of the user's daemon and of the system's.
package struct ManifestPlaces: Equatable {
    package let user: [String]
    package let system = ManifestDirectories.system
    /// The socket of the user's own daemon.
    package let socket: String
    package let home: String?
    package let isRoot: Bool

    package init(_ environment: EnvironmentVariables, uid: UInt32 = getuid()) {
        user = ManifestDirectories.user { environment[$0] }
        socket = DaemonSocket.userPath(environment, uid: uid)
        home = environment["HOME"]
        isRoot = uid == 0
    }

    /// The paths of the manifests whose identifier is `word` or ends with it.
    package func manifests(of word: String) -> [String] {
        (user + system).flatMap { directory -> [String] in
            let entries = (try? DirectoryListing(of: directory))?.entries ?? []
            return entries.map(\.name).filter { Self.isManifest($0, of: word) }.map { "\(directory)/\($0)" }
        }
    }

    static func isManifest(_ file: String, of word: String) -> Bool {
        guard file.hasSuffix(".widget"), let id = WidgetID(String(file.dropLast(".widget".count))) else { return false }
        return id.text == word || id.hasSuffix(word)
    }

    /// The path with `~` for the home directory.
    package func shortened(_ path: String) -> String {
        guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}

/// A manifest in a directory that the daemon which answers does not read.
package struct UnreadManifest: CustomStringConvertible {
    package let description: String
    package let id: String

    /// Nil if the daemon reads the directory.
    ///
    /// - Parameters:
    ///   - id: as the user typed it.
    ///   - isRunning: whether the user's own daemon listens.
    package init?(
        _ id: String, _ path: String, by daemon: DaemonStatus, at socket: DaemonSocket, _ places: ManifestPlaces,
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
        let place = socket.kind == .given ? " at \(socket.path)" : ""
        description =
            "no widget '\(id)': \(places.shortened(path)) is there, but \(whose) todayd\(place), which answers, does not "
            + "read that directory; \(remedy)"
    }
}

/// The complaints of the daemon about files that belong to no widget, as `file:line: reason`.
package struct ManifestComplaints {
    private static let suffix = ".widget"

    private let complaints: [String]

    /// - Parameter status: a reply to Status.
    package init(_ status: JSONObject) {
        complaints = (status["daemon"]?["complaints"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    /// The complaints about `.widget` files, which are missing in the list of widgets.
    package var ofWidgets: [String] { complaints.filter { Self.fileName(in: $0).hasSuffix(Self.suffix) } }

    /// The complaints about a file, which is named with or without its suffix.
    package func about(_ word: String) -> [String] {
        complaints.filter { complaint in
            let name = Self.fileName(in: complaint)
            return name == word || name == word + Self.suffix
        }
    }

    /// The name of the file at the beginning of a complaint.
    private static func fileName(in complaint: String) -> Substring {
        // The path ends at the first colon before a space. A line number may precede that colon.
        var path = complaint[...]
        var rest = complaint[...]
        while let colon = rest.firstIndex(of: ":") {
            let next = rest.index(after: colon)
            if next == rest.endIndex || rest[next] == " " {
                path = complaint[..<colon]
                break
            }
            rest = rest[next...]
        }
        if let colon = path.lastIndex(of: ":"), path[colon...].dropFirst().allSatisfy(\.isNumber) {
            path = path[..<colon]
        }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }
}
