// SPDX-License-Identifier: MIT
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
        charset = Self.charset(variables)
        colors = isTerminal ? Self.colors(variables) : .none
    }

    /// By the name of the locale, as locale(7) ranks the variables.
    static func charset(_ variables: Variables) -> Charset {
        let locale = variables["LC_ALL"] ?? variables["LC_CTYPE"] ?? variables["LANG"] ?? "C"
        let codeset = locale.drop { $0 != "." }.prefix { $0 != "@" }.lowercased().filter { $0 != "-" && $0 != "." }
        return codeset == "utf8" ? .unicode : .ascii
    }

    static func colors(_ variables: Variables) -> ColorDepth {
        guard variables["NO_COLOR"] == nil, let term = variables["TERM"], term != "dumb" else { return .none }
        if let direct = variables["COLORTERM"], direct == "truecolor" || direct == "24bit" { return .direct }
        return term.hasSuffix("256color") ? .indexed : .sixteen
    }

    /// All of the text, to a terminal or wherever else the output goes.
    /// - Returns: whether it could be written.
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        SmallFile.writeAll(Array(text.utf8), to: descriptor)
    }
}
