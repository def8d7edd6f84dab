// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// Messages on standard error, in the form that their reader understands: the journal takes a level before each line
/// (sd-daemon(3)), people the program's name.
package struct StandardErrorLog: Sendable {
    /// What stands before a line.
    package enum Style: Sendable, Equatable {
        case journal
        case plain(program: String)
    }

    package let style: Style
    /// The least that is written.
    package var threshold: LogLevel

    package init(style: Style, threshold: LogLevel = .info) {
        self.style = style
        self.threshold = threshold
    }

    /// Finds out whether standard error goes to the journal.
    package init(program: String, threshold: LogLevel = .info) {
        let isJournal = Self.isJournal(STDERR_FILENO, stream: EnvironmentVariables.process["JOURNAL_STREAM"])
        self.init(style: isJournal ? .journal : .plain(program: program), threshold: threshold)
    }

    /// Whether `stream`, the value of JOURNAL_STREAM, names the file behind a descriptor: systemd.exec(5). A variable
    /// alone proves nothing, as it is inherited by programs whose output was redirected.
    package static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        guard let stream, let file = FileIdentity(of: descriptor) else { return false }
        return stream == "\(file.device):\(file.inode)"
    }

    /// Writes a message, of one line or several, at once, so that those of several processes do not mix.
    package func write(_ level: LogLevel, _ message: String) {
        guard level <= threshold else { return }
        let bytes = Array(text(level, message).utf8)
        // When standard error does not work, there is no other place to say so.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// What `write` writes: every line with its prefix.
    package func text(_ level: LogLevel, _ message: String) -> String {
        let prefix =
            switch style {
            case .journal: "<\(level.rawValue)>"
            case .plain(let program): "\(program): \(level.word.map { "\($0): " } ?? "")"
            }
        return message.split(whereSeparator: \.isNewline).map { "\(prefix)\($0)\n" }.joined()
    }
}

/// How much a message matters: syslog(3)'s levels, of which the lowest number is the gravest.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, info, debug

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// What stands before a message on a terminal; nothing where the message says it all.
    var word: String? {
        switch self {
        case .emergency, .alert, .critical, .error: "error"
        case .warning: "warning"
        case .notice, .info: nil
        case .debug: "debug"
        }
    }
}
