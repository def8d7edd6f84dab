// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// Which files of a directory are plugins, and what is said of those that cannot be.
struct PluginSurveyTests {
    let directory = TemporaryDirectory()

    private func survey() -> Survey { Survey(of: SearchPath(widgetDirectories: [directory("widgets")])) }

    private func complaints(_ survey: Survey) -> [String] {
        (survey.complaints + survey.plugins.complaints).map(\.description).sorted().map {
            $0.replacing(directory.path + "/plugins/", with: "")
        }
    }

    @Test func aNameOfNothingIsComplainedOf() throws {
        for name in ["010-.5m.sh", "\u{1b}[31m.5m.sh", " .1h.sh"] {
            try directory.script("#!/bin/sh", to: "plugins/\(name)")
        }
        try directory.script("#!/bin/sh", to: "plugins/---.sh")
        for name in ["---.txt", ".hidden.5m.sh", "---.5m.sh.off", "---.5m.sh~", "---.5m.sh.vars.json"] {
            try directory.write("x", to: "plugins/\(name)")
        }
        try directory.script("#!/bin/sh", to: "plugins/\u{1b}[31mcpu.5m.sh")
        let survey = survey()
        #expect(survey.plugins.files.keys.map(\.text) == ["plugin.cpu"])
        let reason =
            "the name has no letter and no digit for an identifier; rename the file, for instance to name.5m.sh"
        #expect(
            complaints(survey) == [
                " .1h.sh: \(reason)", "---.sh: \(reason)", ".5m.sh: \(reason)", "010-.5m.sh: \(reason)",
            ])
    }

    /// Files beside the plugins, whether they are executable and begin with #!, and what they become.
    static let others: [(name: String, text: String, isExecutable: Bool, isPlugin: Bool, isComplaint: Bool)] = [
        ("cpu.5m.sh.log", "a log\n", false, false, false), ("cpu.5m.sh.bak", "#!/bin/sh\n", false, false, false),
        ("cpu.5m.sh.BAK", "#!/bin/sh\n", false, false, false), ("cpu.5m.sh.swp", "b0VIM", false, false, false),
        ("cpu.5m.sh~", "#!/bin/sh\n", true, false, false), (".cpu.5m.sh.swp", "#!", true, false, false),
        ("README.md", "# Read\n", false, false, false), ("README.md", "# Read\n", true, false, false),
        ("LICENSE", "MIT", true, false, false), ("LICENSE-MIT.txt", "MIT", true, false, false),
        ("README.5m.sh", "#!/bin/sh\n", true, true, false), ("notes.md", "# a\n", true, false, false),
        ("readme", "#!/bin/sh\n", true, true, false), ("licenses.sh", "echo", true, true, false),
        // xbar runs what may be executed, also a backup, and says of any other that it may not be.
        ("cpu.5m.sh.bak", "#!/bin/sh\n", true, true, false), ("cpu.5m.sh", "#!/bin/sh\n", false, true, false),
        ("cpu.5m.sh", "echo hi\n", true, true, false), ("cpu.5m.sh", "echo hi\n", false, false, true),
        ("cpu.5m.sh", "", false, false, true), ("cpu.txt", "echo hi\n", false, false, false),
    ]

    @Test(arguments: others.indices) func whatNoHostRunsIsNoPlugin(_ index: Int) throws {
        let (name, text, isExecutable, isPlugin, isComplaint) = Self.others[index]
        try directory.write(text, to: "plugins/\(name)", mode: isExecutable ? 0o755 : 0o644)
        let survey = survey()
        #expect(survey.plugins.files.count == (isPlugin ? 1 : 0), "\(name)")
        #expect(complaints(survey).count == (isComplaint ? 1 : 0), "\(name): \(complaints(survey))")
        let path = directory("plugins/\(name)")
        #expect(
            (survey.plugins.plugin(concernedBy: name, in: directory("plugins")) == path) == (isPlugin || isComplaint))
    }

    /// A directory with thousands of other files would hold up all clients.
    @Test func onlySoManyFilesAreLookedAt() throws {
        func add(_ numbers: Range<Int>) throws {
            for number in numbers {
                let name = String(String(number + 10_000).dropFirst())
                try directory.write("", to: "plugins/\(name).txt", mode: 0o600)
            }
        }
        try directory.script("#!/bin/sh", to: "plugins/0.5m.sh")
        try add(1..<PluginSurvey.mostEntries)
        #expect(complaints(survey()) == [])
        try add(PluginSurvey.mostEntries..<PluginSurvey.mostEntries + 2)
        try directory.script("#!/bin/sh", to: "plugins/z.5m.sh")
        let survey = survey()
        #expect(survey.plugins.files.count == 1, "the first by name")
        let words = "has 4099 files, of which the first 4096 are looked at; keep the others elsewhere"
        #expect(complaints(survey).contains { $0.contains(words) })
    }

    @Test func aNameThatIsNotUTF8IsComplainedOf() throws {
        try directory.script("#!/bin/sh", to: "plugins/cpu.5m.sh")
        for head in ["caf", ".caf"] {
            let bytes = Array("\(directory.path)/plugins/\(head)".utf8) + [0xe9] + Array(".5m.sh".utf8) + [0]
            let file = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { path in
                path.baseAddress.map { creat($0, 0o755) } ?? -1
            }
            #expect(file >= 0)
            close(file)
        }
        let survey = survey()
        #expect(survey.plugins.files.count == 1)
        #expect(
            complaints(survey) == [
                "caf\u{fffd}.5m.sh: the name is not UTF-8, so that nothing can name it; rename the file"
            ])
        // One that comes may be executable, which nothing can ask of it.
        #expect(survey.plugins.plugin(concernedBy: "other\u{fffd}", in: directory("plugins")) != nil)
    }

    @Test func eachOfThreePluginsWithOneNameIsAWidgetOrAComplaint() throws {
        for name in ["a b.5m.sh", "a(b.5m.sh", "a+b.5m.sh"] { try directory.script("#!/bin/sh", to: "plugins/\(name)") }
        let survey = survey()
        #expect(survey.plugins.files.keys.map(\.text).sorted() == ["plugin.a-b", "plugin.a-b.5m.sh"])
        #expect(
            complaints(survey) == [
                "a(b.5m.sh: is plugin.a-b.5m.sh: a b.5m.sh, which sorts before it, is plugin.a-b and has the settings of that "
                    + "identifier; rename one of them",
                "a+b.5m.sh: another plugin here is plugin.a-b, too; rename the file",
            ])
    }

    @Test func aManifestHidesAPluginWithoutAComplaint() throws {
        try directory.script("#!/bin/sh", to: "plugins/cpu.5m.sh")
        try directory.write("[Update]\nProtocol=push", to: "widgets/plugin.cpu.widget")
        let survey = survey()
        #expect(survey.plugins.files.isEmpty && complaints(survey).isEmpty && survey.files.count == 1)
    }

    @Test func aLinkThatLeadsToNoScriptIsComplainedOf() throws {
        try directory.makeDirectory("elsewhere")
        try directory.makeDirectory("plugins/inside.5m.d")
        try directory.link("plugins/linked.5m.sh", to: directory("elsewhere"))
        try directory.link("plugins/dangling.5m.sh", to: directory("nowhere"))
        try directory.link("plugins/lib", to: directory("elsewhere"))
        try directory.link("plugins/device.5m.sh", to: "/dev/null")
        try directory.script("#!/bin/sh", to: "elsewhere/real.sh")
        try directory.link("plugins/real.5m.sh", to: "../elsewhere/real.sh")
        let survey = survey()
        // What a link leads to may still come: it is a widget with the reason.
        #expect(survey.plugins.files.keys.map(\.text).sorted() == ["plugin.dangling", "plugin.real"])
        #expect(
            complaints(survey) == [
                "device.5m.sh: is not a file",
                "linked.5m.sh: is a link to \(directory("elsewhere")), which is a directory",
            ])
    }
}
