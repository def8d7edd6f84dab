// SPDX-License-Identifier: MIT

import Files
import Glibc
import TodayModel

/// The manifest of a widget that has no program: it gets its content by pushes.
struct PushManifest: Equatable {
    let id: WidgetID
    let name: String
    /// Where the daemon that answers looks first.
    let directory: String
    let isSystem: Bool

    /// Nil where the word cannot become an identifier.
    /// - Parameter word: an identifier, or the last label of one, which gets one in front.
    init?(_ word: String, for daemon: DaemonStatus) {
        guard let id = WidgetID(word) ?? WidgetID("local.\(word)"), let directory = daemon.widgetDirectories.first
        else {
            return nil
        }
        self.id = id
        name = id.text.split(separator: ".").last.map(String.init) ?? word
        self.directory = directory
        isSystem = daemon.instance == .system
    }

    var path: String { "\(directory)/\(id).widget" }

    var lines: [String] { ["[Widget]", "DisplayName=\(name)", "[Update]", "Protocol=push"] }

    /// For the end of an error message.
    func offer(_ places: ManifestPlaces) -> String {
        let text = lines.map { "\n    \($0)" }.joined()
        let who = isSystem && !places.isRoot ? " as root" : ""
        return "\nTo have one, save this\(who) as \(places.shortened(path)), which --create does:\(text)"
    }

    /// Saves it where nothing of this name is.
    /// - Parameter isRoots: whether root has started the todayd which names the directory. Any other one does not say where
    ///   root writes.
    func write(_ places: ManifestPlaces, isRoots: Bool) throws(ClientError) {
        let isUsual = (places.user + places.system).contains(directory)
        if places.isRoot, !isUsual, !isRoots || !directory.hasPrefix("/") {
            throw ClientError(
                "todayd says that it reads \(directory), which is none of its usual directories: if that is right, save "
                    + "\(path) yourself", .notPermitted)
        }
        do throws(DirectoryFailure) {
            try Paths.makeDirectory(directory, mode: isSystem ? 0o755 : 0o700)
        } catch {
            throw failure(error.description, error.code)
        }
        do throws(NewFile.Failure) {
            try NewFile.write(lines.map { "\($0)\n" }.joined(), at: path, mode: 0o644)
        } catch {
            if error.isThere {
                throw ClientError("\(path) is there and stays as it is; 'todayctl reload' says what is wrong with it")
            }
            throw failure(error.description, error.code)
        }
    }

    private func failure(_ description: String, _ code: Int32) -> ClientError {
        guard code == EACCES || code == EPERM else { return ClientError(description) }
        let remedy = "; start your own todayd, which reads yours: systemctl --user enable --now todayd"
        return ClientError(description + (isSystem ? remedy : ""), .notPermitted)
    }
}
