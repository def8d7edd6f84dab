// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Compares the table of docs/architecture.md with the `import` lines of Sources.
@Suite struct ImportTableTests {
    private static let ownTools: Set<String> = ["Glibc", "Synchronization"]
    /// Modules that have only C headers.
    private static let cModules: Set<String> = ["CSystemd", "CSQLite", "CCurl", "CMicroHTTPD", "CLinux"]

    @Test func everyModuleImportsOnlyWhatTheTableAllows() throws {
        let table = try Self.table()
        var seen: Set<String> = []
        for file in try Tree.swiftFiles(below: "Sources") {
            let module = Self.module(of: file)
            let allowed = try #require(table[module], "docs/architecture.md has no row for \(module)")
            seen.insert(module)
            for imported in try Self.imports(of: file) where !Self.ownTools.contains(imported) {
                #expect(allowed.contains(imported), "\(file) imports \(imported)")
            }
        }
        for module in table.keys where !Self.cModules.contains(module) {
            #expect(seen.contains(module), "the table has a row for \(module), which has no source")
        }
    }

    @Test func noFileImportsFoundation() throws {
        for file in try Tree.swiftFiles(below: "Sources") {
            #expect(try Self.imports(of: file).filter { $0.hasPrefix("Foundation") }.isEmpty, "\(file)")
        }
    }

    @Test func stagesNeverImportStages() throws {
        let stages: Set<String> = ["Registry", "Scheduler", "Runner", "SnapshotStore", "QueryService"]
        let table = try Self.table()
        for stage in stages { #expect(table[stage]?.isDisjoint(with: stages) == true, "\(stage)") }
    }

    @Test func noFileIsLongerThan400Lines() throws {
        for file in try Tree.swiftFiles(below: "Sources") + Tree.swiftFiles(below: "Tests") {
            let lines = try Tree.text(of: file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(file) has \(lines) lines")
        }
    }

    @Test func programsAreSmall() throws {
        for program in ["todayd", "todayctl", "today-page", "today-fleet", "today-author"] {
            let lines = try Tree.text(of: "Sources/\(program)/main.swift").split(separator: "\n").count
            #expect(lines <= 30, "\(program)")
        }
    }

    /// The allowed imports of each module, from the table under "Modules".
    private static func table() throws -> [String: Set<String>] {
        var table: [String: Set<String>] = [:]
        let section = try Tree.text(of: "docs/architecture.md").split(separator: "\n## Modules\n", maxSplits: 1)
        for line in try #require(section.last).split(separator: "\n") {
            if line.hasPrefix("## ") { break }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " } }
            guard cells.count == 6, cells[1] != "module", !cells[1].hasPrefix("-") else { continue }
            table[cells[1]] = Set(cells[4].split(separator: ",").map(String.init))
        }
        return table
    }

    /// The directory of a widget with an app has three modules: widget, app, and the module that they share.
    private static let families = [
        "Sources/Widgets/Crypticker/Kit/": "CryptoCurrencyKit", "Sources/Widgets/Crypticker/Widget/": "BTCWidget",
        "Sources/Widgets/Crypticker/App/": "Crypticker",
        "Sources/Widgets/Agenda/Store/": "AgendaStore", "Sources/Widgets/Agenda/Widget/": "AgendaWidget",
        "Sources/Widgets/Agenda/App/": "Agenda",
        "Sources/Widgets/Greeting/Store/": "GreetingStore", "Sources/Widgets/Greeting/Widget/": "GreetingWidget",
        "Sources/Widgets/Greeting/App/": "Greeting",
    ]

    /// `Sources/Base/Reactor/EventLoop.swift` → Reactor; `Sources/todayd/main.swift` → todayd.
    private static func module(of file: String) -> String {
        if let member = families.first(where: { file.hasPrefix($0.key) }) { return member.value }
        let parts = file.split(separator: "/")
        return String(parts.count == 3 ? parts[1] : parts[2])
    }

    /// An indented line is not an import of Swift's: a text may have programs in other languages.
    private static func imports(of file: String) throws -> [String] {
        try Tree.text(of: file).split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { line in
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "import"), keyword <= 2, words.count > keyword + 1,
                words[..<keyword].allSatisfy({ $0.hasPrefix("@") || ["package", "public", "internal"].contains($0) })
            else { return nil }
            let kinds = ["struct", "class", "enum", "func", "protocol", "var", "let", "typealias"]
            let name = kinds.contains(String(words[keyword + 1])) ? words[keyword + 2] : words[keyword + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }
}
