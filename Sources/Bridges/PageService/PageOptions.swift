// SPDX-License-Identifier: MIT

import Arguments
import Files
import Link
import Platform
import TodayModel
import WebPage

/// The options of today-page's command line.
struct PageOptions: Equatable {
    var socket: DaemonSocket
    var addresses = [ListenAddress.standard]
    /// The file with the token that every request must show.
    var tokenFile: String?
    var allowsChanges = false
    var names: [String] = []
    var frames: [String] = []

    static let command = Command(
        "today-page", summary: "serves the Today view to browsers of this machine",
        description: """
            Serves a live page with the widgets' cards on the loopback address: http://127.0.0.1:8733/. It is a client \
            of todayd's socket and changes nothing unless --allow-changes is given. Without a token it answers only \
            its own user and root, so the system's page is for root and for anyone who has its token. On other \
            addresses every request needs a token, and nothing is encrypted: use a VPN or a proxy with TLS.

            /?point=lock-screen shows another extension point, /?widget=ID one card, and ?kiosk larger cards for a \
            wall. /api/list, /api/show and /api/stream return JSON and events for programs, /metrics numbers for \
            Prometheus.
            """,
        options: [
            Option("user", help: "Show the widgets of the user's todayd"),
            Option("system", help: "Show the widgets of the system's todayd"),
            Option(
                "socket", value: "PATH", completion: .files, help: "Show the widgets of the todayd that listens there"),
            Option(
                "listen", value: "ADDRESS",
                help:
                    "Listen there, if systemd has passed no socket (default 127.0.0.1:8733; port 0 is any free one; may be "
                    + "repeated); an address of the network needs --token-file"),
            Option(
                "token-file", value: "FILE", completion: .files,
                help: "Ask every request for the token in FILE: (umask 077; openssl rand -hex 32 > FILE)"),
            Option("allow-changes", help: "Let the page press buttons, and expand, update, move and hide widgets"),
            Option(
                "host", value: "NAME",
                help: "Answer requests for this name, too, as of this machine or a proxy; may be repeated"),
            Option("frame", value: "ORIGIN", help: "Let this site show the page in a frame; may be repeated"),
            .completion, .version,
        ],
        exclusiveOptions: [["user", "system", "socket"]],
        examples: [
            .init("today-page", "the page of your widgets, to look at"),
            .init("today-page --allow-changes --listen 127.0.0.1:9000", "with buttons, on another port"),
            .init(
                "today-page --listen 192.168.1.5 --token-file ~/page-token",
                "for other machines, which open /?token=... once"),
            .init("today-page --frame http://dash.example:8080", "cards in the frames of a dashboard"),
        ])

    static func parse(_ arguments: [String], environment: EnvironmentVariables) throws(UsageError)
        -> ProgramRequest<PageOptions>
    {
        let parsed = try command.parse(arguments)
        if let text = command.information(for: parsed, version: Version.text) { return .print(text) }
        var options = PageOptions(socket: DaemonSocket(parsed, environment: environment))
        options.tokenFile = parsed.value("token-file")
        let places = parsed.values("listen")
        if !places.isEmpty { options.addresses = [] }
        for text in places {
            let place: ListenAddress
            do throws(ListenAddress.Fault) {
                place = try ListenAddress(text)
            } catch {
                throw usage("--listen \(text): \(error.reason)")
            }
            if !place.address.isLoopback, options.tokenFile == nil {
                throw usage("--listen \(text): \(ListenAddress.needsToken)")
            }
            options.addresses.append(place)
        }
        options.allowsChanges = parsed.has("allow-changes")
        options.names = parsed.values("host")
        options.frames = parsed.values("frame")
        if let name = options.names.first(where: { !Gate.isName($0) }) {
            throw usage("--host \(name): is not a name of a host, without a port")
        }
        if let frame = options.frames.first(where: { !SecurityHeaders.isOrigin($0) }) {
            throw usage("--frame \(frame): is not an origin like http://host:8080")
        }
        return .run(options)
    }

    /// The text of `--token-file`.
    ///
    /// - Parameter credentials: the directory of the files that systemd has put there for this process.
    func accessToken(credentials: String?) throws(TokenFileFault) -> Secret? {
        guard let path = tokenFile else { return nil }
        let isCredential = credentials.map { path.hasPrefix("\($0)/") } ?? false
        let bytes: [UInt8]
        do throws(SecretFile.Fault) { bytes = try SecretFile.read(path, isCredential ? .credential : .none) } catch {
            throw TokenFileFault(path: path, reason: error.reason)
        }
        do throws(TokenText.Fault) { return try TokenText.secret(bytes) } catch {
            throw TokenFileFault(path: path, reason: error.reason)
        }
    }

    private static func usage(_ reason: String) -> UsageError { UsageError(commands: ["today-page"], reason: reason) }
}

/// Why the file of `--token-file` has no token.
struct TokenFileFault: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "--token-file \(path): \(reason)" }
}
