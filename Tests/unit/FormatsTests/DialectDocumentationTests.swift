// SPDX-License-Identifier: MIT
import Files
import Testing
import TodayModel

@testable import Formats

/// The sections of docs/content.md about the dialects, against what is read.
@Suite struct DialectDocumentationTests {
    private static let root = (0..<4).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    /// The lines of a section.
    private func markdown(_ dialect: ContentProtocol) throws -> [String] {
        let page = "docs/content.md"
        guard case .bytes(let bytes) = FileContents(at: "\(Self.root)/\(page)", limit: 1 << 20) else {
            Issue.record("\(page) cannot be read")
            return []
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "## Protocol=\(dialect.rawValue)" })
        return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.map(String.init)
    }

    /// What a program prints in an example. One of them is a script.
    private func printed(_ example: [String]) -> String {
        example.map { line in
            guard line.hasPrefix("echo '"), line.hasSuffix("'") else { return line + "\n" }
            return line.dropFirst("echo '".count).dropLast() + "\n"
        }.joined()
    }

    static let examples: [(dialect: ContentProtocol, status: Int32, text: String)] = [
        (.i3blocks, 0, "62 % used"), (.waybar, 0, "62 %"), (.nagios, 1, "DISK WARNING - 38 GB free"),
        (.genmon, 0, "62 %"), (.polybar, 0, "62 % of 120 GB"),
        (.keyvalue, 0, "62 % used"),
    ]

    @Test(arguments: examples)
    func theExamplesAreRight(_ dialect: ContentProtocol, _ status: Int32, _ text: String) throws {
        let indented = try markdown(dialect).drop { $0.isEmpty }.prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
        #expect((1...3).contains(indented.count))
        let read = try DialectReading(dialect: dialect)(printed(indented.map(String.init)), status: status)
        #expect(read.content.text == text)
        #expect(read.lines.isEmpty)
    }

    @Test func everyKeyOfKeyValueIsDescribed() throws {
        let page = try markdown(.keyvalue).joined(separator: "\n")
        for key in KeyValueFields.keys {
            #expect(page.contains("`\(key)`") || page.contains("`\(key)."), "docs/content.md lacks \(key)")
        }
    }

    @Test func everyWordOfAClassIsDescribed() throws {
        let page = try markdown(.waybar).joined(separator: "\n")
        for word in ClassWords.words.flatMap(\.words) {
            #expect(page.contains("`\(word)`"), "docs/content.md lacks \(word)")
        }
    }

    @Test func everyTagOfGenmonIsDescribed() throws {
        let page = try markdown(.genmon).joined(separator: "\n")
        for tag in GenmonTags.Name.allCases {
            #expect(page.contains("`<\(tag.rawValue)>`"), "docs/content.md lacks \(tag.rawValue)")
        }
    }
}
