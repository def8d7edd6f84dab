// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What a program seems to want beyond a strict sandbox, judging by its text. It is a guess, for a question or a warning: the
/// user decides what the sandbox allows.
package struct SandboxWishes: Equatable, Sendable {
    /// For each wish, the first word that suggests it.
    package private(set) var evidence: [SandboxWish: String] = [:]
    /// Hidden files that it names, as manifests do: `%h/notes.txt`.
    package private(set) var files: [String] = []
    /// What belongs to it, although it is hidden.
    private(set) var own: [String] = []

    private static let most = 16

    package init() {}

    /// - Parameter command: what a shell is given.
    package init(ofCommand command: String, _ files: ImportFiles) {
        var scripts: [String] = []
        var texts: [[UInt8]] = []
        var places = ProgramPlaces(files)
        var before = ""
        for token in Self.tokens(of: command, exists: files.exists) {
            defer { before = ImportFiles.name(of: token.text) }
            // A file that a command only reads is not part of the program.
            guard token.isCommand || Self.interpreters.contains(before), let script = Self.script(token, files),
                !scripts.contains(script), scripts.count < Self.most
            else {
                continue
            }
            scripts.append(script)
            guard case .bytes(let bytes) = files.read(script) else {
                places.add(script, nil)
                continue
            }
            texts.append(bytes)
            places.add(script, bytes)
        }
        take(places)
        note(command, files)
        for text in texts + places.python.texts { note(program: text, files) }
        // What lies beside a script is its own already.
        self.files.removeAll { file in own.contains { file == $0 || file.hasPrefix("\($0)/") } }
        nameFiles()
    }

    /// - Parameter bytes: a script, or a compiled program, which says nothing.
    package init(ofProgram bytes: [UInt8], _ files: ImportFiles) {
        var places = ProgramPlaces(files)
        places.add(text: bytes)
        take(places)
        for text in [bytes] + places.python.texts { note(program: text, files) }
        nameFiles()
    }

    private mutating func take(_ places: ProgramPlaces) { (own, files) = (places.own, places.ofInterpreters) }

    /// Names all files, because the question is about all of them.
    private mutating func nameFiles() {
        evidence[.files] = files.isEmpty ? nil : files.map { Self.path(of: $0, home: "~") }.joined(separator: " ")
    }

    private static func path(of place: String, home: String) -> String {
        if place.hasPrefix("%t/") { return "$XDG_RUNTIME_DIR\(place.dropFirst(2))" }
        return place.hasPrefix("%h/") ? home + place.dropFirst(2) : place
    }

    /// The drop-in that gives a program what the user allows of its wishes.
    ///
    /// - Parameter isSystem: whether it is for the system instance, which has no session.
    package func dropIn(_ consent: SandboxConsent, isSystem: Bool) -> String {
        var lines = [
            "# What this program may reach, as 'todayctl import' was told; the same command with --allow changes it.",
            "[Sandbox]",
        ]
        guard case .wishes(let allowed) = consent, granted(allowed).contains(.machine) == false else {
            return (lines + ["Level=none", ""]).joined(separator: "\n")
        }
        let granted = granted(allowed)
        lines.append("Level=\(granted.contains(.network) ? "network" : "strict")")
        func door(_ key: String, _ place: String) -> String {
            "\(key)Paths=\(place.contains(" ") ? "\"-\(place)\"" : "-\(place)")"
        }
        lines += own.map { door("Read", $0) }
        if granted.contains(.files) {
            // What lies there is usually the program's own.
            let caches = ["%h/.cache/", "/tmp/", "/var/tmp/", "%t/"]
            // The system instance has no session.
            lines += files.filter { !isSystem || !$0.hasPrefix("%t/") }.map { file in
                door(caches.contains(where: file.hasPrefix) ? "Write" : "Read", file)
            }
        }
        if granted.contains(.session) {
            lines.append("WritePaths=-/run/dbus/system_bus_socket")
            if !isSystem { lines += ["Bus=yes", "WritePaths=-%t -/tmp/.X11-unix", "ReadPaths=-%h/.Xauthority"] }
        }
        return (lines + [""]).joined(separator: "\n")
    }

    /// The wishes of this program among those that are allowed.
    package func granted(_ allowed: Set<SandboxWish>) -> [SandboxWish] {
        SandboxWish.allCases.filter { allowed.contains($0) && evidence[$0] != nil }
    }

    // MARK: Reading

    private mutating func note(program bytes: [UInt8], _ files: ImportFiles) {
        guard !bytes.prefix(4_096).contains(0) else { return }
        note(String(decoding: bytes, as: UTF8.self), files)
    }

    private mutating func note(_ text: String, _ files: ImportFiles) {
        let home = files.home ?? "/nonexistent"
        for line in text.split(whereSeparator: \.isNewline) {
            let code = line.drop { $0 == " " || $0 == "\t" }
            // A comment, which may contain the tags of a plugin.
            if code.hasPrefix("#") || code.hasPrefix("//") { continue }
            let tokens = Self.tokens(of: SpelledPaths.inShell(code), exists: files.exists)
            let isImport = ["import", "from", "require", "use"].contains(tokens.first?.text)
            for (index, token) in tokens.enumerated() {
                note(token, isImport: isImport, isLink: index > 0 && tokens[index - 1].text == "href", home)
            }
        }
    }

    private mutating func note(_ token: Token, isImport: Bool, isLink: Bool, _ home: String) {
        let name = ImportFiles.name(of: token.text)
        func tell(_ wish: SandboxWish, _ word: String, _ evidence: inout [SandboxWish: String]) {
            if evidence[wish] == nil { evidence[wish] = word }
        }
        let isAddress = ["http:", "https:", "wss:"].contains { token.text.hasPrefix("\($0)//") }
        if isAddress, !isLink { tell(.network, "\(token.text.prefix(40))", &evidence) }
        if token.text.hasPrefix("/proc/net") || token.text.hasPrefix("/sys/class/net") {
            tell(.network, token.text, &evidence)
        }
        if token.text.hasPrefix("/dev/"), !["/dev/null", "/dev/tty", "/dev/stdin", "/dev/stderr"].contains(token.text) {
            tell(.machine, token.text, &evidence)
        }
        if isImport {
            if let wish = Self.libraries[name.split(separator: ".").first.map(String.init) ?? name] {
                tell(wish, name, &evidence)
            }
        } else if token.isCommand, let wish = Self.commands[name] {
            tell(wish, name, &evidence)
        }
        let parts = token.text.split(separator: ".")
        if isImport || parts.count > 1, let call = parts.last, Self.measurements.contains(call) {
            tell(.machine, token.text, &evidence)
        }
        guard let place = Self.place(named: token.text, home), files.count < Self.most, !files.contains(place) else {
            return
        }
        if Self.sockets.contains(where: { "\(place)/".hasPrefix("%t/\($0)") }) {
            tell(.session, token.text, &evidence)
        } else {
            files.append(place)
        }
    }
}

