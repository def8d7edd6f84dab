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
            AdministratorsGroup=wheel
            EnableNewWidgets=no
            """)
        var expected = Settings()
        expected.concurrencyMax = 3
        expected.defaultTimeout = .seconds(5)
        expected.defaultMemoryMax = ByteSize("100M")
        expected.defaultOutputMax = ByteSize(bytes: 65_536)
        expected.administratorsGroup = "wheel"
        expected.enableNewWidgets = false
        #expect(settings == expected)
        #expect(complaints.isEmpty)
    }

    @Test func withoutAFileThereAreDefaults() {
        #expect(read().settings == Settings())
        #expect(Settings().administratorsGroup == "sudo")
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
            ("DefaultTimeOut=5s", "c0:2: unknown key DefaultTimeOut=; did you mean DefaultTimeout=?"),
        ])
    func whatIsWrongChangesNothing(line: String, complaint: String) {
        let (settings, complaints) = read("[Daemon]\n\(line)\n")
        #expect(settings == Settings())
        #expect(complaints.map(\.description) == [complaint])
    }

    @Test(arguments: [(1, 4), (4, 4), (16, 16)])
    func runsAreAsManyAsProcessorsButAtLeastFour(processors: Int, concurrency: Int) {
        #expect(Settings().concurrency(processors: processors) == concurrency)
        var fixed = Settings()
        fixed.concurrencyMax = 1
        #expect(fixed.concurrency(processors: processors) == 1)
    }
}
