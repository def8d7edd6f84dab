// SPDX-License-Identifier: MIT

import Console
import Files
import Glibc
import JSON
import Link
import TodayModel

/// The manifest of a widget without a program, which gets its content by pushes.
struct PushManifest: Equatable {
    let id: WidgetID
    let displayName: String
    /// The first directory in which the daemon looks for manifests.
    let directory: String
    let isSystem: Bool
    let isForFleet: Bool

    /// Nil if the word cannot become an identifier.
    ///
    /// - Parameter word: an identifier, or the last label of one, which gets `local.` in front.
    init?(_ word: String, for daemon: DaemonStatus, isForFleet: Bool = false) {
        guard let id = WidgetID(word) ?? WidgetID("local.\(word)"), let directory = daemon.widgetDirectories.first
        else {
            return nil
        }
        self.id = id
        displayName = id.text.split(separator: ".").last.map(String.init) ?? word
        self.directory = directory
        isSystem = daemon.instance == .system
        self.isForFleet = isForFleet
    }

    var path: String { "\(directory)/\(id).widget" }

    var lines: [String] {
        ["[Widget]", "DisplayName=\(displayName)", "[Update]", "Protocol=push"]
            + (isForFleet ? ["[Fleet]", "Scope=fleet"] : [])
    }

    /// For the end of an error message.
    func offer(_ places: ManifestPlaces) -> String {
        let text = lines.map { "\n    \($0)" }.joined()
        let who = isSystem && !places.isRoot ? " as root" : ""
        return "\nTo have one, save this\(who) as \(places.shortened(path)), which --create does:\(text)"
    }

    /// Writes the file, unless one is there.
    ///
    /// - Parameter isStartedByRoot: whether root has started the todayd that names the directory. Root lets no other todayd
    ///   decide where it writes.
    func write(_ places: ManifestPlaces, isStartedByRoot: Bool) throws(ClientError) {
        let isUsual = (places.user + places.system).contains(directory)
        if places.isRoot, !isUsual, !isStartedByRoot || !directory.hasPrefix("/") {
            throw ClientError(
                "todayd says that it reads \(directory), which is none of its usual directories: if that is right, save "
                    + "\(path) yourself", .notPermitted)
        }
        var files = NewFiles(
            files: [(path, lines.map { "\($0)\n" }.joined(), 0o644)], directoryMode: isSystem ? 0o755 : 0o700)
        files.remedyOfExisting = "'todayctl reload' says what is wrong with it"
        if isSystem {
            files.remedyOfForbidden = "; start your own todayd, which reads yours: systemctl --user enable --now todayd"
        }
        try files.write()
    }
}

/// Pushes to a widget that todayd does not know. With `--create` it writes the manifest of the widget first; without it, the
/// error proposes that manifest.
struct FirstPush {
    /// How long todayd may take to read the manifest. It usually knows the widget at the next call; a directory that is new
    /// or cannot be watched takes longer.
    private static let timeout = TimeSpan.seconds(5)

    private let call: ServiceCall
    private let word: String
    private let creates: Bool
    private let isForFleet: Bool
    private let context: CommandContext

    /// - Parameter word: the identifier, as the user typed it.
    init(_ call: ServiceCall, to word: String, creates: Bool, isForFleet: Bool, in context: CommandContext) {
        self.call = call
        self.word = word
        self.creates = creates
        self.isForFleet = isForFleet
        self.context = context
    }

    /// - Parameter error: todayd's answer to the call. todayd has found the content valid.
    func send(after error: ClientError) throws -> JSONObject {
        guard let daemon = context.service.daemonStatus() else { throw error }
        guard let manifest = PushManifest(word, for: daemon, isForFleet: isForFleet) else {
            if !creates { throw error }
            throw ClientError(
                "'\(word)' cannot be the name of a widget: it takes letters, digits, _ and -, in parts joined by dots",
                .usage)
        }
        let places = ManifestPlaces(context.environment)
        guard creates else { throw error.adding(manifest.offer(places)) }
        try manifest.write(places, isStartedByRoot: context.service.isStartedByRoot)
        let elsewhere = isForFleet ? "; the other machines need it, too" : ""
        context.output.note("wrote \(places.shortened(manifest.path))\(elsewhere)")
        var call = call
        call.parameters["id"] = .string(manifest.id.text)
        return try repeated(call, manifest)
    }

    /// Sends the call until todayd knows the widget.
    private func repeated(_ call: ServiceCall, _ manifest: PushManifest) throws -> JSONObject {
        let deadline = AwakeTime.now + Self.timeout
        while true {
            do {
                return try context.service.call(call)
            } catch let error as ClientError where error.unknownWidget != nil {
                if AwakeTime.now >= deadline {
                    throw ClientError(
                        "\(manifest.path) is written, and todayd does not know \(manifest.id) after \(Self.timeout.text); "
                            + "'todayctl reload' says what is wrong", .noSuchWidget)
                }
                usleep(50_000)
            }
        }
    }
}