extension SandboxWishes {
    /// What a sandbox withholds from it, in words.
    ///
    /// - Parameter visible: directories that the program sees in any case.
    package func withheld(by sandbox: Sandbox, home: String, visible: [String]) -> [String] {
        guard sandbox.isClosed else { return [] }
        let level = sandbox.level == .none ? "Network=no" : "Level=\(sandbox.level.rawValue)"
        func complaint(_ wish: SandboxWish, _ isOpen: Bool, _ remedy: String) -> String? {
            guard !isOpen, let word = evidence[wish] else { return nil }
            return "seems to want \(wish.words) (\(word)), which \(level) withholds; \(remedy)"
        }
        let isOpen = sandbox.level == .none
        let doors = visible + (sandbox.readable + sandbox.writable).map(\.path)
        let hidden = (own + files).filter { !$0.hasPrefix("%t/") }.map { Self.path(of: $0, home: home) }.first { path in
            !doors.contains { path == $0 || path.hasPrefix("\($0)/") }
        }
        return [
            complaint(.network, sandbox.hasNetwork, "Network=yes allows it"),
            complaint(.session, isOpen || sandbox.bus || !sandbox.writable.isEmpty, "Bus=yes allows the bus"),
            isOpen
                ? nil
                : hidden.map { "seems to want \($0), which \(level) withholds; ReadPaths= or WritePaths= allows it" },
            complaint(
                .machine, isOpen || !sandbox.devices.isEmpty, "Level=none allows it, and Devices= single devices"),
        ].compactMap(\.self)
    }
}
