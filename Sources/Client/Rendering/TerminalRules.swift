// SPDX-License-Identifier: MIT

/// What a terminal can show, by the variables of the environment that say so. `value` looks one up; an empty one counts
/// as unset.
extension Charset {
    /// By the locale's name alone, as locale(7) ranks the variables: loading the locale would cost more than all the rest
    /// of a short command.
    package init(_ value: (String) -> String?) {
        let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C"
        // `C.UTF-8`, `de_CH.utf8`, `en_US.UTF-8@euro`: the codeset is what stands between dot and at.
        let codeset = locale.utf8.drop { $0 != UInt8(ascii: ".") }.prefix { $0 != UInt8(ascii: "@") }
        let letters = codeset.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }.map { $0 | 0x20 }
        self = letters.elementsEqual("utf8".utf8) ? .unicode : .ascii
    }
}

extension ColorDepth {
    /// How many colours a terminal has, according to those who set it up; no-color.org for NO_COLOR.
    package init(ofTerminal value: (String) -> String?) {
        guard value("NO_COLOR") == nil, let term = value("TERM"), term != "dumb" else {
            self = .none
            return
        }
        self = ColorDepth(always: value)
    }

    /// The same for users who want colours wherever output goes.
    package init(always value: (String) -> String?) {
        if let direct = value("COLORTERM"), direct == "truecolor" || direct == "24bit" {
            self = .direct
        } else {
            self = value("TERM")?.hasSuffix("256color") == true ? .indexed : .sixteen
        }
    }
}
