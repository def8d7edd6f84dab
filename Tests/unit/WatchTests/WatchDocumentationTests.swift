// SPDX-License-Identifier: MIT

import Files
import Testing

@testable import Commands
@testable import Watch

/// The page and the manual list the keys of `todayctl watch` as its help page does.
@Suite struct WatchDocumentationTests {
    private static let rows =
        WatchKeys.all.map { ($0.spelling, $0.help) } + WatchKeys.others.map { ($0.spelling, $0.help) }

    private func lines(of path: String) throws -> [String] {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try InputFile.read("\(root)/\(path)", upTo: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func thePageHasARowForEachKey() throws {
        let rows = try lines(of: "docs/watch.md").filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(Array(rows) == Self.rows.map { "| \($0.0) | \($0.1) |" })
    }

    @Test func theManualHasEachKey() throws {
        let section = try lines(of: "docs/man/todayctl.1").drop { $0 != ".SH KEYS OF WATCH" }.dropFirst().prefix {
            !$0.hasPrefix(".SH")
        }
        let tags = section.indices.filter { section[$0] == ".TP" }
        let found = tags.map { (section[$0 + 1], section[$0 + 2]) }
        let wanted = Self.rows.map { (".B \"\($0.0)\"", "\($0.1.prefix(1).uppercased())\($0.1.dropFirst()).") }
        let escaped = wanted.map { ($0.0.replacing("-", with: "\\-"), $0.1.replacing("-", with: "\\-")) }
        #expect(found.map(\.0) == escaped.map(\.0) && found.map(\.1) == escaped.map(\.1))
    }
}
