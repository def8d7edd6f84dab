// SPDX-License-Identifier: MIT

import Glibc
import TodayModel

/// Opens URLs as the user's desktop does, through xdg-open(1).
struct URLOpener {
    let environment: Environment

    /// Opens a URL for a widget, which must have declared its scheme, whatever the daemon has said of it. One that begins
    /// with a scheme begins with a letter: xdg-open can take it neither for an option nor for the path of a file.
    func open(_ url: String, for item: Item) throws(ClientError) {
        if let reason = URLScheme.objection(to: url, from: item.id, declaring: item.urlSchemes) {
            throw failure(url, reason)
        }
        guard let program else { throw failure(url, "xdg-open is not installed; --no-open prints the URL") }
        var pid = pid_t()
        // Unsafe: the strings are valid within the closures, and the new process has its own copies of them.
        let error = program.withCString { program in
            url.withCString { url in
                var arguments = [UnsafeMutablePointer(mutating: program), UnsafeMutablePointer(mutating: url), nil]
                return posix_spawn(&pid, program, nil, nil, &arguments, environ)
            }
        }
        guard error == 0 else { throw failure(url, "\(program): \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { throw failure(url, String(cString: strerror(errno))) }
        }
        // WIFEXITED and WEXITSTATUS of wait(2).
        let signal = status & 0x7f
        if signal != 0 { throw failure(url, "xdg-open was killed by signal \(signal)") }
        let code = (status >> 8) & 0xff
        if code != 0 { throw failure(url, "xdg-open exited with status \(code)\(Self.meanings[code] ?? "")") }
    }

    /// xdg-open(1), EXIT CODES.
    private static let meanings: [Int32: String] = [
        3: ": it found no program that opens it", 4: ": the program that opens it has failed",
    ]

    private var program: String? {
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/xdg-open" }.first { access($0, X_OK) == 0 }
    }

    private func failure(_ url: String, _ reason: String) -> ClientError {
        // What is no URL may be anything, and of any length.
        ClientError("cannot open \(URLScheme.of(url) == nil ? "what it wants opened" : url): \(reason)")
    }
}
