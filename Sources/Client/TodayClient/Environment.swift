// SPDX-License-Identifier: MIT

import Glibc
import Rendering

/// The environment variables; an empty one counts as unset.
package struct Environment {
    private let lookUp: (String) -> String?

    package init(_ lookUp: @escaping (String) -> String?) {
        self.lookUp = lookUp
    }

    /// This process's own.
    package static var process: Environment {
        Environment { name in getenv(name).map { String(cString: $0) } }
    }

    subscript(name: String) -> String? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// By the locale's name alone, as locale(7) ranks the variables: loading the locale would cost more than all the rest of a
    /// short command.
    var charset: Charset {
        let locale = self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C"
        // `C.UTF-8`, `de_CH.utf8`, `en_US.UTF-8@euro`: the codeset is what stands between dot and at.
        let codeset = locale.utf8.drop { $0 != UInt8(ascii: ".") }.prefix { $0 != UInt8(ascii: "@") }
        let letters = codeset.lazy.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }.map { $0 | 0x20 }
        return letters.elementsEqual("utf8".utf8) ? .unicode : .ascii
    }

    /// How many colours the terminal has, according to those who set it up; no-color.org for NO_COLOR.
    func colors(choice: String?, isTerminal: Bool) -> ColorDepth {
        if choice == "never" { return .none }
        if choice != "always" {
            guard isTerminal, self["NO_COLOR"] == nil, let term = self["TERM"], term != "dumb" else { return .none }
        }
        if let direct = self["COLORTERM"], direct == "truecolor" || direct == "24bit" { return .direct }
        return self["TERM"]?.hasSuffix("256color") == true ? .indexed : .sixteen
    }
}
