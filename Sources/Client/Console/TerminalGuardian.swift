// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import Link
import Platform

/// A process that restores the terminal if this one cannot any more, because it was killed (SIGKILL). It notices that by the
/// end of a pipe that this process holds open.
package final class TerminalGuardian {
    private let program: SpawnedProgram

    /// Starts it and waits until it knows the modes of the terminal. Nil if it does not start: the view works without it.
    package init?() {
        var plan = SpawnedProgram.Plan("/proc/self/exe", [GuardTerminal.command.name], output: .pipe)
        plan.input = .descriptor(STDIN_FILENO)
        // It must not get the signals of the terminal.
        plan.hasOwnSession = true
        guard let program = try? SpawnedProgram(plan) else { return nil }
        self.program = program
        if program.read() == nil { return nil }
    }

    /// Ends it, because this process restores the terminal itself.
    func dismiss() { program.signal(SIGKILL) }
}

/// The other process: waits for the end of its parent, and restores the terminal on its standard input.
package struct GuardTerminal: ControlCommand {
    package static let command = Command(
        "guard-terminal", summary: "restore the terminal when todayctl watch is killed", isHidden: true)

    package init(_ arguments: ParsedArguments) {}

    package func run(in context: CommandContext) throws -> ExitCode {
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return .failed }
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE] { _ = signal(number, SIG_IGN) }
        try context.output.write([1])
        // Without events, poll(2) reports that the reader of the pipe has closed it.
        var entry = pollfd(fd: context.output.descriptor, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
        restore(saved)
        return .ok
    }

    /// Does nothing if another program has taken the terminal since: a shell does so at once, and restores it itself.
    private func restore(_ saved: termios) {
        var (saved, now) = (saved, termios())
        guard tcgetattr(STDIN_FILENO, &now) == 0 else { return }
        if now.isSame(as: TerminalModes.forKeys(saved)) { tcsetattr(STDIN_FILENO, TCSADRAIN, &saved) }
        let leaving = Array(TerminalModes.leaving(hasMouse: true).utf8)
        if !Descriptor.writeAll(leaving, to: STDIN_FILENO) {
            // Standard input may be read-only, as in `todayctl watch < /dev/tty`.
            let terminal = open("/proc/self/fd/0", O_WRONLY | O_NOCTTY | O_CLOEXEC)
            _ = Descriptor.writeAll(leaving, to: terminal)
        }
    }
}

extension termios {
    func isSame(as other: termios) -> Bool {
        (c_lflag, c_iflag, c_oflag, c_cflag) == (other.c_lflag, other.c_iflag, other.c_oflag, other.c_cflag)
            && withUnsafeBytes(of: c_cc) { own in withUnsafeBytes(of: other.c_cc) { own.elementsEqual($0) } }
    }
}

/// The modes of a terminal that shows a view: termios(3), and xterm's control sequences.
package enum TerminalModes {
    /// Keys arrive at once and are not shown. Ctrl-C and Ctrl-Z still send signals.
    static func forKeys(_ saved: termios) -> termios {
        var modes = saved
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // One byte is enough for read(2), whatever another program has set.
        withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return modes
    }

    /// The alternate screen without cursor and line wrapping. With a mouse also its buttons (1000, in the form 1006), marks
    /// around pasted text (2004), and the query for the background (OSC 11), which some terminals do not answer.
    static func entering(hasMouse: Bool) -> String {
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
            + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}]11;?\u{1B}\\" : "")
    }

    static func leaving(hasMouse: Bool) -> String {
        (hasMouse ? "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l" : "") + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }
}
