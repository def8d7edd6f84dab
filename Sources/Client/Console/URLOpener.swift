// SPDX-License-Identifier: MIT

import Glibc
import Link
import Platform
import TodayModel
import Varlink

/// Opens URLs with xdg-open(1), as the desktop of the user does.
package struct URLOpener {
    private let environment: EnvironmentVariables

    package init(environment: EnvironmentVariables) { self.environment = environment }

    /// Opens a URL for a widget. The widget must have declared the scheme, even where the daemon has allowed the URL. A URL
    /// with a scheme begins with a letter, so xdg-open reads it neither as an option nor as a path.
    package func open(_ url: String, for item: Item, of listener: SocketListener?) throws(ClientError) {
        try execute(plan(url, for: item, of: listener), url)
    }

    /// The program that opens the URL of a widget, for a caller that does not wait for its end.
    package func plan(
        _ url: String, for item: Item, of listener: SocketListener?
    ) throws(ClientError) -> SpawnedProgram.Plan {
        let refusal = URLScheme.refusal(of: url, for: item.id, declaring: item.urlSchemes)
        if let reason = refusal ?? Self.refusal(of: url, from: listener, for: geteuid()) {
            throw Self.failure(url, reason)
        }
        return try plan(url)
    }

    /// Why a URL is not opened although the daemon allows it. The daemon of another user must not choose among this user's
    /// files and programs.
    package static func refusal(of url: String, from listener: SocketListener?, for user: UInt32) -> String? {
        // Root has installed the system's widgets, and the service manager listens for the system's todayd.
        if let listener, listener.user == user || listener.user == 0 { return nil }
        guard let scheme = URLScheme.of(url), ["http", "https", "mailto"].contains(scheme) else {
            return "this todayd is another user's, from which only web pages and addresses are opened"
        }
        return nil
    }

    /// Opens a URL that is not a widget's.
    package func open(_ url: String) throws(ClientError) { try execute(plan(url), url) }

    private func plan(_ url: String) throws(ClientError) -> SpawnedProgram.Plan {
        guard let program else { throw Self.failure(url, "xdg-open is not installed; --no-open prints the URL") }
        return SpawnedProgram.Plan(program, [url])
    }

    private func execute(_ plan: SpawnedProgram.Plan, _ url: String) throws(ClientError) {
        let ending: SpawnedProgram.Ending
        do throws(SpawnedProgram.Failure) {
            ending = try SpawnedProgram(plan).wait()
        } catch {
            throw Self.failure(url, "\(error)")
        }
        if let failure = Self.failure(of: ending, url) { throw failure }
    }

    /// The meaning of xdg-open's exit status; nil if it has opened the URL.
    package static func failure(of ending: SpawnedProgram.Ending, _ url: String) -> ClientError? {
        switch ending {
        case .exited(0): nil
        case .exited(let code): failure(url, "xdg-open exited with status \(code)\(meanings[code] ?? "")")
        case .killed(let signal): failure(url, "xdg-open was killed by signal \(signal)")
        }
    }

    /// xdg-open(1), EXIT CODES.
    private static let meanings: [Int32: String] = [
        3: ": it found no program that opens it", 4: ": the program that opens it has failed",
    ]

    private var program: String? { SpawnedProgram.find("xdg-open", in: environment.programPath) }

    private static func failure(_ url: String, _ reason: String) -> ClientError {
        // Text without a scheme can have any length, so the message leaves it out.
        ClientError("cannot open \(URLScheme.of(url) == nil ? "what it wants opened" : url): \(reason)")
    }
}
