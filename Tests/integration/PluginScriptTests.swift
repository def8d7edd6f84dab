// SPDX-License-Identifier: MIT
import Files
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Scripts in the style of those that people have, in Tests/Fixtures/Plugins/scripts: NAME, and beside it as NAME.golden
    /// what todayd makes of its file name, its tags, its settings and what it prints. `NAME.PROTOCOL.sh` is not a plugin, but a
    /// program for that protocol. With TODAY_UPDATE_GOLDEN=1 the test writes these: review the difference before you commit it.
    @Suite struct PluginScriptTests {
        private static let directory: String = {
            let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
            return "/\(tests)/Fixtures/Plugins/scripts"
        }()

        private static func names() -> [String] {
            guard let listing = try? DirectoryListing(of: directory) else { return [] }
            return listing.entries.map(\.name).filter { $0.hasSuffix(".sh") || $0.hasSuffix(".py") }
        }

        @Test func thereAreMany() { #expect(Self.names().count >= 17) }

        @Test(arguments: names()) func aScriptIsAWidgetAsItsGoldenFileSays(name: String) throws {
            let tool = AuthorTool()
            let words = name.split(separator: ".").compactMap { ContentProtocol(rawValue: String($0)) }
            let options = words.first.map { ["--protocol", $0.rawValue] } ?? []
            let path = "\(Self.directory)/\(name)"
            let result = try run(
                "today-author", ["--user", "--once"] + options + [path], environment: tool.environment)
            let report = try #require(try JSON.parse(Array(result.output.utf8)).objectValue)
            let ran = try #require(report["run"]?.objectValue, "\(result.output)")
            var read: JSONObject = [:]
            for key in ["id", "name", "protocol", "interval"] { read[key] = report[key] }
            let complaints = report["complaints"]?.arrayValue ?? []
            read["complaints"] = .array(complaints.compactMap { $0.objectValue?["reason"] })
            for key in ["result", "exit", "errorOutput"] { read[key] = ran[key] }
            read["notes"] = report["notes"]
            read["content"] = report["item"]?.objectValue?["content"]
            let text = JSON.object(read).pretty + "\n"
            let golden = "\(path).golden"
            if getenv("TODAY_UPDATE_GOLDEN") != nil {
                let stream = try #require(fopen(golden, "we"))
                fputs(text, stream)
                fclose(stream)
                return
            }
            guard case .bytes(let bytes) = FileContents(at: golden, limit: 1 << 20) else {
                Issue.record("\(name).golden is missing")
                return
            }
            #expect(text == String(decoding: bytes, as: UTF8.self), "\(name).golden")
        }
    }
}
