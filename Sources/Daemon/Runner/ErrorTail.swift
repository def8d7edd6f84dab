// SPDX-License-Identifier: MIT
import Formats
import Spelling
import TodayModel

/// The last part of what a program printed to standard error, as text that is safe to print on a terminal.
struct ErrorTail: Sendable {
    private static let limit = RunRecord.errorOutputBytes

    private(set) var bytes: [UInt8] = []
    private var isCut = false
    /// The reason that a crashed Swift program printed before its trace; nil while none was cut off.
    private var crashReason: String?

    init(_ bytes: [UInt8] = []) { append(bytes[...]) }

    /// Keeps the last bytes. Twice the limit is kept before older bytes are removed, so that few bytes are moved.
    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes += more.suffix(2 * Self.limit)
        isCut = isCut || more.count > 2 * Self.limit
        if bytes.count > 2 * Self.limit {
            crashReason = SwiftCrash.reason(in: String(decoding: bytes, as: UTF8.self)) ?? crashReason
            bytes.removeFirst(bytes.count - Self.limit)
            isCut = true
        }
    }

    /// Adds a whole line, after a line end if one is missing.
    mutating func append(line: String) {
        if let last = bytes.last, last != UInt8(ascii: "\n") { append([UInt8(ascii: "\n")]) }
        append(Array((line + "\n").utf8)[...])
    }

    /// The tail as UTF-8, with invalid bytes replaced, and without terminal sequences and control characters. It begins
    /// with a whole line if it has more than one.
    var text: String {
        var tail = bytes.suffix(Self.limit)
        if isCut || tail.count < bytes.count {
            if let end = tail.dropLast().firstIndex(of: UInt8(ascii: "\n")) { tail = tail[(end + 1)...] }
            tail = tail.drop { $0 & 0xc0 == 0x80 }
        }
        var text = PlainText.harmless(String(decoding: tail, as: UTF8.self))
        while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
        let cut = tail.count < bytes.count ? SwiftCrash.reason(in: String(decoding: bytes, as: UTF8.self)) : nil
        guard let reason = cut ?? crashReason, SwiftCrash.reason(in: text) == nil else { return text }
        return "\(PlainText.line(reason, upTo: 500))\n…\n\(text)"
    }
}

/// What part of a sandbox may have caused an error message. The kernel's errors are the same as elsewhere, so only the
/// program's words can tell.
enum SandboxHint {
    private static let network = [
        "resolve host", "name resolution", "name or service not known", "network is unreachable", "no route to host",
        "getaddrinfo", "eai_again", "failed to connect", "couldn't connect", "could not connect",
    ]
    private static let bus = ["dbus", "d-bus", "org.freedesktop"]
    private static let missing = ["no such file or directory", "enoent", "does not exist"]
    /// Of Python, Node.js, Ruby and Perl, whose libraries may be in the home.
    private static let withoutModule = ["no module named", "cannot find module", "cannot load such file", "in @inc"]
    private static let refused = ["permission denied", "operation not permitted", "eacces", "eperm"]
    private static let unwritable = ["read-only file system", "erofs"]
    private static let emptyPlaces = ["~/"] + (["/home", "/root"] + Sandbox.hiddenPlaces).map { "\($0)/" }

    /// In words, with the key of a manifest that allows the access; nil if nothing points to the sandbox.
    static func words(for message: String, _ sandbox: Sandbox) -> String? {
        if sandbox.isClosed, let cure = Sandbox.cure(ofRefusal: message) { return cure }
        let message = message.lowercased()
        func says(_ words: [String]) -> Bool { words.contains(where: message.includes) }
        if !sandbox.hasNetwork, says(network) { return "its sandbox has no network (Network=yes gives it)" }
        guard sandbox.level != .none else { return nil }
        if !sandbox.bus, says(bus) { return "its sandbox has no bus of the session (Bus=yes gives it)" }
        if says(unwritable) { return "its sandbox may write to its own directories alone (WritePaths= adds others)" }
        if says(refused) { return "its sandbox may forbid this (ReadPaths=, WritePaths= and Devices= open doors)" }
        if says(missing) && says(emptyPlaces) || says(withoutModule) {
            return "its sandbox may hide this (ReadPaths= shows it)"
        }
        return nil
    }
}
