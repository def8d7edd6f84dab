// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// What the first line of a program tells about how the kernel starts it (execve(2)). The daemon starts a program in any case;
/// this explains to its author why the kernel refuses it.
package struct ProgramHead {
    /// What is wrong, and in which column of line 1.
    package struct Trouble: Hashable {
        let reason: String
        var column = 1
        /// Only the kernel knows whether it starts such a file.
        var isCertain = true
        /// The missing interpreter, by its path or its name.
        var interpreter: String?

        package func complaint(about file: String) -> Complaint {
            isCertain ? .error(file, 1, reason, column: column) : .warning(file, nil, reason)
        }
    }

    /// As much as execve(2) reads of the first line.
    private static let mostBytes = 256

    let bytes: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { self.bytes = bytes.prefix(Self.mostBytes) }

    package var hasInterpreter: Bool { bytes.starts(with: Array("#!".utf8)) }

    /// - Parameters:
    ///   - whyNotExecutable: as in `Paths`.
    ///   - exists: whether a directory of `PATH` has a program, for `#!/usr/bin/env NAME`.
    func trouble(
        whyNotExecutable: (String) -> String? = Paths.whyNotExecutable, exists: (String) -> Bool
    ) -> Trouble? {
        if bytes.isEmpty { return Trouble(reason: "is empty: there is nothing to run") }
        if bytes.starts(with: [0x7f] + Array("ELF".utf8)) { return nil }
        guard hasInterpreter else {
            let isText = !bytes.contains(0)
            return isText
                ? Trouble(reason: "has no interpreter: begin the first line with #!, as in #!/bin/sh")
                : Trouble(reason: "is neither a script nor an ELF program: the kernel may refuse it", isCertain: false)
        }
        return interpreterTrouble(whyNotExecutable, exists)
    }

    private func interpreterTrouble(
        _ whyNotExecutable: (String) -> String?, _ exists: (String) -> Bool
    ) -> Trouble? {
        let line = String(decoding: bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if line.unicodeScalars.last == "\r" {
            return Trouble(
                reason:
                    "line 1 ends with a carriage return, which becomes part of the interpreter's name; save the file "
                    + "with line feeds alone", column: line.unicodeScalars.count + 2)
        }
        let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let interpreter = words.first else { return Trouble(reason: "names no interpreter after #!", column: 3) }
        let column = line.prefix { $0 == " " || $0 == "\t" }.count + 3
        guard interpreter.hasPrefix("/") else {
            return Trouble(reason: "\(interpreter): write the interpreter's whole path", column: column)
        }
        if let reason = whyNotExecutable(interpreter) {
            let cure = reason == Paths.doesNotExist ? "; install it, or correct line 1" : ""
            return Trouble(
                reason: "its interpreter \(interpreter) \(reason)\(cure)", column: column, interpreter: interpreter)
        }
        guard Paths.name(of: interpreter) == "env", let name = Self.program(ofEnv: words.dropFirst()), !exists(name)
        else { return nil }
        return Trouble(
            reason: "its interpreter \(name) is in none of the directories of PATH; install it, or correct line 1",
            column: column, interpreter: name)
    }

    /// The name that env(1) looks for; nil if an option or a variable decides.
    private static func program(ofEnv words: ArraySlice<String>) -> String? {
        guard let name = words.first == "-S" ? words.dropFirst().first : words.first, !name.hasPrefix("-"),
            !name.contains(where: { "=/\"'\\$".contains($0) })
        else { return nil }
        return name
    }
}

extension EntryLoader {
    /// What is wrong with the first line of a program.
    package func trouble(inHead bytes: [UInt8]) -> ProgramHead.Trouble? {
        ProgramHead(bytes).trouble { name in if case .found = search.find(name) { true } else { false } }
    }
}
