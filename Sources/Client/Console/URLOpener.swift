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
        let refusal = URLScheme.refusal(of: url, for: item.id, declaring: item.urlSchemes)
        if let reason = refusal ?? Self.refusal(of: url, from: listener, for: geteuid()) { throw failure(url, reason) }
        try open(url)
    }

    /// Why a URL is not opened although the daemon allows it. The daemon of a stranger must not choose among this user's files
    /// and programs.
    package static func refusal(of url: String, from listener: SocketListener?, for user: UInt32) -> String? {
        // The system's widgets are those that root has put there, and its manager listens for them.
        if let listener, listener.user == user || listener.user == 0 { return nil }
        guard let scheme = URLScheme.of(url), ["http", "https", "mailto"].contains(scheme) else {
            return "this todayd is another user's, from which only web pages and addresses are opened"
        }
        return nil
    }

    /// Opens a URL that is not a widget's.
    package func open(_ url: String) throws(ClientError) {
        guard let program else { throw failure(url, "xdg-open is not installed; --no-open prints the URL") }
        let ending: SpawnedProgram.Ending
        do throws(SpawnedProgram.Failure) {
            ending = try SpawnedProgram(.init(program, [url])).wait()
        } catch {
            throw failure(url, "\(error)")
        }
        switch ending {
        case .exited(0): return
        case .exited(let code): throw failure(url, "xdg-open exited with status \(code)\(Self.meanings[code] ?? "")")
        case .killed(let signal): throw failure(url, "xdg-open was killed by signal \(signal)")
        }
    }

    /// xdg-open(1), EXIT CODES.
    private static let meanings: [Int32: String] = [
        3: ": it found no program that opens it", 4: ": the program that opens it has failed",
    ]

    private var program: String? {
        SpawnedProgram.find("xdg-open", in: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    }

    private func failure(_ url: String, _ reason: String) -> ClientError {
        // Text without a scheme can have any length, so the message omits it.
        ClientError("cannot open \(URLScheme.of(url) == nil ? "what it wants opened" : url): \(reason)")
    }
}
