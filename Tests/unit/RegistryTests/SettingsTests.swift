// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

@Suite struct SettingsTests {
    private func read(_ texts: String...) -> (settings: Settings, complaints: [Complaint]) {
        Settings.read(
            texts.enumerated().map { index, text in
                UnitFile(path: "c\(index)", bytes: Array(text.utf8), sections: Settings.sections)
            })
    }

    @Test func everyKeyHasItsPlace() {
        let (settings, complaints) = read(
            """
            [Daemon]
            ConcurrencyMax=3
            DefaultTimeout=5s
            DefaultMemoryMax=100M
            DefaultOutputMax=64K
            DefaultSandbox=network
            AdministratorsGroup=wheel
            EnableNewWidgets=no
            Columns=90
            CompactRows=6
            ExpandedRows=40
            """)
        var expected = Settings()
        expected.concurrencyMax = 3
        expected.defaultTimeout = .seconds(5)
        expected.defaultMemoryMax = ByteSize("100M")
        expected.defaultOutputMax = ByteSize(bytes: 65_536)
        expected.defaultSandbox = .network
        expected.administratorsGroup = "wheel"
        expected.enableNewWidgets = false
        expected.sizes.columns = 90
        expected.sizes.compactRows = 6
        expected.sizes.expandedRows = 40
        #expect(settings == expected)
        #expect(complaints.isEmpty)
    }

    @Test func withoutAFileThereAreDefaults() {
        #expect(read().settings == Settings())
        #expect(Settings().administratorsGroup == "sudo" && Settings().defaultSandbox == .none)
        #expect(Settings().enableNewWidgets)
    }

    @Test func laterFilesWinAndAnEmptyValueIsTheDefault() {
        let settings = read(
            "[Daemon]\nConcurrencyMax=3\nDefaultTimeout=5s", "[Daemon]\nConcurrencyMax=9\nDefaultTimeout="
        ).settings
        #expect(settings.concurrencyMax == 9)
        #expect(settings.defaultTimeout == UpdatePlan.defaultTimeout)
    }

    @Test(
        arguments: [
            ("ConcurrencyMax=0", "c0:2: ConcurrencyMax=: \"0\" is not a number from 1 to 1000"),
            (
                "DefaultTimeout=never",
                "c0:2: DefaultTimeout=: \"never\" is not a length of time, such as 90, 30s or 1min 30s"
            ),
            ("EnableNewWidgets=2", "c0:2: EnableNewWidgets=: \"2\" is neither yes nor no"),
            ("DefaultOutputMax=infinity", "c0:2: DefaultOutputMax=: infinity is more than 1M"),
            ("Columns=19", "c0:2: Columns=: \"19\" is not a number from 20 to 500"),
            ("Columns=501", "c0:2: Columns=: \"501\" is not a number from 20 to 500"),
            ("CompactRows=0", "c0:2: CompactRows=: \"0\" is not a number from 1 to 200"),
            ("ExpandedRows=201", "c0:2: ExpandedRows=: \"201\" is not a number from 1 to 200"),
            ("Columns[de]=80", "c0:2: Columns=: it has no translations"),
            ("DefaultTimeOut=5s", "c0:2: unknown key DefaultTimeOut=; did you mean DefaultTimeout=?"),
        ])
    func whatIsWrongChangesNothing(line: String, complaint: String) {
        let (settings, complaints) = read("[Daemon]\n\(line)\n")
        #expect(settings == Settings())
        #expect(complaints.map(\.description) == [complaint])
    }

    /// Where only the compact mode is made higher, the expanded one follows without a word.
    @Test func theExpandedModeIsNoLowerThanTheCompactOne() {
        let (settings, complaints) = read("[Daemon]\nCompactRows=20\n")
        #expect(settings.sizes[.expanded].rows == 20 && complaints.isEmpty)
        for text in ["ExpandedRows=8\nCompactRows=10", "CompactRows=10\nExpandedRows=8"] {
            let (settings, complaints) = read("[Daemon]\n\(text)\n")
            #expect(settings.sizes[.compact].rows == 10 && settings.sizes[.expanded].rows == 10)
            let line = text.hasPrefix("Expanded") ? 2 : 3
            #expect(
                complaints.map(\.description)
                    == ["c0:\(line): ExpandedRows=: 8 is less than CompactRows=10, which counts for both"])
            #expect(complaints.first?.severity == .warning)
        }
        let (later, none) = read("[Daemon]\nExpandedRows=8\nCompactRows=10", "[Daemon]\nCompactRows=\nExpandedRows=")
        #expect(later == Settings() && none.isEmpty)
        #expect(read("[Daemon]\nExpandedRows=10\nCompactRows=10\n").1.isEmpty, "equal is no complaint")
    }

    @Test(arguments: [(1, 4), (4, 4), (16, 16)])
    func runsAreAsManyAsProcessorsButAtLeastFour(processors: Int, concurrency: Int) {
        #expect(Settings().concurrency(processors: processors) == concurrency)
        var fixed = Settings()
        fixed.concurrencyMax = 1
        #expect(fixed.concurrency(processors: processors) == 1)
    }
}
