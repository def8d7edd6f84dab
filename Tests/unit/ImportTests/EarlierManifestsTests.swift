// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

/// Which identifiers programs of equal names have, by the manifests of earlier imports.
@Suite struct EarlierManifestsTests {
    /// The commands of blocks `NAME:COMMAND`, the files of earlier imports as `LABEL:COMMAND`, and the identifiers.
    private static let tables: [(blocks: String, files: String, labels: String)] = [
        ("x:a x:b", "", "x x-2"), ("x:a x:b", "x:a x-2:b", "x x-2"), ("x:b x:a", "x:a x-2:b", "x-2 x"),
        ("x:b", "x:a x-2:b", "x-2"), ("x:c x:a x:b", "x:a x-2:b", "x-3 x x-2"), ("x:c x:b", "x:a x-2:b", "x x-2"),
        // Several files say the same: each program has its own.
        ("x:a x:a", "x:a x-2:a", "x x-2"), ("x:a", "x-2:a x-3:a", "x-2"),
        ("x:a x:b x:a", "x:b x-2:a x-3:a", "x-2 x x-3"),
        // A label that ends in a number is another one's.
        ("x:a x-2:b", "x:c x-2:a", "x x-2"), ("x-2:b x:a x:c", "x-2:a x-3:c", "x-2 x x-3"),
        ("x:a", "x-02:a x-y:a", "x"),
        ("y:a", "x:a", "y"),
    ]

    private static func pairs(_ text: String) -> [(name: String, command: String)] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: ":").map(String.init)
            return (parts[0], parts[1])
        }
    }

    private static func plan(_ blocks: [(name: String, command: String)], _ earlier: EarlierManifests) -> ImportPlan {
        let text = blocks.map { "[\($0.name)]\ncommand=\($0.command)\n" }.joined()
        let machine = Machine(["/home/ada/config": text])
        return ImportPlan.plan(for: .i3blocks, path: "/home/ada/config", files: machine.importFiles, earlier: earlier)
    }

    /// The manifests that an import of such blocks has written. The name is a label of the identifier.
    private static func earlier(_ files: [(name: String, command: String)]) -> EarlierManifests {
        var manifests: [WidgetID: [UInt8]] = [:]
        for file in files {
            guard let id = WidgetID("import.i3blocks.\(file.name)") else { continue }
            // A block of the name without its number, as the manifest has the name for people.
            let name = file.name.hasPrefix("x-") && file.name != "x-y" ? "x" : file.name
            for manifest in plan([(name, file.command)], EarlierManifests()).manifests {
                manifests[id] = Array(manifest.text.utf8)
            }
        }
        return EarlierManifests(manifests)
    }

    @Test(arguments: tables.indices) func programsKeepTheirIdentifiers(row: Int) {
        let table = Self.tables[row]
        let plan = Self.plan(Self.pairs(table.blocks), Self.earlier(Self.pairs(table.files)))
        #expect(plan.ids == table.labels.split(separator: " ").map { "import.i3blocks.\($0)" }, "\(table)")
    }

    /// A manifest with another interval or name is still that of its program.
    @Test func whatTheUserHasChangedKeepsItsProgram() throws {
        let text = try #require(Self.plan([("x", "a")], EarlierManifests()).manifests.first).text
        let changed = text.replacing("DisplayName=x", with: "DisplayName=mine")
        #expect(changed != text)
        let ids = try ["import.i3blocks.x", "import.i3blocks.x-2"].map { try #require(WidgetID($0)) }
        let other = try #require(Self.plan([("x", "b")], EarlierManifests()).manifests.first).text
        let earlier = EarlierManifests([ids[0]: Array(changed.utf8), ids[1]: Array(other.utf8)])
        let plan = Self.plan([("x", "c"), ("x", "a"), ("x", "b")], earlier)
        #expect(plan.ids == ["import.i3blocks.x-3", "import.i3blocks.x", "import.i3blocks.x-2"])
    }

    @Test func onlyWhatTheseFilesHadIsGone() throws {
        let earlier = Self.earlier([("x", "a"), ("x-2", "b"), ("y", "c")])
        #expect(
            earlier.gone(from: Self.plan([("x", "b")], earlier)).map(\.text) == [
                "import.i3blocks.x", "import.i3blocks.y",
            ])
        let other = Machine(["/home/ada/other": "[z]\ncommand=z\n"]).plan(.i3blocks, "/home/ada/other")
        #expect(earlier.gone(from: other).isEmpty)
    }
}
