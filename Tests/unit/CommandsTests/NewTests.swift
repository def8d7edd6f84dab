// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import TestSupport
import Testing
import Varlink

@testable import Commands

@Suite struct NewTests {
    /// The arguments, the identifier, and the files.
    static let names: [(arguments: [String], id: String, files: [String])] = [
        (["load"], "org.example.load", ["load", "org.example.load.widget"]),
        (["de.me.todo-list", "--language", "python"], "de.me.todo-list", ["de.me.todo-list.widget", "todo-list"]),
        (["ci", "--protocol=push"], "org.example.ci", ["org.example.ci.widget"]),
    ]

    @Test(arguments: names) func filesAreWrittenWithTheirModes(arguments: [String], id: String, files: [String]) throws
    {
        let program = Program()
        let directory = program.directory("some/widgets")
        let result = try program.run(["new", "--directory", directory] + arguments)
        #expect(result.code == .ok && result.errors == "")
        #expect(result.output.contains("wrote \(directory)/\(id).widget\n"))
        #expect(try program.directory.names(in: "some/widgets") == files)
        for name in files {
            #expect(access("\(directory)/\(name)", X_OK) == (name.hasSuffix(".widget") ? -1 : 0), "\(name)")
        }
        #expect(result.output.contains(" is \(id) here") == (arguments[0] != id))
    }

    @Test func aPackageHasAWidgetItsAppAndTheirGroup() throws {
        let program = Program()
        let directory = program.directory("a b")
        let arguments = ["new", "--template", "today-swift", "-d", directory, "org.example.2do_list"]
        let result = try program.run(arguments)
        #expect(result.code == .ok && result.output.contains("Next: cd '\(directory)' && swift build\n"), "\(result)")
        #expect(!result.output.contains("../todayd"))
        let manifest = try program.directory.read("a b/org.example.2do_list.widget")
        #expect(
            manifest.contains("AppGroups=group.org.example.2do_list\n") && manifest.contains("URLSchemes=app-2dolist\n")
        )
        let widget = try program.directory.read("a b/Sources/widget/My2doListWidget.swift")
        #expect(widget.contains("class My2doListWidget") && widget.contains("app-2dolist://text"))
        let package = try program.directory.read("a b/Package.swift")
        #expect(
            package.contains("/Sources/Kit") == false && package.contains(#"path: "/"#), "it was built from a source")
        #expect(try program.run(arguments).errors.contains("Package.swift already exists; not overwritten"))
        for other in ["--protocol=json", "--language=swift"] {
            #expect(try program.run(["new", "--template=today-swift", other, "x"]).code == .usage)
        }
        let quiet = try program.run(["new", "--quiet", "--template=today-swift", "-d", program.directory("q"), "x"])
        #expect(quiet.code == .ok && quiet.output.isEmpty)
        let read = try program.run(["new", "--json", "--template=today-swift", "-d", program.directory("j"), "x"])
        #expect(read.output.hasPrefix("{") && read.output.contains(#""org.example.x""#), "\(read.output)")
        // Installed, with and without TodayKit's sources.
        let prefix = TemporaryDirectory()
        let installed = prefix("bin/todayctl")
        #expect(SwiftPackageTemplate.source(ofProgram: installed) == nil)
        _ = try prefix.makeDirectory("share/swift/todaykit/Sources/Kit/TodayKit")
        #expect(SwiftPackageTemplate.source(ofProgram: installed) == prefix("share/swift/todaykit"))
    }

    @Test func aFileThatIsThereStays() throws {
        let program = Program()
        for name in ["load", "org.example.load.widget"] {
            let directory = TemporaryDirectory()
            try directory.write("mine", to: name)
            let result = try program.run(["new", "--directory", directory.path, "load"])
            #expect(result.code == .failed && result.output == "")
            #expect(result.errors.hasPrefix("todayctl: \(directory(name)) already exists; not overwritten"))
            #expect(try directory.names(in: ".") == [name])
            #expect(try directory.read(name) == "mine")
        }
    }

    @Test func theUsersDirectoryIsTheFirst() throws {
        let program = Program()
        program.environment["XDG_CONFIG_HOME"] = program.directory("config")
        let result = try program.run(["--user", "new", "load"], namesSocket: false)
        #expect(result.code == .ok)
        #expect(program.directory.exists("config/todayd/widgets/org.example.load.widget"))
        #expect(result.output.contains("todayctl show org.example.load"))
    }

    /// That of the todayd which --socket or TODAYD_SOCKET names, wherever it looks.
    @Test func theDirectoryIsOfTheTodaydThatIsMeant() throws {
        let program = Program()
        program.environment["XDG_CONFIG_HOME"] = program.directory("config")
        program.serve(["Status": [VarlinkReply(["daemon": Wire.daemon(reads: [program.directory("there")]).json])]])
        #expect(try program.run(["new", "load"]).code == .ok)
        #expect(program.directory.exists("there/org.example.load.widget"))
        program.environment["TODAYD_SOCKET"] = program.socket
        #expect(try program.run(["new", "disk"], namesSocket: false).code == .ok)
        #expect(program.directory.exists("there/org.example.disk.widget") && !program.directory.exists("config"))
    }

    @Test func jsonNamesTheFiles() throws {
        let program = Program()
        let result = try program.run(["--json", "new", "--directory", program.directory("w"), "load"])
        #expect(result.output.contains("\"manifest\": \"\(program.directory("w/org.example.load.widget"))\""))
    }

    @Test(arguments: [
        (["a b"], "cannot be the name of a widget"), (["x", "--protocol=xml"], "is not one of"),
        (["x", "--protocol=push", "--language=sh"], "no program"),
        (["x", "--protocol=varlink", "--language=sh"], "python"),
        (["x", "--protocol=varlink", "--language=swift"], "use --language=python"),
        (["x", "--protocol=waybar", "--language=python"], "use --language=sh"),
        (["x", "--language=perl"], "sh, python"), ([], "NAME"),
    ])
    func mistakesSayWhatToDo(arguments: [String], words: String) throws {
        let result = try Program().run(["new"] + arguments)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.code == .usage && result.output == "")
    }
}
