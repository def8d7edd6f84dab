// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel

@testable import TodayKit

/// What an author sees in the terminal: the name of the widget, its editor and its placeholder.
@Suite(.serialized) struct PreviewTests {
    private let home = TemporaryDirectory()

    private func name(of program: String) -> String? {
        ManifestName(program: home(program), variables: EnvironmentVariables(["HOME": home.path])).find()
    }

    private func manifest(_ path: String, _ name: String, _ command: String) throws {
        let directory = path.split(separator: "/").dropLast().joined(separator: "/")
        if !directory.isEmpty { try SmallFile.makeDirectory(home(directory)) }
        try SmallFile.write(
            Array("[Widget]\nDisplayName[de]=anders\nDisplayName = \(name)\n[Update]\nExecStart=\(command)\n".utf8),
            to: home(path))
    }

    @Test func aManifestBesideTheProgramHasTheName() throws {
        try manifest("org.example.other.widget", "Other", "./other")
        try manifest("org.example.book.widget", "Book", "'/opt/book' --quick")
        #expect(name(of: "book") == "Book")
        #expect(name(of: "nothing") == nil)
    }

    /// An editor writes a hidden file first, and a file that is being written may end in the middle of a line.
    @Test func hiddenFilesAndTornLinesAreNoManifests() throws {
        try manifest(".org.example.book.widget", "Hidden", "./book")
        try manifest("org.example.book.widget~", "Backup", "./book")
        try SmallFile.write(
            Array("[Widget]\nDisplayName=Torn\n[Update]\nExecSta".utf8), to: home("org.example.a.widget"))
        try SmallFile.write(Array("ExecStart=./book\nDisplayNam".utf8), to: home("org.example.b.widget"))
        try SmallFile.write(Array("DisplayName=Quoted\nExecStart=\"./book".utf8), to: home("org.example.c.widget"))
        #expect(name(of: "book") == "Quoted", "a quote without its end goes to the end of the line")
        try manifest("org.example.b.widget", "Whole", "./book")
        #expect(name(of: "book") == "Whole")
        #expect(name(of: "") == nil)
    }

    /// The width of a preview: the terminal's, or that of COLUMNS, but no width in which nothing can be drawn.
    @Test(
        arguments: [
            (nil, 76), ("40", 40), ("76", 76), ("77", 76), ("10", 10), ("9", 76), ("0", 76), ("-3", 76), ("x", 76),
            ("9223372036854775807", 76), ("9223372036854775808", 76),
        ] as [(String?, Int)])
    func aPreviewIsAsWideAsColumnsSays(columns: String?, width: Int) throws {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        let variables = EnvironmentVariables(columns.map { ["COLUMNS": $0] } ?? [:])
        #expect(TerminalWidth.of(null, variables) == width)
    }

    @Test func aManifestInThePackageHasTheName() throws {
        try manifest("org.example.book.widget", "Book", "./.build/debug/book")
        try manifest("Sources/Widgets/Tea/org.example.tea.widget", "Tea", "./tea")
        #expect(name(of: ".build/x86_64-unknown-linux-gnu/debug/book") == "Book")
        #expect(name(of: ".build/debug/tea") == "Tea")
        #expect(name(of: "build/debug/tea") == nil)
    }

    /// There, another program may have the same name, so the paths are compared.
    @Test func aManifestWhereTodaydLooksHasTheName() throws {
        let directory = ".config/todayd/widgets"
        try manifest("\(directory)/org.example.a.widget", "Another", "/usr/bin/clock")
        try manifest("project/org.example.b.widget", "Linked", "./bin/clock")
        try SmallFile.makeDirectory(home("project/bin"))
        try SmallFile.write([], to: home("project/bin/clock"))
        #expect(name(of: "project/bin/clock") == nil)
        #expect(symlink(home("project/org.example.b.widget"), home("\(directory)/org.example.b.widget")) == 0)
        #expect(name(of: "project/bin/clock") == "Linked")
    }

    @Test(arguments: ["~/bin/clock", "%h/bin/clock --quick"]) func theProgramMayBeInTheHome(command: String) throws {
        try SmallFile.makeDirectory(home("bin"))
        try SmallFile.write([], to: home("bin/clock"))
        try manifest(".config/todayd/widgets/org.example.c.widget", "Clock", command)
        #expect(name(of: "bin/clock") == "Clock")
    }

    // MARK: What the author asks

    private func options(_ words: String...) throws -> DevelopmentOptions {
        try DevelopmentOptions(try DevelopmentOptions.command("clock").parse(words))
    }

    @Test func optionsSayWhatTheWidgetIsAsked() throws {
        let plain = try options().request(width: 40)
        #expect(plain.reason == .request && plain.mode == .compact && plain.size.columns == 38)
        #expect(!plain.isKnown && !plain.isEditing)
        #expect(try options().calls == [.performUpdate])

        let large = try options("--mode", "expanded").request(width: 1_000)
        #expect(large.mode == .expanded && large.size == WidgetSize(DisplayMode.expanded.maximumSize))

        let pressed = try options("--action", "more")
        #expect(pressed.request(width: 40).reason == .action && pressed.calls == [.performAction("more")])

        let edited = try options("--editing", "--action", "more")
        #expect(edited.request(width: 40).reason == .action && edited.request(width: 40).isEditing)
        #expect(edited.calls == [.beginEditing, .performAction("more")])
        #expect(try options("--editing").request(width: 40).reason == .editing)
        #expect(try options("--editing").calls == [.beginEditing])
    }

