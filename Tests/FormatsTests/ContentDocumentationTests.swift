// SPDX-License-Identifier: MIT
import Files
import Testing
import TodayModel
import Varlink

@testable import Formats

/// docs/content.md against what is read.
@Suite struct ContentDocumentationTests {
    private static let root = (0..<3).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    private func page() throws -> String {
        guard case .bytes(let bytes) = FileLook(at: "\(Self.root)/docs/content.md", limit: 1 << 20) else {
            Issue.record("docs/content.md cannot be read")
            return ""
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    /// The indented blocks.
    private func examples() throws -> [String] {
        var blocks: [[Substring]] = [[]]
        for line in try page().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    ") {
                blocks[blocks.count - 1].append(line.dropFirst(4))
            } else if blocks.last?.isEmpty == false {
                blocks.append([])
            }
        }
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }

    @Test func theExamplesAreRight() throws {
        let objects = try examples().filter { $0.hasPrefix("{") }
        var contents: [Content] = []
        var failures: [OutputError] = []
        for example in objects {
            do throws(OutputError) {
                contents.append(try ContentProtocol.json.content(from: Array(example.utf8), sizes: .standard))
            } catch {
                failures.append(error)
            }
        }
        #expect(failures == [OutputError("rate limited", wait: .minutes(16))])
        let timelines = contents.compactMap(\.timeline)
        #expect(contents.count == 2 && timelines.count == 1)
        #expect(timelines.first?.entries.count == 3)
        #expect(contents.last?.text == "The shop opens at 9:00")
    }

    @Test func everyFieldIsDescribed() throws {
        let interface = InterfaceDescription(constant: Interfaces.today)
        let page = try page()
        for name in ["Content", "TimelineEntry", "Relevance", "View", "Insets"] {
            guard case .structure(let fields) = try #require(interface.type(named: name)?.type) else {
                Issue.record("\(name) is no structure")
                continue
            }
            for field in fields {
                #expect(page.contains("`\(field.name)`"), "docs/content.md lacks \(field.name) of \(name)")
            }
        }
    }
}
