// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Testing
import TodayModel

@testable import Formats

/// Output in the style of plugins that people have, in Tests/Fixtures/Plugins: NAME.DIALECT.txt, and beside it as
/// NAME.DIALECT.json the content that is read from it, and the notes. With TODAY_UPDATE_GOLDEN=1 the test writes these:
/// review the difference before you commit it.
@Suite struct PluginCorpusTests {
    static let directory: String = {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(tests)/Fixtures/Plugins"
    }()

    static func names() -> [String] {
        guard let directory = opendir(directory) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }

    static func read(_ path: String) throws -> [UInt8] {
        let stream = try #require(fopen(path, "re"), "\(path) is missing")
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return bytes
    }

    @Test(arguments: names()) func aPluginIsReadAsItsGoldenFileSays(name: String) throws {
        let word = try #require(name.split(separator: ".").last)
        let dialect = try #require(MenuFormat.Dialect.all.first { "\($0)" == word })
        let read = try dialect.read(try Self.read("\(Self.directory)/\(name).txt"))
        let json: JSON = ["content": read.content.json, "notes": JSON(read.lines)]
        let text = json.pretty + "\n"
        let path = "\(Self.directory)/\(name).json"
        if getenv("TODAY_UPDATE_GOLDEN") != nil {
            let stream = try #require(fopen(path, "we"))
            fputs(text, stream)
            fclose(stream)
            return
        }
        let golden = String(decoding: try Self.read(path), as: UTF8.self)
        #expect(text == golden, "\(name).json")
    }

    @Test func thereAreManyOfEachDialect() {
        let names = Self.names()
        #expect(names.count >= 48)
        for dialect in MenuFormat.Dialect.all { #expect(names.filter { $0.hasSuffix(".\(dialect)") }.count >= 9) }
    }
}