    @Test func thePreviewIsAnItemOfItsKind() throws {
        func item(_ options: DevelopmentOptions) throws -> TodayModel.Item {
            let size = WidgetSize(columns: 5, rows: 3)
            let preview = Preview(name: "Clock", content: Content(text: "1"), size: size, options: options)
            return try #require(preview.item)
        }
        let own = try item(try options())
        #expect(own.state == .ready && own.source == .own && own.taken != nil && !own.isEdited && !own.allowsEditing)
        #expect(own.mode == .compact && own.largestMode == .expanded && own.size.rows == 3)
        #expect(own.size.columns == DisplaySizes.columnRange.lowerBound)
        let edited = try item(try options("--editing", "--mode", "expanded"))
        #expect(edited.source == .draft && edited.isEdited && edited.allowsEditing && edited.mode == .expanded)
        let placeholder = try item(try options("--placeholder"))
        #expect(placeholder.state == .waiting && placeholder.source == .placeholder && placeholder.taken == nil)
    }

    // MARK: The program

    private func run(_ arguments: [String]) throws -> WidgetProgram.Ending {
        try WidgetProgram.run("used-space-widget", arguments, in: home)
    }

    @Test func theTitleIsTheDisplayName() throws {
        #expect(try run(["--preview", "--width", "40"]).output.hasPrefix("  Used Space  "))
        try manifest("org.example.x.widget", "Something else", "/nonexistent")
        let other = try run(["--once", "--width", "40", "--manifest", home("org.example.x.widget")])
        #expect(other.output.hasPrefix("  Something else "))
        let missing = try run(["--manifest", home("missing")])
        #expect(missing.status == 1)
        #expect(missing.errors.hasSuffix("missing cannot be read, or has no line with DisplayName=\n"))
    }

    /// A program outside of a build finds todayctl in PATH, or says what is missing. Its content needs no todayctl.
    @Test func withoutTodayctlTheContentIsStillPrinted() throws {
        let (program, errors) = (home("greeting-widget"), home("errors"))
        #expect(system("cp '\(BuiltPrograms.directory)/greeting-widget' '\(program)'") == 0)
        func run(_ words: String, path: String) -> Int32 {
            system("PATH=\(path) /bin/sh -c \"'\(program)' \(words)\" >'\(home("output"))' 2>'\(errors)'") >> 8
        }
        #expect(run("--preview", path: "/nonexistent") == 1)
        let said = Descriptor.contents(of: errors).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            said?.hasPrefix("greeting-widget: todayctl, which draws widgets, is neither beside") == true,
            "\(said ?? "")")
        #expect(run("--once --json", path: "/nonexistent") == 0)
        #expect(run("--preview", path: BuiltPrograms.directory) == 0)
    }

    /// One program may be the program of several widgets, each called by a link beside it.
    @Test func aProgramIsTheOneThatItIsCalledBy() throws {
        #expect(system("cp '\(BuiltPrograms.directory)/greeting-widget' '\(home("many"))'") == 0)
        try manifest("org.example.one.widget", "One", "./one")
        try manifest("org.example.many.widget", "Many", "./many")
        #expect(symlink("many", home("one")) == 0)
        try manifest("config/todayd/widgets/org.example.far.widget", "Far", home("far"))
        for name in ["far", "unknown"] { #expect(symlink("many", home(name)) == 0) }
        for (call, title) in [("one", "One"), ("many", "Many"), ("far", "Far"), ("unknown", "Greeting")] {
            let path = "PATH=\(BuiltPrograms.directory) HOME='\(home.path)' XDG_CONFIG_HOME='\(home("config"))'"
            #expect(system("\(path) '\(home(call))' --once >'\(home("output"))' 2>&1") == 0)
            let output = Descriptor.contents(of: home("output")).map { String(decoding: $0, as: UTF8.self) }
            #expect(output?.contains(title) == true, "\(call): \(output ?? "")")
        }
    }

    @Test func thePlaceholderNeedsNoUpdate() throws {
        let ending = try WidgetProgram.run("greeting-widget", ["--once", "--placeholder", "--json"], in: home)
        #expect(ending.status == 0)
        #expect(try Content(JSONField(root: JSON.parse(ending.output))).nextUpdate == nil)
        #expect(try run(["--placeholder", "--action", "x"]).status == 2)
        let drawn = try WidgetProgram.run("greeting-widget", ["--preview", "--placeholder"], in: home).output
        let updated = try WidgetProgram.run("greeting-widget", ["--preview"], in: home).output
        #expect(drawn.split(separator: "\n").first?.contains("no answer yet") == true, "\(drawn)")
        #expect(updated.split(separator: "\n").first?.contains("no answer yet") == false, "\(updated)")
    }

    @Test func theEditorDiffersFromThePlaceholder() throws {
        let pictures = try [["--editing"], ["--placeholder"]].map { options in
            try WidgetProgram.run("btc-widget", ["--once", "--json"] + options, in: home)
        }
        #expect(pictures.map(\.status) == [0, 0])
        #expect(pictures[0].output != pictures[1].output)
    }

    @Test func editingAWidgetThatAllowsNoneFails() throws {
        let ending = try run(["--preview", "--editing"])
        #expect(ending.status == 1)
        #expect(ending.errors == "used-space-widget: it allows no editing now\n")
    }
}
