// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// The parameters behind the first `|`, and what each key does.
@Suite struct MenuAttributeTests {
    private typealias Dialect = MenuFormat.Dialect

    // MARK: Grammar

    static let grammar: [(line: String, pairs: String)] = [
        ("color=red size=12", "color=red;size=12"),
        ("color=red|size=12", "color=red;size=12"),
        ("color=red | size=12 |", "color=red;size=12"),
        ("\tcolor=red\tsize=12", "color=red;size=12"),
        (#"a="b c" d='e "f" g'"#, #"a=b c;d=e "f" g"#),
        (#"a="it's | one" b=c"#, "a=it's | one;b=c"),
        ("COLOR=Red templateImage=x", "color=Red;templateimage=x"),
        ("a=b=c href=https://x/?y=z&w=1", "a=b=c;href=https://x/?y=z&w=1"),
        ("a= b=c", "a=;b=c"),
        ("a = b", "a=b"),
        ("a= b", "a=b"),
        (#"a= "b c""#, "a=b c"),
        (#"a="b"c=d"#, "a=b;c=d"),
        ("a='b c", "a=b c"),
        ("", ""),
    ]

    @Test(arguments: grammar.indices) func pairsAreSeparatedBySpacesAndPipes(place: Int) {
        let (line, expected) = Self.grammar[place]
        for dialect in [Dialect.xbar, .bitbar, .swiftbar] {
            #expect(pairs(line, dialect) == expected, "\(dialect)")
        }
    }

    static let shellGrammar: [(line: String, pairs: String)] = [
        ("color=red size=12", "color=red;size=12"),
        (#"bash="a b" 'c=d e' f"="g"#, "bash=a b;c=d e;f=g"),
        (#"bash='echo "x"'"#, #"bash=echo "x""#),
        (#"bash="say \"x\" \$y \z""#, #"bash=say "x" $y \z"#),
        (#"bash=a\ b"c d"'e f'"#, "bash=a bc de f"),
        ("bash=ls|wc | terminal=false", "bash=ls|wc;terminal=false"),
        ("bash='a b", "bash=a b"),
        (#"bash=a\"#, "bash=a"),
    ]

    @Test(arguments: shellGrammar.indices) func argosReadsAsAShell(place: Int) {
        let (line, expected) = Self.shellGrammar[place]
        #expect(pairs(line, .argos) == expected)
    }

    private func pairs(_ line: String, _ dialect: Dialect) -> String {
        MenuParameters.pairs(in: line[...], of: dialect) { _ in }.map { "\($0.key)=\($0.value)" }
            .joined(separator: ";")
    }

    @Test func swiftBarAloneEscapesQuotes() throws {
        let line = #"a | shell=x param1="say \"hi\" \n" param2=y"#
        #expect(try Dialect.swiftbar.item(line).command?.arguments == ["x", #"say "hi" \n"#, "y"])
        #expect(try Dialect.xbar.item(line).command?.arguments == ["x", #"say \"#, "y"])
    }

    @Test(arguments: Dialect.all) func thePipeEndsTheText(dialect: MenuFormat.Dialect) throws {
        #expect(try dialect.item("a=b c=d").title == "a=b c=d")
        #expect(try dialect.item("a|color=red").title == "a")
        #expect(try dialect.item("|refresh=true").title == "")
        #expect(try dialect.item("a | b | c | color=red").title == "a")
        #expect(try dialect.item("a | b | c | color=red").color == Color("#ff0000"))
        #expect(try dialect.item("a |").title == "a")
    }

    // MARK: Keys

    static let keys: [(parameters: String, change: @Sendable (inout View.Item) -> Void)] = [
        ("href=https://example.org/a", { $0.url = "https://example.org/a" }),
        ("HREF=mailto:a@b", { $0.url = "mailto:a@b" }),
        ("shell=/bin/x terminal=false", { $0.command = View.Command(["/bin/x"]) }),
        ("bash=/bin/x terminal=true", { $0.command = View.Command(["/bin/x"], isInTerminal: true) }),
        (
            "shell=/bin/x param2=b param10=c param1=a param4=d terminal=no",
            { $0.command = View.Command(["/bin/x", "a", "b", "d", "c"]) }
        ),
        ("shell=/bin/x param1=a param1=b terminal=0", { $0.command = View.Command(["/bin/x", "b"]) }),
        ("param1=a terminal=true", { _ in }),
        ("refresh=true", { $0.updates = true }),
        ("refresh=T", { $0.updates = true }),
        ("refresh=Yes", { $0.updates = true }),
        ("refresh=1", { $0.updates = true }),
        ("refresh=1 refresh=F", { _ in }),
        ("refresh=", { _ in }),
        ("length=4", { $0.title = "The…" }),
        ("length=1", { $0.title = "…" }),
        ("length=9", { _ in }),
        ("length=0", { _ in }),
        ("trim=false", { $0.title = "The title " }),
        ("alternate=true", { $0.isAlternate = true }),
        ("disabled=true", { $0.isDisabled = true }),
        ("checked=true", { $0.isChecked = true }),
        ("badge=12", { $0.badge = "12" }),
        ("tooltip='More of it'", { $0.tooltip = "More of it" }),
        ("iconName=network-wireless", { $0.symbol = "network-wireless" }),
        ("sfimage=wifi", { $0.symbol = "📶" }),
        ("sfimage=Bolt.circle.fill,bolt", { $0.symbol = "⚡" }),
        ("sfimage=sun.dust", { _ in }),
        ("image=iVBORw0KGgo=", { $0.picture = .data("iVBORw0KGgo=") }),
        ("templateImage=iVBORw0KGgo=", { $0.picture = .data("iVBORw0KGgo=") }),
        ("imageURL=https://example.org/a.png imageWidth=20 imageHeight=20", { _ in }),
        ("color=red", { $0.color = Color("#ff0000") }),
        ("color=RebeccaPurple", { $0.color = Color("#663399") }),
        ("color=lightgoldenrodyellow", { $0.color = Color("#fafad2") }),
        ("color=#1aF", { $0.color = Color("#11aaff") }),
        ("color=#1aF8", { $0.color = Color("#11aaff") }),
        ("color=#12aBcD", { $0.color = Color("#12abcd") }),
        ("color=#12aBcD80", { $0.color = Color("#12abcd") }),
        ("color=red,white", { $0.color = Color("#ff0000") }),
        ("color='#00ff00,#ffffff'", { $0.color = Color("#00ff00") }),
        ("color=", { _ in }),
        ("emojize=true ansi=true symbolize=false", { _ in }),
        ("font=Helvetica size=12 key=shift+k shortcut=CMD+K fold=true", { _ in }),
        ("font=Menlo-Regular", { $0.isMonospaced = true }), ("font='DejaVu Sans Mono'", { $0.isMonospaced = true }),
        ("webview=true webvieww=300 webviewh=200 sfcolor=red sfcolor2=blue sfsize=9 sfconfig=e30= sfvalue=1", { _ in }),
        ("width=1 height=2 valign=3 zoom=1.5 onclick=bash", { _ in }),
        ("useMarkup=false unescape=false", { _ in }),
        ("md=false dropdown=true", { _ in }),
    ]

    @Test(arguments: keys.indices) func keysOfAllDialectsAreKnown(place: Int) throws {
        let (parameters, change) = Self.keys[place]
        for dialect in Dialect.all {
            var expected = View.Item(title: "The title")
            change(&expected)
            var item = try dialect.item("The title | \(parameters)")
            // SwiftBar alone shows there what it has cut.
            if parameters.hasPrefix("length"), dialect == .swiftbar { item.tooltip = nil }
            #expect(item == expected, "\(dialect)")
            #expect(try dialect.notes("The title | \(parameters)") == [], "\(dialect)")
        }
    }

    @Test func theTerminalIsADefaultOfTheDialect() throws {
        for (dialect, isInTerminal) in [(Dialect.xbar, false), (.bitbar, true), (.swiftbar, true), (.argos, true)] {
            #expect(
                try dialect.item("a | shell=/bin/x").command == View.Command(["/bin/x"], isInTerminal: isInTerminal))
        }
    }

    @Test func swiftBarShowsWhatItHasCut() throws {
        #expect(try Dialect.swiftbar.item("The title | length=4").tooltip == "The title")
        #expect(try Dialect.swiftbar.item("The title | length=4 tooltip=x").tooltip == "x")
        #expect(try Dialect.swiftbar.item("The title | length=9").tooltip == nil)
        #expect(try Dialect.xbar.item("The title | length=4").tooltip == nil)
    }

    @Test func lengthCountsCharacters() throws {
        #expect(try Dialect.xbar.item("👨‍👩‍👧e\u{301}שלום | length=4").title == "👨‍👩‍👧e\u{301}ש…")
    }

    @Test func argumentsMayBeEmpty() throws {
        #expect(try Dialect.xbar.item(#"a | shell=x param1="" param2=y"#).command?.arguments == ["x", "", "y"])
        #expect(try Dialect.argos.item(#"a | bash=x param1="" param2=y"#).command?.arguments == ["x", "y"])
    }

    @Test func swiftBarHasAnArgumentZero() throws {
        let line = "a | shell=x param1=b param0=a"
        #expect(try Dialect.swiftbar.item(line).command?.arguments == ["x", "a", "b"])
        #expect(try Dialect.swiftbar.notes(line) == [])
        #expect(try Dialect.xbar.item(line).command?.arguments == ["x", "b"])
    }

    @Test func argosHandsALineToBash() throws {
        func words(_ line: String) throws -> [String]? { try Dialect.argos.item("a | \(line)").command?.arguments }
        #expect(try words("bash=/usr/bin/x") == ["/usr/bin/x"])
        #expect(try words("bash=x param1='a b'") == ["x", "a b"])
        #expect(try words("bash='x --all'") == ["bash", "-c", "x --all"])
        #expect(try words(#"bash='~/x y' param1="it's" param2=z"#) == ["bash", "-c", #"~/x y 'it'\''s' 'z'"#])
        #expect(try words("bash='a; b | c' terminal=false") == ["bash", "-c", "a; b | c"])
    }

    // MARK: Notes

    static let notes: [(line: String, note: String)] = [
        ("a | nope=1", "line 3: unknown key nope="),
        ("a | color=redd", "line 3: color=redd is not a colour"),
        ("a | color=#12", "line 3: color=#12 is not a colour"),
        ("a | color=#12345g", "line 3: color=#12345g is not a colour"),
        ("a | color=,red", "line 3: color= is not a colour"),
        ("a | length=x", "line 3: length=x is not a number"),
        ("a | length=-1", "line 3: length=-1 is not a number"),
        ("a | length=99999999999999999999", "line 3: length=99999999999999999999 is not a number"),
        ("a | refresh=perhaps", "line 3: refresh=perhaps is neither true nor false"),
        ("a | param0=x", "line 3: param0= is not an argument; the first is param1="),
        ("a | paramx=x", "line 3: paramx= is not an argument; the first is param1="),
        ("a | param=x", "line 3: param= is not an argument; the first is param1="),
        (
            "a | param99999999999999999999=x",
            "line 3: param99999999999999999999= is not an argument; the first is param1="
        ),
        ("a | href=example.org", "line 3: href=example.org is not a URL"),
        ("a | href='https://x/a b'", "line 3: href=https://x/a b is not a URL"),
        ("a | b c d", "line 3: \"b\" is not a parameter such as color=red"),
        ("a | =b", "line 3: \"=\" is not a parameter such as color=red"),
        ("a | color=\"red", "line 3: the quote of color= does not close"),
        ("a | bash=", "line 3: bash= names no program"), ("a | shell='' param1=x", "line 3: shell= names no program"),
        (
            "a | href=JavaScript:alert(1)",
            "line 3: href=JavaScript:alert(1) is not opened: a URL with the scheme javascript is a program"
        ),
        (
            "a | bash='echo hi; read' terminal=true",
            "line 3: bash='echo hi; read' is executed as one program, and no shell reads it; write bash=/bin/bash param1=-c "
                + "param2='echo hi; read'"
        ),
        ("a | eval=x", "line 3: eval= is not supported"),
        ("a | stdin=x", "line 3: stdin= is not supported"),
    ]

    @Test(arguments: notes.indices) func whatIsNotUnderstoodIsANote(place: Int) throws {
        let (line, note) = Self.notes[place]
        let notes = try Dialect.xbar.notes(line)
        #expect(notes.first == note)
        #expect(try Dialect.xbar.item(line).title == "a")
    }

    /// A value of bash= and what is to be written instead; nil for a path.
    static let lines: [(value: String, arguments: [String], instead: String?)] = [
        ("/usr/bin/open", [], nil), ("/home/ada/my plugins/x.sh", [], nil), ("./x y", [], nil), ("open", ["a b"], nil),
        ("echo hi", [], "param1=-c param2='echo hi'"),
        ("/usr/bin/open -a Safari", [], "param2='/usr/bin/open -a Safari'"),
        ("it's; read", [], "param2=\"it's; read\""), ("it's \"a\"; read", [], "param2='…'"),
        ("/bin/a && /bin/b", [], "param2='/bin/a && /bin/b'"), ("/bin/a | /bin/b", [], "param2="),
        ("/a/$(b)", [], "param2="), ("/bin/a;", ["x"], "and the line as parameters"),
    ]

    @Test(arguments: lines.indices) func aLineForAShellIsNoted(index: Int) {
        let (value, arguments, instead) = Self.lines[index]
        let cure = ShellLine.cure(value, arguments)
        #expect((cure == nil) == (instead == nil), "\(value)")
        if let instead { #expect(cure?.contains(instead) == true, "\(cure ?? "")") }
    }

    /// Argos hands a line to a shell.
    @Test func argosMayHaveALine() throws {
        #expect(try Dialect.argos.notes("a | bash='echo hi; read'") == [])
        #expect(try Dialect.argos.notes("<b>a | useMarkup=true") == ["line 3: <b> is not closed"])
    }

    @Test func aCommandIsKeptAsItIsOrNotAtAll() throws {
        let many = (1...64).map { "param\($0)=x" }.joined(separator: " ")
        let long = String(repeating: "x", count: 16_385)
        for (parameters, note) in [
            ("shell=x \(many)", "line 3: the command has more than 64 words"),
            ("shell=x param1=\(long)", "line 3: a word of the command is longer than 16384 bytes"),
            ("shell=x param1=a\u{7}b", "line 3: a word of the command contains the control character U+0007"),
        ] {
            #expect(try Dialect.xbar.item("a | \(parameters)").command == nil)
            #expect(try Dialect.xbar.notes("a | \(parameters)") == [note])
        }
    }
}
