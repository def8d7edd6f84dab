// SPDX-License-Identifier: MIT
import Files
import Testing
import TodayModel

@testable import Formats

/// The plugins of Tests/Fixtures/Plugins use every key and every tag that their hosts and our pages document.
@Suite struct PluginCoverageTests {
    private static let root = (0..<4).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    /// The parameters that the host of a dialect documents, in lower case.
    static let keys: [(dialect: MenuFormat.Dialect, keys: String)] = [
        (
            .xbar,
            """
            key href color font size shell param1 param2 terminal refresh dropdown length trim alternate templateimage image
            emojize ansi disabled
            """
        ),
        (
            .bitbar,
            """
            href color font size bash param1 param2 terminal refresh dropdown length trim alternate templateimage image emojize
            ansi
            """
        ),
        (
            .swiftbar,
            """
            color sfcolor sfcolor1 font size md sfimage sfconfig sfsize length trim ansi emojize symbolize dropdown alternate
            image templateimage imageurl width height valign tooltip checked badge disabled shortcut href bash param0 param1
            param2 terminal refresh webview webvieww webviewh fold stdin
            """
        ),
        (
            .argos,
            """
            font size color length trim emojize ansi unescape usemarkup iconname image imagewidth imageheight dropdown alternate
            href bash terminal refresh eval onclick
            """
        ),
    ]

    /// The keys that the fixtures of a dialect use.
    private static func used(_ dialect: MenuFormat.Dialect) throws -> Set<String> {
        var used: Set<String> = []
        for name in PluginCorpusTests.names() where name.hasSuffix(".\(dialect)") {
            let bytes = try PluginCorpusTests.read("\(PluginCorpusTests.directory)/\(name).txt")
            let lines = LenientText.lines(of: bytes, most: .max) { _ in }.lines
            for (number, text) in lines.enumerated() {
                let line = MenuLine(text, number: number + 1, of: dialect)
                let parameters = line.parameters ?? ""
                used.formUnion(MenuParameters.pairs(in: parameters, of: dialect) { _ in }.map(\.key))
            }
        }
        return used
    }

    @Test(arguments: 0..<4) func everyKeyOfADialectIsInAPlugin(place: Int) throws {
        let (dialect, words) = Self.keys[place]
        let used = try Self.used(dialect)
        let unused = words.split(whereSeparator: \.isWhitespace).map(String.init).filter { !used.contains($0) }
        #expect(unused.isEmpty, "no plugin of \(dialect) has these")
    }

    /// A key that is added to the page needs a dialect here, and so a plugin.
    @Test func everyKeyOfThePageIsOfADialect() throws {
        let known = Set(Self.keys.flatMap { $0.keys.split(whereSeparator: \.isWhitespace) }.map(String.init))
        let page = try Self.lines(of: "docs/content.md", from: "## Protocol=xbar, bitbar, swiftbar and argos")
        let rows = page.filter { $0.hasPrefix("| `") }
        #expect(rows.count > 12)
        let others = page.drop { !$0.hasPrefix("Other keys that say how a line looks") }.prefix(2)
        let cells = rows.map { $0.split(separator: "|")[0] } + others.map { $0[...] }
        let ignored: Set = ["swiftbar", "xbar", "argos", "bitbar", "~~~"]
        var documented: Set<String> = []
        for cell in cells {
            let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
            for (place, part) in parts.enumerated() where !place.isMultiple(of: 2) {
                documented.insert(part.lowercased())
            }
        }
        #expect(documented.subtracting(ignored).subtracting(known).isEmpty)
    }

    /// The scripts that have each key of the other formats.
    private static let scripts: [(name: String, keys: [String])] = [
        ("network.waybar.sh", WaybarFormat.moduleKeys.map { "\"" + $0 + "\"" }),
        ("mail.waybar.sh", WaybarFormat.blockKeys.map { "\"" + $0 + "\"" }),
        ("volume.i3blocks.py", I3BarObject.keys.map { "\"" + $0 + "\"" }),
        ("memory.genmon.sh", GenmonTags.Name.allCases.map { "<" + $0.rawValue + ">" }),
        ("backup.keyvalue.sh", KeyValueFields.keys),
        ("queue.nagios.py", [";", "\"U\"", "'%s'=", "%", "KB", "1,5e3", "@10:20", "~:3600"]),
    ]

    @Test(arguments: 0..<6) func everyKeyOfAFormatIsInAScript(place: Int) throws {
        let (name, keys) = Self.scripts[place]
        let text = String(
            decoding: try PluginCorpusTests.read("\(PluginCorpusTests.directory)/scripts/\(name)"), as: UTF8.self)
        let unused = keys.filter { Array(text.utf8)[...].position(of: $0) == nil }
        #expect(unused.isEmpty, "\(name)")
    }

    /// The tags of docs/manifest.md, and those that only the hosts know.
    static let tags = """
        xbar.title xbar.version xbar.author xbar.author.github xbar.desc xbar.image xbar.dependencies xbar.abouturl xbar.var
        bitbar.title bitbar.version bitbar.author bitbar.author.github bitbar.desc bitbar.dependencies bitbar.abouturl
        swiftbar.title swiftbar.version swiftbar.author swiftbar.desc swiftbar.dependencies swiftbar.type swiftbar.schedule
        swiftbar.refreshOnOpen swiftbar.runInBash swiftbar.environment swiftbar.useTrailingStreamSeparator
        swiftbar.hideAbout swiftbar.hideRunInTerminal swiftbar.hideLastUpdated swiftbar.hideDisablePlugin
        swiftbar.hideSwiftBar argos.title argos.desc argos.author
        """

    @Test func everyTagIsInAScript() throws {
        let directory = "\(PluginCorpusTests.directory)/scripts"
        var scripts: [UInt8] = []
        let names = try DirectoryListing(of: directory).entries.map(\.name)
        for name in names where name.hasSuffix(".sh") || name.hasSuffix(".py") {
            scripts += try PluginCorpusTests.read("\(directory)/\(name)")
        }
        let tags = Self.tags.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(tags.filter { scripts[...].position(of: "<\($0)>") == nil }.isEmpty)
        let page = try Self.lines(of: "docs/manifest.md", from: "## Plugins").joined(separator: "\n")
        for part in page.split(separator: "<").dropFirst() {
            let tag = part.prefix { $0 != ">" && $0 != "`" }
            #expect(tag.hasSuffix("…") || tags.contains(String(tag)), "\(tag)")
        }
    }

    private static func lines(of page: String, from heading: String) throws -> [String] {
        let text = String(decoding: try PluginCorpusTests.read("\(root)/\(page)"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: heading))
        return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.map { $0 }
    }
}
