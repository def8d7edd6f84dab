// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The words that reveal what a program wants.
extension SandboxWishes {
    struct Token: Equatable {
        var text: String
        /// Whether it is in the position of a program's name, in a shell or in a list of words of another language.
        var isCommand: Bool
        /// Whether it is the value of a variable, after which a command may follow.
        var isValue: Bool
    }

    static let interpreters: Set<String> = [
        "sh", "bash", "dash", "zsh", "fish", "ksh", "python", "python3", "perl", "ruby", "node", "lua", ".", "source",
    ]
    private static let starters: Set<String> = [
        "then", "do", "else", "if", "while", "until", "exec", "env", "nice", "time", "command",
    ]

    /// - Parameter exists: whether there is a file or a directory of this name, which may then contain spaces.
    static func tokens(of text: some StringProtocol, exists: (String) -> Bool) -> [Token] {
        let characters = Array(text)
        var tokens: [Token] = []
        // What is between two words, without blanks.
        var between: [Character] = ["\n"]
        var position = 0
        while position < characters.count {
            let before = position > 0 ? characters[position - 1] : nil
            let word = quotedPath(before, characters[position...], exists) ?? word(characters[position...])
            guard word.count > 0 else {
                if !isBlank(characters[position]) { between.append(characters[position]) }
                position += 1
                continue
            }
            position += word.count
            let isCommand = isCommand(word.text, after: between, tokens.last, before: characters[position...])
            tokens.append(Token(text: word.text, isCommand: isCommand, isValue: between.last == "="))
            between = []
        }
        return tokens
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// The word at the beginning, and the number of its characters; `\ ` is a space in it.
    private static func word(_ characters: ArraySlice<Character>) -> (text: String, count: Int) {
        var text = ""
        var position = characters.startIndex
        while position < characters.endIndex {
            let character = characters[position]
            let isOfVariable = character == "{" && text.hasSuffix("$") || character == "}" && text.includes("${")
            if isOfVariable || character.isLetter || character.isNumber || "_-./~$:+@%\\".contains(character) {
                text.append(character)
            } else if character == " ", text.hasSuffix("\\") {
                text.removeLast()
                text.append(" ")
            } else {
                break
            }
            position += 1
        }
        return (text, position - characters.startIndex)
    }

    /// The quoted path at the beginning, if it has spaces.
    private static func quotedPath(
        _ quote: Character?, _ characters: ArraySlice<Character>, _ exists: (String) -> Bool
    ) -> (text: String, count: Int)? {
        guard let first = characters.first, first == "/" || first == "~" || first == "$",
            let quote, quote == "\"" || quote == "'", let end = characters.firstIndex(of: quote)
        else { return nil }
        let text = String(characters[..<end])
        // What a manifest would have to escape is not worth it.
        guard text.contains(" "), !text.contains(where: { "\"'\\".contains($0) }), exists(text) else { return nil }
        return (text, end - characters.startIndex)
    }

    /// Whether a word is in the position of a command. In quotes, these are words of a list, `["ps", "aux"]`, and the first
    /// word of a longer text, `"df -h"`; not a key or the mode of a file, `open(path, "w")`.
    private static func isCommand(
        _ word: String, after between: [Character], _ last: Token?, before rest: ArraySlice<Character>
    ) -> Bool {
        let next = rest.first { !isBlank($0) }
        // A variable of another language, or a case of a shell: `df = read()`, `w, h = size`, `w) weekly=1`.
        if let next, "=,[".contains(next) || next == ")" && between == ["\n"] { return false }
        let starts = last.map { starters.contains($0.text) || $0.isValue } ?? false
        guard let opener = between.last else { return starts }
        guard opener == "\"" || opener == "'" else { return openers.contains(opener) }
        if last?.text == "-c" { return true }
        let outer = between.dropLast().last
        guard rest.first == opener else {
            return !english.contains(ImportFiles.name(of: word)) || next == "-" || next == "|"
        }
        guard let outer else { return starts }
        if outer == "[" || outer == "(" { return rest.dropFirst().first { !isBlank($0) } == "," }
        return outer != "{" && openers.contains(outer)
    }

    private static let openers: Set<Character> = ["\n", "|", ";", "&", "(", "`", "{", "[", "!"]
    /// Commands that are words of texts as well: `"light rain"`.
    private static let english: Set<String> = ["w", "who", "top", "light", "kill"]

    /// The script that a word of a command names, or that a shell finds in those directories of PATH that are below the home.
    static func script(_ token: Token, _ files: ImportFiles) -> String? {
        if token.text.contains("/") {
            guard let path = files.expanded(token.text, in: files.home ?? "/"), files.isFile(path) else { return nil }
            return path.hasPrefix("/dev/") || path.hasPrefix("/proc/") ? nil : path
        }
        guard token.isCommand, let home = files.home, let search = files.variable("PATH") else { return nil }
        return search.split(separator: ":").lazy.filter { $0.hasPrefix("\(home)/") }.map { "\($0)/\(token.text)" }
            .first(where: files.isFile)
    }

    /// The longer path first: it is no place below the other one.
    private static let hidden = ["/var/tmp"] + Sandbox.hiddenPlaces

    /// The variables of a user's directories with their defaults, as manifests write them (XDG Base Directory Specification).
    static let places = [
        "HOME": "%h", "XDG_CONFIG_HOME": "%h/.config", "XDG_CACHE_HOME": "%h/.cache",
        "XDG_DATA_HOME": "%h/.local/share", "XDG_STATE_HOME": "%h/.local/state", "XDG_RUNTIME_DIR": "%t",
    ]

    /// The hidden place that a word names. If only the program knows the end of the path, the directory above it.
    static func place(named text: String, _ home: String) -> String? {
        var path = text
        if text.hasPrefix("~/") {
            path = "\(home)\(text.dropFirst(1))"
        } else if let (place, rest) = variable(in: text) {
            path = (place.hasPrefix("%h") ? home + place.dropFirst(2) : place) + rest
        }
        let prefix = path.prefix { !"${}\\:".contains($0) }
        let isWhole = prefix.endIndex == path.endIndex || path[prefix.endIndex] == "}"
        let known = isWhole ? String(prefix) : ImportFiles.parent(of: String(prefix))
        guard known.hasPrefix("%t/"), !text.hasPrefix("%"), !known.includes("..") else { return place(known, home) }
        return "%t" + String(known.dropFirst(2)).replacing("%", by: "%%")
    }

    /// The directory that a variable names, `$HOME` or `${XDG_CACHE_HOME:-$HOME/.cache}`, and what follows it.
    private static func variable(in text: String) -> (place: String, rest: Substring)? {
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            rest = rest[dollar...].dropFirst()
            let isBraced = rest.first == "{"
            let name = rest.dropFirst(isBraced ? 1 : 0).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            var (after, depth) = (rest[name.endIndex...], isBraced ? 1 : 0)
            while depth > 0, let character = after.popFirst() {
                if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
            }
            if let place = places[String(name)], after.first == "/" { return (place, after) }
        }
        return nil
    }

