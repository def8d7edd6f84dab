// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import AuthorTools

/// The script that an interpreter in ExecStart= reads, and what it will not find.
@Suite struct InterpreterScriptTests {
    static let commands: [(command: String, script: String?)] = [
        ("python3 ./x.py", "./x.py"), ("/usr/bin/python3.11 -u x.py -c y", "x.py"), ("python3 -uB x.py", "x.py"),
        ("sh -eu x.sh", "x.sh"), ("bash x", "x"), ("env python3 x.py", "x.py"), ("/usr/bin/env bash x", "x"),
        ("node x.js", "x.js"), ("lua5.4 x.lua", "x.lua"), ("perl -w x.pl", "x.pl"),
        // Another option, which may have a value or be the program itself.
        ("python3 -m http.server", nil), ("python3 -c print(1)", nil), ("sh -c ./x", nil), ("sh -ec ./x", nil),
        ("node --require y x.js", nil), ("ruby -rjson x.rb", nil), ("python3 - x", nil), ("python3", nil),
        ("env -S python3 x.py", nil), ("env A=1 python3 x.py", nil), ("env", nil),
        // No interpreter that is known to read a file.
        ("curl ./x", nil), ("python3-config ./x", nil), ("/opt/sh/cat x", nil),
    ]

    @Test(arguments: commands.indices) func theScriptOfACommandIsItsFirstWordThatIsNoFlag(_ index: Int) {
        let (command, script) = Self.commands[index]
        let words = command.split(separator: " ").map(String.init)
        let found = InterpreterScript(command: words)
        #expect(found?.path == script, "\(command)")
        if let found { #expect(words[found.index] == found.path) }
    }

    @Test func theScriptIsLookedForWhereTheInterpreterRuns() throws {
        let directory = TemporaryDirectory()
        let file = try directory.write("print()", to: "m/x.py")
        try directory.link("m/dangling", to: "/nowhere")
        func trouble(_ word: String, in place: String?) throws -> (reason: String, isCertain: Bool)? {
            let script = try #require(InterpreterScript(command: ["python3", word]))
            return script.trouble(in: place, beside: directory("m"))
        }
        #expect(try trouble(file, in: nil) == nil)
        #expect(try trouble("./x.py", in: directory("m")) == nil)
        #expect(try trouble("x.py", in: directory("m")) == nil)
        #expect(try trouble(".", in: directory("m")) == nil)
        let none = try trouble("/nowhere/x.py", in: nil)
        #expect(none?.reason == "/nowhere/x.py, which python3 is to read, does not exist" && none?.isCertain == true)
        let dangling = try trouble("dangling", in: directory("m"))
        #expect(dangling?.reason.hasSuffix("is a link to /nowhere, which does not exist") == true)
        let elsewhere = try trouble("./x.py", in: directory.path)
        #expect(elsewhere?.reason.hasSuffix("x.py, which python3 is to read, does not exist; write \(file)") == true)
        let beside = try trouble("./x.py", in: nil)
        #expect(beside?.isCertain == true)
        #expect(
            beside?.reason
                == "./x.py is a file in the widget's own directory, where python3 runs, not \(file): write that "
                + "path, or WorkingDirectory=.")
        // The widget itself may have written it there.
        let own = try trouble("y.py", in: nil)
        #expect(own?.isCertain == false && own?.reason.contains("the widget's own directory") == true)
    }
}
