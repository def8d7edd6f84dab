// SPDX-License-Identifier: MIT
import Files

/// The script that a command such as `python3 -u x.py` has an interpreter read. The daemon starts the interpreter, whatever
/// the script is; this tells its author what the interpreter will not find.
struct InterpreterScript: Equatable {
    let interpreter: String
    let path: String
    /// The index of the script's word in the command.
    let index: Int

    /// The options that change how a script is read, and take no value: a letter for each.
    private static let flags: [String: Set<Character>] = [
        "sh": Set("aefhnuvxl"), "python": Set("bBdEhiIOqsSuvx"), "perl": Set("cstTuUvwWX"), "ruby": Set("cdlsvwW"),
        "node": [], "php": Set("q"), "lua": Set("iEW"),
    ]
    private static let families: [String: String] = [
        "sh": "sh", "bash": "sh", "dash": "sh", "ksh": "sh", "zsh": "sh", "python": "python", "pypy": "python",
        "perl": "perl", "ruby": "ruby", "node": "node", "nodejs": "node", "php": "php", "lua": "lua",
    ]

    /// Nil for a command that names no script, or that another option may give another meaning, such as `sh -c TEXT`.
    init?(command: [String]) {
        var words = command.indices[...]
        guard let first = words.popFirst() else { return nil }
        var name = Paths.name(of: command[first])
        if name == "env" {
            guard let next = words.popFirst(), !command[next].hasPrefix("-"), !command[next].contains("=") else {
                return nil
            }
            name = Paths.name(of: command[next])
        }
        // Without its version: python3.11, lua5.4.
        let stem = name.prefix { $0.isASCII && $0.isLetter }
        guard name.dropFirst(stem.count).allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }),
            let family = Self.families[String(stem)], let flags = Self.flags[family]
        else { return nil }
        while let next = words.first, command[next].hasPrefix("-") {
            let letters = command[next].dropFirst()
            guard !letters.isEmpty, letters.allSatisfy(flags.contains) else { return nil }
            words = words.dropFirst()
        }
        guard let script = words.first, !command[script].isEmpty else { return nil }
        (interpreter, path, index) = (name, command[script], script)
    }

    /// What keeps the interpreter from reading the script, and whether that is certain; nil if nothing does.
    ///
    /// - Parameters:
    ///   - directory: where the program runs; nil for the widget's own directory, which only the daemon has.
    ///   - manifests: what `./` means for a program.
    func trouble(in directory: String?, beside manifests: String) -> (reason: String, isCertain: Bool)? {
        if path.hasPrefix("/") { return missing(path).map { ($0, true) } }
        let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        let beside = "\(manifests)/\(name)"
        if let directory {
            let file = "\(directory)/\(name)"
            return missing(file).map { ($0 + (Paths.isRegularFile(beside) ? "; write \(beside)" : ""), true) }
        }
        let place = "\(path) is a file in the widget's own directory, where \(interpreter) runs"
        return Paths.isRegularFile(beside)
            ? ("\(place), not \(beside): write that path, or WorkingDirectory=.", true)
            : ("\(place); write the whole path of a script that is elsewhere", false)
    }

    private func missing(_ file: String) -> String? {
        switch FileContents.beginning(of: file, upTo: 1) {
        // An interpreter may read a directory, as Python does, and a pipe.
        case .bytes, .directory, .notRegular, .nullDevice, .tooLarge: nil
        case .missing: "\(file), which \(interpreter) is to read, does not exist"
        case .danglingLink(let target):
            "\(file), which \(interpreter) is to read, is a link to \(target), which does not exist"
        case .refused(let reason): "\(file), which \(interpreter) is to read, cannot be read: \(reason)"
        }
    }
}
