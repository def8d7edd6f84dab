// SPDX-License-Identifier: MIT

import Glibc
import Rendering
import TodayModel

/// The alternate screen of the terminal, without cursor, echo and line wrapping (xterm's control sequences,
/// console_codes(4)). At the end of the view it restores the terminal.
package final class LiveScreen {
    package enum Input {
        case quit, redraw
    }

    private let output: CommandOutput
    private let signals: SignalPipe
    private let hasMouse: Bool
    private var savedTerminal: termios?
    private var guardian: TerminalGuardian?
    private var isEntered = false
    /// What the terminal shows; nil if unknown.
    private var shown: Frame?

    /// - Parameter hasMouse: whether the terminal reports the mouse, and marks what is pasted.
    package init(_ output: CommandOutput, hasMouse: Bool = false) throws {
        self.output = output
        self.hasMouse = hasMouse
        let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
        signals = try SignalPipe(hasMouse ? ends + [SIGCHLD] : ends)
        enter()
    }

    deinit { leave() }

    /// The descriptors for poll(2): signals, and standard input if it is a terminal.
    package var descriptors: [Int32] {
        [signals.descriptor] + (hasKeys ? [STDIN_FILENO] : [])
    }

    /// Whether standard input is a terminal.
    package var hasKeys: Bool { savedTerminal != nil }

    // MARK: Drawing

    /// Writes the rows that are different, in one write, so that nothing flickers.
    ///
    /// - Parameter ground: the terminal's answer to the query for its background.
    package func show(_ frame: Frame, on ground: Ground? = nil) {
        var colors = output.presentation.colors
        colors.ground = ground ?? colors.ground
        let text = frame.text(after: shown, colors)
        shown = frame
        if !text.isEmpty { send(text) }
    }

    /// Makes the next frame be written whole.
    package func forget() { shown = nil }

    /// Shows the first lines.
    ///
    /// - Parameter command: the command that prints all lines.
    package func draw(_ lines: [StyledLine], _ presentation: Presentation, command: String) {
        show(Frame.beginning(lines, output.screenSize, presentation, command: command))
    }

    // MARK: Input

    /// Reads signals and keys; nil if none of them asks for anything.
    package func readInput() -> Input? {
        let input = readSignals()
        guard let keys = readKeys() else { return input }
        // The end of input means that the terminal is gone.
        return keys.isEmpty || keys.contains(UInt8(ascii: "q")) ? .quit : input
    }

    package func readSignals() -> Input? {
        var input: Input?
        for signal in signals.received() {
            switch signal {
            case SIGWINCH: input = input ?? .redraw
            case SIGCONT:
                // A shell may have taken the terminal while the process was stopped.
                enter()
                input = input ?? .redraw
            case SIGTSTP:
                suspend()
                input = input ?? .redraw
            case SIGCHLD: break
            default: input = .quit
            }
        }
        return input
    }

    /// The typed bytes; nil if there are none. An end of input means that the terminal is gone.
    package func readKeys() -> [UInt8]? {
        var entry = pollfd(reading: STDIN_FILENO)
        guard hasKeys, poll(&entry, 1, 0) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        return Array(bytes.prefix(max(0, count)))
    }

    // MARK: The terminal

    /// Stops this process until the user continues it. A process that no shell watches is not stopped: setpgid(2) calls its
    /// group orphaned.
    package func suspend() {
        let first = savedTerminal
        leave()
        signals.leave(SIGTSTP) { _ = kill(getpid(), SIGTSTP) }
        // After `bg` the terminal has the modes of the shell's own line.
        enter(saved: tcgetpgrp(STDIN_FILENO) == getpgrp() ? nil : first)
    }

    /// Leaves the terminal to another program, and then waits for Enter if there is something to read. Ctrl-C and Ctrl-Z are
    /// for that program: Ctrl-Z stops both, as a shell expects of what it has started. Input that is typed meanwhile and not
    /// read is dropped, because it is not meant for the view.
    ///
    /// - Parameters:
    ///   - body: runs the program, and returns whether the user has something to read.
    ///   - prompt: asks for Enter.
    /// - Returns: whether a signal has asked for the end.
    package func lend(to body: () -> Bool, prompt: () -> Void) -> Bool {
        let first = savedTerminal
        leave()
        var isEnding = false
        signals.leave(SIGTSTP) {
            let hasWords = body()
            // A program that was killed leaves the modes that it has set.
            if var first { tcsetattr(STDIN_FILENO, TCSADRAIN, &first) }
            isEnding = signals.received().contains { $0 == SIGTERM || $0 == SIGHUP }
            if isEnding || !hasWords { return }
            tcflush(STDIN_FILENO, TCIFLUSH)
            prompt()
            isEnding = waitForEnter()
        }
        if isEnding { return true }
        tcflush(STDIN_FILENO, TCIFLUSH)
        enter()
        return false
    }

    /// Waits for a line, or for a signal such as that of Ctrl-C. A new size of the terminal does not count.
    ///
    /// - Returns: whether a signal has asked for the end.
    private func waitForEnter() -> Bool {
        var polls = [STDIN_FILENO, signals.descriptor].map { pollfd(reading: $0) }
        while poll(&polls, nfds_t(polls.count), -1) >= 0 || errno == EINTR {
            for signal in signals.received() {
                switch signal {
                case SIGTERM, SIGHUP, SIGQUIT: return true
                case SIGINT: return false
                default: break
                }
            }
            // The line stays in the terminal; the caller drops it.
            var entry = pollfd(reading: STDIN_FILENO)
            if poll(&entry, 1, 0) > 0 { return false }
        }
        return false
    }

    package func leave() {
        guard isEntered else { return }
        isEntered = false
        guardian?.dismiss()
        guardian = nil
        send(TerminalModes.leaving(hasMouse: hasMouse))
        if var saved = savedTerminal { tcsetattr(STDIN_FILENO, TCSADRAIN, &saved) }
        savedTerminal = nil
    }

    /// - Parameter saved: the modes that `leave` restores, if the terminal's present modes are not the user's.
    private func enter(saved: termios? = nil) {
        shown = nil
        if !isEntered {
            var terminal = termios()
            if isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &terminal) == 0 {
                savedTerminal = saved ?? terminal
                if hasMouse { guardian = TerminalGuardian() }
            }
            isEntered = true
        }
        if let savedTerminal {
            var modes = TerminalModes.forKeys(savedTerminal)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
        }
        send(TerminalModes.entering(hasMouse: hasMouse && hasKeys))
    }

    private func send(_ text: String) {
        // A terminal that is gone also sends SIGHUP, which ends the view.
        try? output.write(text)
    }
}
