// SPDX-License-Identifier: MIT

import Glibc
import Rendering

/// The terminal while a view is live: its second screen, without cursor, echo and line wrapping (xterm's control
/// sequences, console_codes(4)). Whatever ends the view, the terminal is as before.
final class LiveScreen {
    enum Input {
        case quit, redraw
    }

    private let output: Output
    private let signals: SignalPipe
    private var savedTerminal: termios?
    private var isEntered = false

    init(_ output: Output) throws {
        self.output = output
        signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        enter()
    }

    deinit { leave() }

    /// What makes poll(2) return: signals, and keys where there is a keyboard.
    var descriptors: [Int32] {
        [signals.descriptor] + (savedTerminal == nil ? [] : [STDIN_FILENO])
    }

    /// - Parameter command: prints all of the lines.
    func draw(_ lines: [Line], _ presentation: Presentation, command: String) {
        let rows = output.size.rows
        var shown = lines[...]
        if lines.count > rows {
            let more = presentation.line("+ \(lines.count - rows + 1) more lines; '\(command)' prints them", .dim)
            shown = (lines.prefix(rows - 1) + [more])[...]
        }
        // Every line is cleared and written, all in one write, so that nothing flickers. Not the other way round: behind a
        // line as wide as the terminal the cursor stands on its last character.
        let text = shown.map { "\u{1B}[K" + $0.text(presentation.colors) }.joined(separator: "\r\n")
        send("\u{1B}[H" + text + (shown.count < rows ? "\r\n\u{1B}[J" : ""))
    }

    /// What the user or the system wants.
    func takeInput() -> Input? {
        var wish: Input?
        for signal in signals.take() {
            switch signal {
            case SIGWINCH, SIGCONT: wish = wish ?? .redraw
            case SIGTSTP:
                leave()
                kill(getpid(), SIGSTOP)
                enter()
                wish = wish ?? .redraw
            default: wish = .quit
            }
        }
        if savedTerminal != nil, hasKey {
            var key: UInt8 = 0
            // End of input: the terminal is gone.
            if read(STDIN_FILENO, &key, 1) <= 0 || key == UInt8(ascii: "q") { wish = .quit }
        }
        return wish
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
        // A terminal that has gone away sends SIGHUP as well.
        try? output.write(text)
    }
}
