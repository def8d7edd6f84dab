// SPDX-License-Identifier: MIT
import Files
import JSON
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import Formats

/// docs/content.md and the man page, against what is read.
@Suite struct ContentDocumentationTests {
    private static let root = (0..<3).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    private static let manual = "docs/man/todayd.content.5"

    private func page(_ name: String = "docs/content.md") throws -> String {
        guard case .bytes(let bytes) = FileLook(at: "\(Self.root)/\(name)", limit: 1 << 20) else {
            Issue.record("\(name) cannot be read")
            return ""
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    /// The words of the manual page, without roff's requests and backslashes.
    private func manualWords() throws -> Set<String> {
        let text = try page(Self.manual).filter { $0 != "\\" }
        return Set(
            text.split { !($0.isLetter || $0.isNumber || $0 == "," || $0 == "_") }.map { word in
                String(word).hasSuffix(",") ? String(word.dropLast()) : String(word)
            })
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
                contents.append(try ContentProtocol.json.content(from: ProgramOutput(Array(example.utf8))).content)
            } catch {
                failures.append(error)
            }
        }
        #expect(failures == [OutputError("rate limited", wait: .minutes(16))])
        let timelines = contents.compactMap(\.timeline)
        #expect(contents.count == 3 && timelines.count == 1)
        #expect(timelines.first?.entries.count == 3)
        #expect(contents.map(\.text).suffix(2) == ["The shop opens at 9:00", "load 0.3"])
    }

    @Test func everyFieldIsDescribed() throws {
        let interface = InterfaceDescription(constant: Interfaces.today)
        let page = try page()
        let manual = try manualWords()
        for name in ["Content", "TimelineEntry", "Relevance", "View", "Insets"] {
            guard case .structure(let fields) = try #require(interface.type(named: name)?.type) else {
                Issue.record("\(name) is no structure")
                continue
            }
            for field in fields {
                #expect(page.contains("`\(field.name)`"), "docs/content.md lacks \(field.name) of \(name)")
                #expect(manual.contains(field.name), "\(Self.manual) lacks \(field.name) of \(name)")
                for word in Self.words(of: field.type) {
                    #expect(page.contains("`\(word)`"), "docs/content.md lacks \(word) of \(field.name)")
                    #expect(manual.contains(word), "\(Self.manual) lacks \(word) of \(field.name)")
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

    @Test func theManualHasTheSameLimits() throws {
        let table = try #require(try page().split(separator: "\n## Limits\n", maxSplits: 1).last)
        let rows = table.split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        let manual = try manualWords()
        for row in rows.dropFirst(2) {
            let limit = try #require(row.split(separator: "|").last)
            let numbers = limit.split { !($0.isNumber || $0 == ",") }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
            for number in numbers where !number.isEmpty {
                #expect(manual.contains(String(number)), "\(Self.manual) lacks \(number): \(row)")
            }
        }
    }

    @Test func theExamplesOfTheManualAreRight() throws {
        let blocks = try page(Self.manual).split(separator: ".EX\n").dropFirst()
            .compactMap { $0.split(separator: "\n.EE", maxSplits: 1).first }
        var contents: [Content] = []
        var failures: [OutputError] = []
        for block in blocks where block.hasPrefix("{") {
            do throws(OutputError) {
                contents.append(try ContentProtocol.json.content(from: ProgramOutput(Array(block.utf8))).content)
            } catch {
                failures.append(error)
            }
        }
        #expect(failures == [OutputError("rate limited", wait: .minutes(16))])
        #expect(contents.map(\.text) == ["62 % used", "The shop opens at 9:00"])
        #expect(contents.last?.timeline?.entries.count == 2)
    }
}
