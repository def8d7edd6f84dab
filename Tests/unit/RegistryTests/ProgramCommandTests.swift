// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

/// What ExecStart= comes to, and what is said where it comes to nothing.
@Suite struct ProgramCommandTests {
    private static let specifiers = Specifiers(
        isSystem: false, environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"], user: "ada", home: nil)

    private func read(_ value: String) throws -> [String] {
        try ProgramCommand.read(value, Self.specifiers) { "/here" }
    }

    @Test(
        arguments: [
            ("", []), ("/bin/x a", ["/bin/x", "a"]), ("./x", ["/here/x"]), ("curl -s", ["curl", "-s"]),
            ("~/bin/x y", ["/home/ada/bin/x", "y"]),
            ("%h/bin/x %u:%t 5%%", ["/home/ada/bin/x", "ada:/run/user/7", "5%"]),
            ("/x %S/a", ["/x", "/home/ada/.local/state/a"]), ("/x \"%h\" '%u'", ["/x", "/home/ada", "ada"]),
        ] as [(String, [String])])
    func theProgramIsFoundByItsPath(value: String, command: [String]) throws {
        #expect(try read(value) == command)
    }

    @Test(
        arguments: [
            ("/bin/sh -c 'a | b > c; d & $X ~/y `z`'", "a | b > c; d & $X ~/y `z`"),
            ("/bin/sh -c \"echo $HOME\"", "echo $HOME"), ("/x '|'", "|"), ("/x \\;", ";"), ("/x \\$HOME", "$HOME"),
            ("/x '&'", "&"), ("/x \">a\"", ">a"), ("/x %%", "%"), ("/x '~/a'", "~/a"), ("/x 'a|b'", "a|b"),
            ("/x \"a\"'|'b", "a|b"),
            ("/x http://x/?a=1&b=2", "http://x/?a=1&b=2"), ("/x *.log", "*.log"), ("/x $1", "$1"), ("/x a~", "a~"),
            ("/x A=b", "A=b"), ("/x %h", "/home/ada"), ("/x -", "-"),
        ])
    func whatIsQuotedOrOrdinaryReachesTheProgram(value: String, last: String) throws {
        #expect(try read(value).last == last)
    }

    private static let none = "is for a shell, and none runs here; write"

    static let refused: [(value: String, reason: String)] = [
        ("df -h | tail", "| \(none) /bin/sh -c 'df -h | tail', or '|' if the program is to get it"),
        ("./x | y", "| \(none) /bin/sh -c '…', or '|' if the program is to get it"),
        (
            "/x 'a' && /y",
            "&& \(none) /bin/sh -c \"/x 'a' && /y\", or '&&' if the program is to get it"
        ),
        ("df -h|tail", "-h|tail \(none) /bin/sh -c 'df -h|tail', or '-h|tail' if the program is to get it"),
        (
            "echo \"a\" '\\b' | wc",
            "| \(none) /bin/sh -c \"echo \\\"a\\\" '\\\\b' | wc\", or '|' if the program is to get it"
        ),
        ("A=\"b c\" /x", "A=b c \(none) Environment=\"A=b c\" on a line of its own"),
        ("/x a; /y", "a; \(none) /bin/sh -c '/x a; /y', or 'a;' if the program is to get it"),
        (
            "/x 2>/dev/null",
            "2>/dev/null \(none) /bin/sh -c '/x 2>/dev/null', or '2>/dev/null' if the program is to get it"
        ),
        ("/x > f", "> \(none) /bin/sh -c '/x > f', or '>' if the program is to get it"),
        ("/x < f", "< \(none) /bin/sh -c '/x < f', or '<' if the program is to get it"),
        ("/x &", "& is for a shell, and none runs here; leave it out: todayd goes on while the program runs"),
        ("/x 5&", "& is for a shell, and none runs here; leave it out: todayd goes on while the program runs"),
        ("$HOME/bin/x", "$HOME \(none) %h"), ("/x ${USER}", "$USER \(none) %u"),
        ("/x a$LANG", "$LANG \(none) /bin/sh -c '/x a$LANG'"),
        ("/x $(date)", "$(…) and `…` are for a shell, and none runs here; write /bin/sh -c '/x $(date)'"),
        ("/x `date`", "$(…) and `…` are for a shell, and none runs here; write /bin/sh -c '/x `date`'"),
        ("/x ~/a", "~/a \(none) %h/a"), ("/x ~", "~ \(none) %h"),
        ("A=b /x", "A=b \(none) Environment=A=b on a line of its own"),
        ("bin/x", "\"bin/x\" is a relative path; write ./bin/x for /here/bin/x, or the whole path"),
        ("../x", "\"../x\" is a relative path; write ./../x for /here/../x, or the whole path"),
        ("./", "\"./\" names no program; write ./program for one beside the manifest"),
        ("~eve/x", "\"~eve/x\": only ~/, the home directory of todayd's user, is known; write the whole path"),
        ("-/bin/x", "\"-/bin/x\" begins with -, which means something in services only; leave it out"),
        ("/x %H", "%H is not known here; %h, %u, %t and %S are, and a percent sign is written %%"),
    ]

    @Test(
        arguments: [
            ("/srv/x", "/srv/x"), (".", "/here"), ("./", "/here"), ("./sub", "/here/sub"), ("~/bin", "/home/ada/bin"),
            ("~", "/home/ada"), ("\"/a b\"", "/a b"), ("%h/x", "/home/ada/x"),
        ])
    func aWorkingDirectoryIsAPath(value: String, path: String) throws {
        #expect(try ProgramCommand.directory(value, Self.specifiers, manifest: { "/here" }) == path)
    }

    @Test(arguments: [("bin", "./bin"), ("/a b", "quote"), ("a/b", "./a/b"), ("~root/x", "home directory")])
    func anotherWorkingDirectoryIsRefused(value: String, cure: String) {
        do {
            let path = try ProgramCommand.directory(value, Self.specifiers, manifest: { "/here" })
            Issue.record("\(path)")
        } catch {
            #expect(error.reason.contains(cure), "\(error.reason)")
        }
    }

    @Test(arguments: 0..<26) func whatIsRefusedSaysTheCure(place: Int) {
        let (value, reason) = Self.refused[place]
        #expect(throws: WrongValue(reason)) { try read(value) }
    }

    /// What is offered is taken, and reaches the shell or the environment as it was written.
    @Test(
        arguments: [
            ("df -h / | awk 'NR==2 {print $5}'", "df -h / | awk 'NR==2 {print $5}'"),
            ("echo \"it's\" | cat", "echo \"it's\" | cat"),
            ("printf 'a\\n' | wc", "printf 'a\\n' | wc"),
        ])
    func theCureIsNoDeadEnd(value: String, script: String) throws {
        do {
            _ = try read(value)
            Issue.record("taken")
        } catch let error as WrongValue {
            let offer = error.reason.split(separator: "; write ").last.map(String.init) ?? ""
            let cure = offer.split(separator: ", or ").first.map(String.init) ?? ""
            #expect(try read(cure) == ["/bin/sh", "-c", script])
        }
    }

    /// The same of what is offered for a word: quotes, backslashes and percent signs arrive as they were meant.
    @Test(
        arguments: [
            ("/x it\\'s|x", "it's|x"), ("/x a%%|b", "a%|b"), ("/x 2>&1", "2>&1"), ("/x \"a b\"|c", "a b|c"),
            ("/x a\\\\|b", "a\\|b"), ("/x '\"'|b", "\"|b"), ("/x a\\n|b", nil),
        ])
    func aWordThatIsOfferedIsTaken(value: String, expected: String?) throws {
        let reason = try #require(refusal(value))
        guard let expected else {
            #expect(!reason.contains(", or "))
            return
        }
        let offer = try #require(reason.split(separator: ", or ").last).dropLast(" if the program is to get it".count)
        #expect(try read("/x \(offer)") == ["/x", expected])
    }

    @Test(
        arguments: [
            ("/x ~/a\\sb%%", "/home/ada/a b%"), ("/x ~/a", "/home/ada/a"), ("/x ~/it\\'s", "/home/ada/it's"),
            ("/x ~", "/home/ada"),
        ])
    func aHomeDirectoryThatIsOfferedIsTaken(value: String, expected: String) throws {
        let reason = try #require(refusal(value))
        let offer = try #require(reason.split(separator: "; write ").last)
        #expect(try read("/x \(offer)") == ["/x", expected])
    }

    @Test(arguments: [
        ("A=100%% /x", "Environment=A=100%%"), ("A=\"it's b\" /x", "Environment=\"A=it's b\""),
        ("A='a\\\\b' /x", "Environment=\"A=a\\\\b\""), ("A=b /x", "Environment=A=b"),
    ]) func anEnvironmentThatIsOfferedIsWritten(value: String, line: String) throws {
        let reason = try #require(refusal(value))
        let offer = try #require(reason.split(separator: "; write ").last)
        #expect(offer == "\(line) on a line of its own")
    }

    private func refusal(_ value: String) -> String? {
        do {
            _ = try read(value)
            return nil
        } catch {
            return (error as? WrongValue)?.reason
        }
    }

    @Test func allOfThemAreTested() { #expect(Self.refused.count == 26) }

    @Test(
        arguments: [
            (true, ["HOME": "/var/lib/todayd"], "/var/lib/todayd todayd /run /var/lib"),
            (true, ["XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"], "/nonexistent todayd /run /var/lib"),
            (false, ["HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"], "/h todayd /r /s"),
            (
                false, ["HOME": "h", "XDG_STATE_HOME": "s", "XDG_RUNTIME_DIR": "/r"],
                "/nonexistent todayd /r /nonexistent/.local/state"
            ),
        ] as [(Bool, [String: String], String)])
    func specifiersStandForWhatTheInstanceHas(isSystem: Bool, environment: [String: String], words: String) throws {
        let specifiers = Specifiers(
            isSystem: isSystem, environment: environment, user: "todayd", home: "/nonexistent")
        #expect(try QuotedWords.split("%h %u %t %S", specifiers).joined(separator: " ") == words)
    }
}