    /// A path below the home, or below another directory that is hidden, as manifests write it; nil for such a directory
    /// itself, for other paths, for the session's sockets, and for the programs of NixOS.
    static func place(_ path: String, _ home: String) -> String? {
        let isKnown = ["/run/user/", "/run/current-system/"].contains(where: "\(path)/".hasPrefix)
        guard !isKnown, !hidden.contains(path),
            let base = ([home] + hidden).first(where: { path.hasPrefix("\($0)/") })
        else { return nil }
        let parts = path.dropFirst(base.count).split(separator: "/").filter { $0 != "." }
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        return "\(base == home ? "%h" : base)/" + parts.map { $0.replacing("%", by: "%%") }.joined(separator: "/")
    }

    static let commands: [String: SandboxWish] = table([
        .network: """
        curl wget aria2c ping nc ncat ssh scp rsync dig nslookup gh speedtest speedtest-cli checkupdates yay paru mpc ip iw \
        iwgetid ifconfig ss netstat ethtool newsboat mosquitto_sub fetch urlopen
        """,
        .session: """
        playerctl busctl dbus-send dbus-monitor gdbus qdbus nmcli bluetoothctl upower notify-send pactl pacmd pamixer \
        wpctl pw-cli pw-dump pulsemixer amixer swaymsg hyprctl i3-msg niri xprop xset xrandr xdotool wmctrl xkb-switch \
        setxkbmap systemctl loginctl timedatectl dunstctl makoctl swaync-client gsettings powerprofilesctl gammastep
        """,
        .machine: """
        ps top htop pgrep pidof pkill killall df lsblk findmnt iostat lsof docker podman virsh who w sudo pkexec doas \
        nvidia-smi brightnessctl light journalctl smartctl hddtemp i3status py3status conky bumblebee-status slstatus
        """,
    ])
    /// How the names of a session's sockets begin, through which programs can be started outside.
    static let sockets = [
        "bus/", "systemd/", "pulse/", "pipewire-", "wayland-", "sway-ipc.", "hypr/", "niri.", "i3/", "gnupg/",
        "keyring/", "gcr/", "ssh-agent", "docker.sock", "podman/",
    ]
    static let libraries: [String: SandboxWish] = table([
        .network: "requests urllib urllib2 urllib3 httpx aiohttp socket http https net open-uri axios node-fetch",
        .session: "dbus pydbus gi i3ipc pulsectl", .machine: "psutil i3pystatus",
    ])
    /// Calls of Python that measure the root of the sandbox in place of the machine's: `shutil.disk_usage("/")`. A variable may have
    /// such a name, too.
    static let measurements: Set<Substring> = ["disk_usage", "statvfs"]

    private static func table(_ words: [SandboxWish: String]) -> [String: SandboxWish] {
        Dictionary(words.flatMap { wish, text in text.split(separator: " ").map { (String($0), wish) } }) { one, _ in
            one
        }
    }
}
