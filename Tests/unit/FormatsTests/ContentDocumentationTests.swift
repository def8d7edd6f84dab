// SPDX-License-Identifier: MIT
import Files
import JSON
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import Formats

/// docs/content.md, of which contrib/manual makes todayd.content(5), against what is read.
@Suite struct ContentDocumentationTests {
    private static let root = (0..<4).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    private func page() throws -> String {
        let name = "docs/content.md"
        guard case .bytes(let bytes) = FileContents(at: "\(Self.root)/\(name)", limit: 1 << 20) else {
            Issue.record("\(name) cannot be read")
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
        var answers: [WidgetAnswer] = []
        for example in objects {
            let output = ProgramOutput(Array(example.utf8))
            do throws(OutputError) {
                if let answer = try ContentProtocol.json.statedNoData(in: output) {
                    answers.append(answer)
                } else {
                    contents.append(try ContentProtocol.json.content(from: output).content)
                }
            } catch {
                failures.append(error)
            }
        }
        #expect(failures == [OutputError("rate limited", wait: .minutes(16))])
        #expect(answers == [.noData(wait: .minutes(16))])
        let timelines = contents.compactMap(\.timeline)
        #expect(contents.count == 3 && timelines.count == 1)
        #expect(timelines.first?.entries.count == 3)
        #expect(contents.map(\.text).suffix(2) == ["The shop opens at 9:00", "load 0.3"])
    }

    @Test func everyFieldIsDescribed() throws {
        let interface = InterfaceDescription(constant: Interfaces.today)
        let page = try page()
        for name in ["Content", "TimelineEntry", "Relevance", "View", "Insets"] {
            guard case .structure(let fields) = try #require(interface.type(named: name)?.type) else {
                Issue.record("\(name) is not a structure")
                continue
            }
            for field in fields {
                #expect(page.contains("`\(field.name)`"), "docs/content.md lacks \(field.name) of \(name)")
                for word in Self.words(of: field.type) {
                    #expect(page.contains("`\(word)`"), "docs/content.md lacks \(word) of \(field.name)")
                }
            }
        }
    }

    /// Those that a field may be.
    private static func words(of type: VarlinkType) -> [String] {
        switch type {
        case .nullable(let type): words(of: type)
        case .enumeration(let words): words
        default: []
        }
    }
}
