// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import Link
import Platform
import Reactor
import Systemd
import WebPage
import WebServer

/// The program today-page: options → sockets → loop → servers and their site.
package enum PageProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        let log = StandardErrorLog(program: "today-page")
        return Program.run {
            try PageOptions.parse(arguments, environment: .process)
        } report: {
            log.write(.error, $0)
        } _: { options in
            try EventLoop.run {
                let program = try RunningPage(options, log)
                running = program
                program.announce()
            }
        }
    }

    /// Keeps the program while the loop runs.
    @LoopActor private static var running: RunningPage?
}

/// The servers, one for each listening socket, and the signals that end them.
@LoopActor
private final class RunningPage {
    private let site: PageSite
    private var servers: [WebServer] = []
    private var signals: [SignalSource] = []
    private let log: StandardErrorLog
    private let addresses: [String]

    /// The users who need no token, and for whom places are reserved.
    private static let owners: Set<UInt32> = [0, getuid()]

    init(_ options: PageOptions, _ log: StandardErrorLog) throws {
        self.log = log
        let credentials = EnvironmentVariables.process["CREDENTIALS_DIRECTORY"]
        let access = try options.accessToken(credentials: credentials)
        site = try PageSite(
            socket: options.socket.path, token: options.allowsChanges ? .random() : nil, access: access,
            names: options.names, frames: options.frames, owners: Self.owners)
        var listeners = try PassedSockets.take().map(\.descriptor)
        if listeners.isEmpty { for address in options.addresses { listeners.append(try WebListener.open(address)) } }
        addresses = listeners.compactMap(WebListener.address)
        if access == nil, let other = listeners.first(where: { !WebListener.isOnLoopback($0) }) {
            let place = WebListener.address(of: other) ?? "descriptor \(other)"
            throw ReactorError("serve on \(place)", code: EINVAL, reason: ListenAddress.needsToken)
        }
        let site = site
        var limits = WebServer.Limits()
        limits.servesNetwork = access != nil
        limits.owners = Self.owners
        if access == nil { limits.users = Self.owners }
        let places = try ConnectionSlots(limits)
        servers = try listeners.map { listener in
            try WebServer(listener, in: places) { request, exchange in site.handle(request, exchange) }
        }
        _ = try EventLoop.enableWatchdog()
        signals = try [SIGTERM, SIGINT].map { number in try SignalSource(number) { EventLoop.exit(0) } }
    }

    /// Tells the service manager and the user where the page is.
    func announce() {
        let places = addresses.map { "http://\($0)/" }.joined(separator: " ")
        ServiceNotification.ready(status: places)
        log.write(.info, "listening on \(places)")
    }
}
