// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The tags in the comments of a plugin: `# <xbar.title>Battery</xbar.title>`.
///
/// It reads the tags of xbar, BitBar, SwiftBar and Argos in any comment, each within one line. It is linear in the bytes.
package struct PluginMetadata: Equatable, Sendable {
    /// Later bytes are not searched; xbar and SwiftBar read about as much.
    package static let mostBytes = 1 << 20
    private static let mostVariables = 64
    private static let longestTag = 80
    private static let longestValue = 4_096
    private static let hosts = ["xbar.", "bitbar.", "swiftbar.", "argos."]

    /// The first value of each tag, by its name without the host: `title`, `author.github`.
    private var values: [String: String] = [:]
    /// The values of `<xbar.var>`, with their lines.
    private(set) var variables: [(text: String, line: Int)] = []
    private var hostsOfTags: Set<String> = []
    /// Before this index there is no unread `</`.
    private var searched = 0

    package init(_ bytes: [UInt8]) {
        let bytes = bytes.prefix(Self.mostBytes)
        var line = 1
        var place = bytes.startIndex
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "<"):
                if let end = read(bytes[(place + 1)...], line: line) {
                    place = end
                    continue
                }
            default: break
            }
            place += 1
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.values == right.values && left.hostsOfTags == right.hostsOfTags
            && left.variables.map(\.text) == right.variables.map(\.text)
    }

    /// The program that the plugin was written for, by its tags; nil if it has none.
    package var dialect: ContentProtocol? {
        if hostsOfTags.contains("swiftbar.") { return .swiftbar }
        if hostsOfTags.contains("argos.") { return .argos }
        if hostsOfTags.contains("xbar.") { return .xbar }
        return hostsOfTags.contains("bitbar.") ? .bitbar : nil
    }

    subscript(tag: String) -> String? { values[tag].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether a tag is set to true.
    func isSet(_ tag: String) -> Bool { self[tag]?.lowercased() == "true" }

    /// Its dependencies, as far as the names are single words that may be programs: `python3,jq`.
    var dependencies: [String] {
        let words = (self["dependencies"] ?? "").lowercased().split { $0 == "," || $0 == ";" }.map(\.trimmed)
        let names = words.map { $0 == "node.js" ? "node" : $0 }
        return names.filter { name in
            !name.isEmpty && name.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
        }
    }

    /// `[NAME=value, OTHER=value]` of `<swiftbar.environment>`.
    var environment: [String: String] {
        var text = (self["environment"] ?? "")[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        var environment: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = words[0].trimmed
            if words.count == 2, SettingName.isVariable(name), !name.hasPrefix("TODAY_") {
                environment[name] = words[1].trimmed
            }
        }
        return environment
    }

    /// Reads the tag that begins here. Returns the place of its end; nil if there is none.
    private mutating func read(_ bytes: ArraySlice<UInt8>, line: Int) -> Int? {
        guard let host = Self.hosts.first(where: { bytes.starts(with: $0.utf8, by: Self.isSameLetter) }) else {
            return nil
        }
        let name = bytes.dropFirst(host.utf8.count)
        guard let end = name.prefix(Self.longestTag).firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let rest = bytes[(end + 1)...].prefix(Self.longestValue).prefix { $0 != UInt8(ascii: "\n") }
        guard let close = firstClose(in: rest) else { return nil }
        let tag = String(decoding: name[..<end], as: UTF8.self).lowercased()
        let text = String(decoding: rest[..<close], as: UTF8.self)
        // Trimmed last: an escape sequence may have stood between spaces.
        let value = PlainText.line(text[...].trimmed, upTo: ContentLimits.summaryBytes)[...].trimmed
        hostsOfTags.insert(host)
        if tag == "var" {
            if variables.count < Self.mostVariables { variables.append((value, line)) }
        } else if values[tag] == nil {
            values[tag] = value
        }
        return close
    }

    /// The place of the first `</`. A search continues where the previous one ended without a result, so that no byte is
    /// searched twice.
    private mutating func firstClose(in bytes: ArraySlice<UInt8>) -> Int? {
        var place = max(bytes.startIndex, searched)
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.endIndex, bytes[place + 1] == UInt8(ascii: "/") {
                return place
            }
            place += 1
        }
        searched = max(searched, bytes.endIndex - 1)
        return nil
    }

    private static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || left | 0x20 == right && (0x61...0x7a).contains(right)
    }
}
