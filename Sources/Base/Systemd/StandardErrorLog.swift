// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// Messages on standard error. For the journal, each line begins with a level (sd-daemon(3)); for people, with the
/// program's name.
package struct StandardErrorLog: Sendable {
    /// The beginning of each line.
    package enum Style: Sendable, Equatable {
        case journal
        case plain(program: String)
    }

    package let style: Style
    /// Messages of a higher number are not written.
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

    /// Whether `stream`, the value of JOURNAL_STREAM, names the file behind a descriptor (systemd.exec(5)). The
    /// variable alone is not enough, because programs with redirected output inherit it.
    package static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        guard let stream, let file = FileIdentity(of: descriptor) else { return false }
        return stream == "\(file.device):\(file.inode)"
    }

    /// Writes a message with one write(2), so that the messages of several processes do not mix.
    package func write(_ level: LogLevel, _ message: String) {
        guard level <= threshold else { return }
        let bytes = Array(text(level, message).utf8)
        // Ignores an error: there is no other place to report it.
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

/// The levels of syslog(3). The lowest number is the most serious.
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, info, debug

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// The word before a message on a terminal; nil for notices and information.
    var word: String? {
        switch self {
        case .emergency, .alert, .critical, .error: "error"
        case .warning: "warning"
        case .notice, .info: nil
        case .debug: "debug"
        }
    }
}
