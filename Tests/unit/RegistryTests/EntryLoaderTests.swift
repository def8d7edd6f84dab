// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// One reading of real directories, without watching.
@Suite struct EntryLoaderTests {
    private let directory = TemporaryDirectory()

    private func load(
        _ name: String, in directories: [String] = ["strong/widgets", "weak/widgets"], path programs: [String] = []
    ) throws -> Registry.Entry? {
        let path = SearchPath(widgetDirectories: directories.map { directory($0) })
        let id = try #require(WidgetID(name))
        let survey = Survey(of: path)
        let files = survey.files[id]
        // The quick search for one widget must agree with the survey of all.
        #expect(files == Survey.files(of: id, in: path))
        return files.map {
            EntryLoader(
                reader: ManifestReader(uid: { _ in nil }),
                search: ProgramSearch(directories: programs.map { directory($0) })
            ).load(id, $0)
        }
    }

    private func reason(_ name: String) throws -> String? {
        let reason = try load(name)?.reason
        return reason.map { text in
            text.hasPrefix(directory.path) ? String(text.dropFirst(directory.path.utf8.count + 1)) : text
        }
    }

    @Test func theFirstDirectoryWins() throws {
        try directory.write("[Update]\nProtocol=push\n[Widget]\nDisplayName=strong", to: "strong/widgets/a.b.widget")
        try directory.write("[Update]\nProtocol=push\n[Widget]\nDisplayName=weak", to: "weak/widgets/a.b.widget")
        #expect(try load("a.b")?.manifest?.displayName == "strong")
        try directory.delete("strong/widgets/a.b.widget")
        #expect(try load("a.b")?.manifest?.displayName == "weak")
        try directory.delete("weak/widgets/a.b.widget")
        #expect(try load("a.b") == nil)
    }

