// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Rendering
import TodayKit
import TodayModel

/// Where it prints, and with which characters and colours: by the same rules as todayctl.
struct Screen {
    private let presentation: Presentation

    init(_ variables: EnvironmentVariables) {
        let terminal = Terminal(
            variables, descriptor: STDOUT_FILENO, isTerminal: isatty(STDOUT_FILENO) == 1)
        presentation = Presentation(
            width: terminal.width, charset: terminal.charset, colors: terminal.colors, now: WallTime(microseconds: 0))
    }

    func text(of view: TodayModel.View) -> String {
        presentation.lines(of: view, mode: .expanded).reduce(into: "") { $0 += $1.text(presentation.colors) + "\n" }
    }

    /// - Returns: whether it could be written.
    func write(_ text: String) -> Bool { Terminal.write(text, to: STDOUT_FILENO) }

    /// Something for the user that is no output, and may quote anything.
    func complain(_ text: String) {
        let lines = Printable.lines(of: text, presentation.charset)
        _ = Terminal.write(lines.reduce(into: "") { $0 += $1.text + "\n" }, to: STDERR_FILENO)
    }

    func waitForEnter() {
        guard isatty(STDIN_FILENO) == 1 else { return }
        complain("Press Enter to close.")
        _ = readLine()
    }
}
