// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Rendering

/// What the terminal of an author, or of a containing app's user, can show, by the same rules as todayctl's.
package struct Terminal {
    package let width: Int
    package let charset: Charset
    package let colors: ColorDepth

    package init(_ variables: Variables, descriptor: Int32, isTerminal: Bool) {
        var size = winsize()
        // tty_ioctl(4) fills the structure; where it is no terminal it fails and leaves it.
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 10
        // A card that is wider is not easier to read.
        width = min(isKnown ? Int(size.ws_col) : variables["COLUMNS"].flatMap { Int($0) } ?? 80, 76)
        charset = Charset { variables[$0] }
        colors = isTerminal ? ColorDepth(ofTerminal: { variables[$0] }) : .none
    }

    /// All of the text, to a terminal or wherever else the output goes.
    /// - Returns: whether it could be written.
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        StandardStreams.writeAll(Array(text.utf8), to: descriptor)
    }
}