    @Test func dropInsOfAllDirectoriesAreSortedByNameAndTheStrongestOfANameWins() throws {
        try directory.write("[Update]\nProtocol=push\nInterval=1min", to: "weak/widgets/a.b.widget")
        try directory.write("[Update]\nInterval=3min", to: "strong/widgets/a.b.widget.d/30-c.conf")
        try directory.write("[Update]\nInterval=4min", to: "weak/widgets/a.b.widget.d/40-d.conf")
        #expect(try load("a.b")?.manifest?.update.interval == .minutes(4))
        try directory.write("", to: "strong/widgets/a.b.widget.d/40-d.conf")
        #expect(try load("a.b")?.manifest?.update.interval == .minutes(3))
        symlink("/dev/null", directory("strong/widgets/a.b.widget.d/20-x.conf"))
        try directory.write("[Update]\nInterval=9min", to: "strong/widgets/a.b.widget.d/99.conf~")
        try directory.write("[Update]\nInterval=9min", to: "strong/widgets/a.b.widget.d/.99.conf")
        #expect(try load("a.b")?.manifest?.update.interval == .minutes(3))
        try directory.write("[Update]\nInterval=x", to: "weak/widgets/a.b.widget.d/50-e.conf")
        #expect(
            try reason("a.b")
                == "50-e.conf:2: Interval=: \"x\" is not a length of time, such as 90, 30s or 1min 30s"
        )
    }

    @Test func anEmptyFileOrALinkToNullMasks() throws {
        try directory.write("[Update]\nProtocol=push", to: "weak/widgets/a.b.widget")
        try directory.makeDirectory("strong/widgets")
        symlink("/dev/null", directory("strong/widgets/a.b.widget"))
        #expect(try load("a.b")?.validity == .masked)
        try directory.delete("strong/widgets/a.b.widget")
        try directory.write("", to: "strong/widgets/a.b.widget")
        #expect(try load("a.b")?.validity == .masked)
    }

    @Test func whatIsNoSmallTextFileIsInvalidWithAReason() throws {
        try directory.makeDirectory("strong/widgets/a.directory.widget")
        symlink("/nowhere", directory("strong/widgets/a.dangling.widget"))
        mkfifo(directory("strong/widgets/a.fifo.widget"), 0o600)
        try directory.write(String(repeating: "#\n", count: 40_000), to: "strong/widgets/a.large.widget")
        #expect(try reason("a.directory") == "a.directory.widget: is a directory, not a file")
        #expect(
            try reason("a.dangling") == "a.dangling.widget: is a link to /nowhere, which does not exist")
        #expect(try reason("a.fifo") == "a.fifo.widget: is not a regular file")
        #expect(
            try reason("a.large") == "a.large.widget: is too large: 80000 bytes, at most 65536 are read")
    }

    @Test func theProgramMustBeThereAndExecutable() throws {
        try directory.write("[Update]\nExecStart=./p one", to: "strong/widgets/a.b.widget")
        let program = directory("strong/widgets/p")
        #expect(
            try reason("a.b")
                == "a.b.widget:2: ExecStart=: \(program) does not exist; put the program there, or correct the path")
        try directory.write("#!/bin/sh\n", to: "strong/widgets/p")
        #expect(
            try reason("a.b") == "a.b.widget:2: ExecStart=: \(program) is not executable (chmod +x)")
        #expect(try load("a.b")?.manifest?.update.command == [program, "one"])
        chmod(program, 0o755)
        #expect(try load("a.b")?.validity != nil)
        #expect(try reason("a.b") == nil)
    }

    @Test func aProgramWithoutADirectoryIsLookedForInThePath() throws {
        let bins = ["bin1", "bin2"]
        try directory.write("[Update]\nExecStart=tool --all", to: "strong/widgets/a.b.widget")
        let missing = try #require(try load("a.b", path: bins))
        #expect(
            missing.reason
                == "a.b.widget:2: ExecStart=: there is no program \"tool\"; install it, or write its path: it is not in "
                + "\(directory("bin1")), \(directory("bin2"))")
        #expect(missing.awaitedDirectories == [directory("bin1"), directory("bin2")])
        try directory.write("", to: "bin1/tool")
        #expect(
            try load("a.b", path: bins)?.reason
                == "a.b.widget:2: ExecStart=: \(directory("bin1/tool")) is not executable (chmod +x)")
        try directory.script("", to: "bin2/tool")
        let found = try #require(try load("a.b", path: bins))
        #expect(found.reason == nil)
        #expect(found.manifest?.update.command == [directory("bin2/tool"), "--all"])
        try directory.script("", to: "bin1/tool")
        #expect(try load("a.b", path: bins)?.manifest?.update.command.first == directory("bin1/tool"))
    }

    @Test func aMissingProgramMayBeElsewhere() throws {
        try directory.script("", to: "bin/tool")
        try directory.write("[Update]\nExecStart=/nowhere/tool", to: "strong/widgets/a.b.widget")
        #expect(
            try load("a.b", path: ["bin"])?.reason
                == "a.b.widget:2: ExecStart=: /nowhere/tool does not exist; there is \(directory("bin/tool"))")
        try directory.write("[Update]\nExecStart=\(directory("bin"))", to: "strong/widgets/a.b.widget")
        #expect(
            try load("a.b", path: ["bin"])?.reason
                == "a.b.widget:2: ExecStart=: \(directory("bin")) is a directory; add the program's name")
    }

    @Test func aLinkedManifestLiesWithItsProgram() throws {
        try directory.script("#!/bin/sh\n", to: "project/p")
        try directory.write("[Update]\nExecStart=./p", to: "project/a.b.widget")
        try directory.makeDirectory("strong/widgets")
        symlink("../../project/a.b.widget", directory("strong/widgets/a.b.widget"))
        let command = try #require(try load("a.b")?.manifest?.update.command)
        #expect(command.first?.hasSuffix("/project/p") == true)
        #expect(try reason("a.b") == nil)
    }

    @Test func aProtocolThatIsUnknownIsComplainedOf() throws {
        try directory.write("[Update]\nExecStart=/none\nProtocol=lemonbar", to: "strong/widgets/a.b.widget")
        let known = ContentProtocol.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(try reason("a.b") == "a.b.widget:3: Protocol=: \"lemonbar\" is unknown; known are \(known)")
    }

    private static let texts = "[Widget]\nDisplayName=Room\nDescription=How warm it is\n"

    @Test(arguments: [
        "", "[Update]\n", "[Update]\nExecStart=bin/x", "[Update]\nExecStart=/x\nInterval=soon", "rubbish",
        "[Update]\nExecStart=/none", "[Widget]\nIcon=a\u{1b}[m\n[Update]\nProtocol=push",
    ])
    func whatCannotBeUsedKeepsItsName(rest: String) throws {
        try directory.write(Self.texts + rest, to: "strong/widgets/me.temp.widget")
        let entry = try #require(try load("me.temp"))
        guard case .invalid = entry.validity else {
            Issue.record("\(entry.validity)")
            return
        }
        #expect(entry.displayName == "Room")
        #expect(entry.described?.summary == "How warm it is")
    }

    @Test func aNameThatIsWrongItselfIsTheIdentifier() throws {
        try directory.write("[Widget]\nDisplayName=a\u{1b}[m\n", to: "strong/widgets/me.temp.widget")
        #expect(try load("me.temp")?.displayName == "me.temp")
    }

    @Test func tooManyDropInsLeaveTheName() throws {
        try directory.write(Self.texts + "[Update]\nProtocol=push", to: "strong/widgets/me.temp.widget")
        for number in 0...DropIns.most { try directory.write("", to: "strong/widgets/me.temp.widget.d/\(number).conf") }
        let entry = try #require(try load("me.temp"))
        #expect(entry.reason == "me.temp.widget: has 65 drop-ins, and 64 are the most")
        #expect(entry.displayName == "Room")
    }

    /// ISO 8859-1, as old archives have it.
    @Test func aNameThatIsNotUTF8IsNoIdentifier() throws {
        try directory.write("", to: "strong/widgets/README")
        for name in ["me.caf\u{e9}.widget", "caf\u{e9}.txt"] {
            let path = "\(directory("strong/widgets"))/\(name)".unicodeScalars.map {
                CChar(truncatingIfNeeded: $0.value)
            }
            close(creat(path + [0], 0o644))
        }
        let survey = Survey(of: SearchPath(widgetDirectories: [directory("strong/widgets")]))
        #expect(survey.files.isEmpty)
        #expect(
            survey.complaints.map(\.description) == [
                "\(directory("strong/widgets/me.caf\u{fffd}.widget")): the name is not an identifier; rename the file to "
                    + "me.caf-.widget: a name has two or more labels of A-Z a-z 0-9 _ -, joined by dots"
            ])
    }

    @Test func namesThatAreNoIdentifierAndPluginsAreFound() throws {
        try directory.write("[Update]\nProtocol=push", to: "strong/widgets/plain.widget")
        try directory.write("", to: "strong/widgets/.a.b.widget")
        try directory.write("", to: "strong/widgets/a.b.widget~")
        try directory.write("#!/bin/sh", to: "strong/plugins/cpu.5m.sh")
        try directory.write("#!/bin/sh", to: "weak/plugins/cpu.1m.sh")
        try directory.script("", to: "weak/plugins/mem.sh")
        try directory.write("", to: "weak/plugins/README.md")
        try directory.script("", to: "weak/plugins/mem.py")
        let survey = Survey(
            of: SearchPath(widgetDirectories: [directory("strong/widgets"), directory("weak/widgets")]))
        #expect(survey.files.isEmpty)
        #expect(survey.plugins.files.keys.map(\.text).sorted() == ["plugin.cpu", "plugin.mem", "plugin.mem.sh"])
        #expect(
            survey.complaints.map(\.description) == [
                "\(directory("strong/widgets/plain.widget")): the name is not an identifier; rename the file to "
                    + "org.example.plain.widget: a name has two or more labels of A-Z a-z 0-9 _ -, joined by dots"
            ])
        let cpu = try #require(WidgetID("plugin.cpu").flatMap { survey.plugins.files[$0] })
        #expect(cpu.path == directory("strong/plugins/cpu.5m.sh"))
        #expect(cpu.name.interval == .minutes(5))
    }
}
