// SPDX-License-Identifier: MIT

import Glibc

/// How a terminal is while it shows a view: termios(3), and xterm's control sequences.
package enum TerminalModes {
    /// Keys arrive at once and are not shown. Ctrl-C and Ctrl-Z still send signals.
    static func forKeys(_ saved: termios) -> termios {
        var modes = saved
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // One byte is enough for read(2), whatever another program has left.
        withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return modes
    }

    /// The alternate screen, without cursor and line wrapping; with a mouse its buttons (1000, in the form 1006), and marks
    /// around what is pasted (2004), and the question for the background (OSC 11), which a terminal that knows none does not answer.
    static func entering(hasMouse: Bool) -> String {
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
            + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}]11;?\u{1B}\\" : "")
    }

    static func leaving(hasMouse: Bool) -> String {
        (hasMouse ? "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l" : "") + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    }
}
