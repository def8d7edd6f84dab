// SPDX-License-Identifier: MIT

import Glibc
import Rendering

/// The alternate screen of the terminal, without cursor, echo and line wrapping (xterm's control sequences,
/// console_codes(4)). At the end of the view it restores the terminal.
final class LiveScreen {
    enum Input {
        case quit, redraw
    }

    private let output: CommandOutput
    private let signals: SignalPipe
    private var savedTerminal: termios?
    private var isEntered = false

    init(_ output: CommandOutput) throws {
        self.output = output
        signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        enter()
    }

    deinit { leave() }

    /// The descriptors for poll(2): signals, and standard input where it is a terminal.
    var descriptors: [Int32] {
        [signals.descriptor] + (savedTerminal == nil ? [] : [STDIN_FILENO])
    }

    /// - Parameter command: the command that prints all lines.
    func draw(_ lines: [StyledLine], _ presentation: Presentation, command: String) {
        let rows = output.size.rows
        var shown = lines[...]
        if lines.count > rows {
            let more = presentation.line("+ \(lines.count - rows + 1) more lines; '\(command)' prints them", .dim)
            shown = (lines.prefix(rows - 1) + [more])[...]
        }
        // One write for the whole screen avoids flicker. Each line is cleared before it is written, because after a line as
        // wide as the terminal the cursor stands on its last character.
        let text = shown.map { "\u{1B}[K" + $0.text(presentation.colors) }.joined(separator: "\r\n")
        send("\u{1B}[H" + text + (shown.count < rows ? "\r\n\u{1B}[J" : ""))
    }

    /// Reads signals and keys; nil where none of them asks for anything.
    func readInput() -> Input? {
        var input: Input?
        for signal in signals.received() {
            switch signal {
            case SIGWINCH, SIGCONT: input = input ?? .redraw
            case SIGTSTP:
                leave()
                kill(getpid(), SIGSTOP)
                enter()
                input = input ?? .redraw
            default: input = .quit
            }
        }
        if savedTerminal != nil, hasKey {
            var key: UInt8 = 0
            // The end of input means that the terminal is gone.
            if read(STDIN_FILENO, &key, 1) <= 0 || key == UInt8(ascii: "q") { input = .quit }
        }
        return input
    }

    func leave() {
        guard isEntered else { return }
        isEntered = false
        send("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        if var saved = savedTerminal { tcsetattr(STDIN_FILENO, TCSADRAIN, &saved) }
        savedTerminal = nil
    }

    private func enter() {
        isEntered = true
        var terminal = termios()
        if isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &terminal) == 0 {
            savedTerminal = terminal
            terminal.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal)
        }
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    private var hasKey: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func send(_ text: String) {
        // A terminal that is gone also sends SIGHUP, which ends the view.
        try? output.write(text)
    }
}

/// Signals as bytes in a pipe, so that poll(2) waits for them and for sockets. At most one object exists at a time, because
/// signal handlers belong to the process.
final class SignalPipe {
    /// Created once and never closed, because a handler can run at any moment.
    private static let ends: (reading: Int32, writing: Int32)? = {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return nil }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return (descriptors[0], descriptors[1])
    }()

    let descriptor: Int32
    private let signals: [Int32]

    init(_ signals: [Int32]) throws {
        guard let ends = Self.ends else { throw ClientError("cannot make a pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends.reading
        self.signals = signals
        for number in signals {
            _ = signal(number) { number in
                // signal-safety(7) allows write(2), and asks a handler to restore errno.
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                if let writing = SignalPipe.ends?.writing { _ = write(writing, &byte, 1) }
                errno = saved
            }
        }
    }

    deinit {
        for number in signals { _ = signal(number, SIG_DFL) }
    }

    /// The signals since the last call.
    func received() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).map(Int32.init)
    }
}
