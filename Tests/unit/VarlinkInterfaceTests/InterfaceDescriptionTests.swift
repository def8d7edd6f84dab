// SPDX-License-Identifier: MIT
import JSON
import Testing
import VarlinkInterface

@Suite struct InterfaceDescriptionTests {
    static let text = """
        # Not about the interface.

        # Things in a cupboard.
        # Two lines.
        interface org.example.cup-board

        #   How full.
        type Level (empty, half_full, full)
        type Thing (
          # What it is called.
          name: string,   # not a documentation
          weight: ?float,
          tags: [string](), kind: (solid, liquid),
          size: (width: int, height: int)
        )
        # All of them.
        method List(level: ?Level) -> (things: []Thing, by_name: [string]Thing, raw: object)

        # Not the documentation of Clear.

        method Clear()->()
        error Locked
        # Why not.
        error NoRoom(needed: ?[]int,
          what: any)
        """

    @Test func everyPartOfTheLanguageIsRead() throws {
        let interface = try InterfaceDescription(parsing: Self.text)
        #expect(interface.name == "org.example.cup-board")
        #expect(interface.text == Self.text)
        #expect(interface.types.map(\.name) == ["Level", "Thing"])
        #expect(interface.type(named: "Level")?.type == .enumeration(["empty", "half_full", "full"]))

        guard case .structure(let fields)? = interface.type(named: "Thing")?.type else {
            Issue.record("Thing is not a structure")
            return
        }
        #expect(fields.map(\.name) == ["name", "weight", "tags", "kind", "size"])
        #expect(fields[0].type == .string)
        #expect(fields[1].type == .nullable(.float))
        #expect(fields[2].type == .map(.structure([])))
        #expect(fields[3].type == .enumeration(["solid", "liquid"]))
        #expect(interface.methods.map(\.name) == ["List", "Clear"])
        let list = try #require(interface.method(named: "List"))
        #expect(list.input.map(\.type) == [.nullable(.named("Level"))])
        #expect(list.output.map(\.type) == [.array(.named("Thing")), .map(.named("Thing")), .object])
        #expect(interface.method(named: "Clear")?.output == [])
        #expect(interface.error(named: "Locked")?.fields == [])
        #expect(interface.error(named: "NoRoom")?.fields.map(\.type) == [.nullable(.array(.int)), .any])
        #expect(interface.method(named: "Locked") == nil)
    }

    @Test func theCommentDirectlyAboveIsTheDocumentation() throws {
        let interface = try InterfaceDescription(parsing: Self.text)
        #expect(interface.documentation == "Things in a cupboard.\nTwo lines.")
        #expect(interface.type(named: "Level")?.documentation == "  How full.")
        #expect(interface.type(named: "Thing")?.documentation == "")
        #expect(interface.method(named: "List")?.documentation == "All of them.")
        #expect(interface.method(named: "Clear")?.documentation == "")
        #expect(interface.error(named: "NoRoom")?.documentation == "Why not.")
        guard case .structure(let fields)? = interface.type(named: "Thing")?.type else { return }
        #expect(fields.map(\.documentation) == ["What it is called.", "", "", "", ""])
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected 'interface', found the end"),
        ("interfce a.b", #"line 1, column 1: expected 'interface', found "interfce""#),
        ("interface ping", #"line 1, column 11: "ping" is not an interface name such as org.example.ping"#),
        ("interface 1a.b", #"line 1, column 11: "1a.b" is not an interface name such as org.example.ping"#),
        ("interface a.-b", #"line 1, column 11: "a.-b" is not an interface name such as org.example.ping"#),
        ("interface a..b", #"line 1, column 11: "a..b" is not an interface name such as org.example.ping"#),
        (
            "interface a.b\nmehtod X() -> ()",
            #"line 2, column 1: expected 'type' or 'method' or 'error', found "mehtod""#
        ),
        ("interface a.b\n{", #"line 2, column 1: expected 'type' or 'method' or 'error', found "{""#),
        (
            "interface a.b\nmethod x() -> ()",
            "line 2, column 8: the method's name must begin with a capital and have only letters and digits"
        ),
        ("interface a.b\nmethod X()", "line 2, column 11: expected '->', found the end"),
        ("interface a.b\nmethod X() -> (a)", "line 2, column 15: expected fields with types, found an enumeration"),
        ("interface a.b\nmethod X(a: int,) -> ()", #"line 2, column 17: expected a field's name, found ")""#),
        ("interface a.b\nmethod X(a: int b: int) -> ()", #"line 2, column 17: expected ',' or ')', found "b""#),
        ("interface a.b\nmethod X(a: integer) -> ()", #"line 2, column 13: unknown type "integer""#),
        ("interface a.b\nmethod X(a: strng) -> ()", #"line 2, column 13: unknown type "strng", did you mean string?"#),
        (
            "interface a.b\nmethod X(a: Thnig) -> ()\ntype Thing ()",
            #"line 2, column 13: unknown type "Thnig", did you mean Thing?"#
        ),
        ("interface a.b\nmethod X(a: ??int) -> ()", "line 2, column 14: '??' says no more than '?'"),
        ("interface a.b\nmethod X(a: [int]int) -> ()", #"line 2, column 13: expected a type, found "[""#),
        ("interface a.b\nmethod X(a_: int) -> ()", #"line 2, column 10: "a_" is not a name for a field"#),
        ("interface a.b\nmethod X(a: int, a: int) -> ()", "line 2, column 18: a is declared twice"),
        ("interface a.b\ntype X ()\nerror X ()", "line 3, column 7: X is declared twice"),
        ("interface a.b\ntype X (a: int, b)", #"line 2, column 18: expected ':', found ")""#),
        ("interface a.b\ntype X (a, b: int)", #"line 2, column 13: expected ',' or ')', found ":""#),
        ("interface a.b\ntype X int", #"line 2, column 8: expected '(', found "int""#),
        ("interface a.b\n# ü\ntype X (ü: int)", "line 3, column 9: expected a field's name, found \"\u{FFFD}\""),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ message: String) {
        #expect { try InterfaceDescription(parsing: text) } throws: { error in
            #expect("\(error)" == message)
            return error is InterfaceSyntaxError
        }
    }

    @Test(arguments: ["?", "[]", "[string]", "(a: "]) func nestingIsBounded(_ opening: String) {
        let text = "interface a.b\ntype X (a: \(String(repeating: opening, count: 100_000))"
        #expect(throws: InterfaceSyntaxError.self) { try InterfaceDescription(parsing: text) }
    }

    @Test func everyTruncationIsAnswered() {
        for length in 0..<Self.text.utf8.count {
            let text = String(decoding: Array(Self.text.utf8).prefix(length), as: UTF8.self)
            do throws(InterfaceSyntaxError) {
                #expect(try InterfaceDescription(parsing: text).name.hasPrefix("org."))
            } catch {
                #expect(error.line >= 1 && error.column >= 1)
            }
        }
    }
}
