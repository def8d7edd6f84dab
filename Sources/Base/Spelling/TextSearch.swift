// SPDX-License-Identifier: MIT

/// Looks for texts in texts, byte by byte. The standard library's own search compares characters and brings the engine of regular
/// expressions with it, 1.4 MB of each program (Tests/system/linking).
///
/// The functions exist twice, because generic code of another module is not specialized for its callers, and takes several
/// times as long.
extension Substring {
    /// The first occurrence of the other text.
    package func range(of text: String) -> Range<Index>? {
        let sought = Array(text.utf8)
        var searched = self
        guard let offset = searched.withUTF8({ Self.offset(of: sought, in: $0) }) else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: sought.count)
    }

    private static func offset(of sought: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = sought.first else { return 0 }
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: sought) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }

    package func includes(_ text: String) -> Bool { range(of: text) != nil }

    /// Whether all bytes of the text are in this range.
    package func consists(of bytes: ClosedRange<UInt8>) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(bytes.contains) } ?? utf8.allSatisfy(bytes.contains)
    }

    /// The parts between separators, empty ones included.
    ///
    /// - Parameter separator: is not empty.
    package func split(at separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self
        while let range = rest.range(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        parts.append(rest)
        return parts
    }

    /// - Parameter old: is not empty.
    package func replacing(_ old: String, by new: some StringProtocol) -> String {
        split(at: old).joined(separator: String(new))
    }
}

extension String {
    package func range(of text: String) -> Range<Index>? { self[...].range(of: text) }

    package func includes(_ text: String) -> Bool { self[...].includes(text) }

    package func consists(of bytes: ClosedRange<UInt8>) -> Bool { self[...].consists(of: bytes) }

    package func split(at separator: String) -> [Substring] { self[...].split(at: separator) }

    package func replacing(_ old: String, by new: some StringProtocol) -> String { self[...].replacing(old, by: new) }
}

/// Words as a shell reads them.
package enum ShellWords {
    package static func text(of words: [String]) -> String {
        words.map { word in
            let isPlain = !word.isEmpty && word.utf8.allSatisfy(Self.isPlain)
            return isPlain ? word : quoted(word)
        }.joined(separator: " ")
    }

    /// One word in single quotes.
    package static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A command line for ssh(1), which hands it to the user's shell on the other machine: any shell, and not a login shell. Only
    /// these have `~/.local/bin` in their PATH, where `contrib/install --user` puts todayctl.
    package static func onOtherMachine(_ script: String) -> String {
        "exec sh -c \(quoted(#"PATH="$HOME/.local/bin:$PATH"; "# + script))"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte >= 0x80 || "_./-+@%:,=".utf8.contains(byte)
    }
}
