// SPDX-License-Identifier: MIT

/// What the specifiers of systemd.unit(5) stand for, those that ExecStart= and Environment= know. As there, the user is the
/// one who runs the manager: here todayd.
package struct Specifiers: Hashable, Sendable {
    private var home: String?
    private var user: String?
    private var runtime: String?
    private var state: String?

    /// Without a value for any of them.
    package init() {}

    /// - Parameters:
    ///   - user: the name of the user who runs todayd.
    ///   - home: that user's home directory, where `HOME` does not say it.
    package init(isSystem: Bool, environment: [String: String], user: String?, home: String?) {
        // Relative paths in these variables do not count: XDG Base Directory Specification.
        func directory(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        self.user = user
        self.home = directory("HOME") ?? home
        runtime = isSystem ? "/run" : directory("XDG_RUNTIME_DIR")
        state = isSystem ? "/var/lib" : directory("XDG_STATE_HOME") ?? self.home.map { "\($0)/.local/state" }
    }

    /// - Parameter letter: what follows the percent sign; nil where nothing does.
    func value(of letter: Unicode.Scalar?) throws(WrongValue) -> String {
        let (value, source): (String?, String)
        switch letter {
        case "%": return "%"
        case "h": (value, source) = (home, "HOME")
        case "u": (value, source) = (user, "the user's name")
        case "t": (value, source) = (runtime, "XDG_RUNTIME_DIR")
        case "S": (value, source) = (state, "XDG_STATE_HOME")
        default:
            let specifier = letter.map { "%\($0)" } ?? "%"
            throw WrongValue("\(specifier) is not known here; %h, %u, %t and %S are, and a percent sign is written %%")
        }
        if let value { return value }
        throw WrongValue("%\(letter.map(String.init) ?? "") has no value here: todayd does not know \(source)")
    }
}
