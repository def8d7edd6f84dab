// SPDX-License-Identifier: MIT
import JSON
import Testing
import Varlink
import VarlinkInterface

@Suite struct InterfaceDescriptionLintTests {
    @Test(arguments: [
        ("interface a1.b\n", "the first label of a1.b has other signs than letters"),
        ("interface a-x.b\n", "the first label of a-x.b has other signs than letters"),
        ("interface a.b\r\n", "the text has carriage returns"),
        ("interface a.b", "the text does not end with a line feed"),
        ("interface a.b\ntype X (one)\n", "type X: an enumeration of one word"),
        ("interface a.b\nmethod X(a: (one)) -> ()\n", "method X, a: an enumeration of one word"),
        ("interface a.b\nmethod X() -> (a: ?[][]int)\n", "method X, a: an array of arrays"),
        ("interface a.b\nerror X (a: [string]any)\n", "error X, a: the type any"),
        ("interface a.b\nerror X\n", "error X has no parentheses"),
    ])
    func syntaxThatSomeClientsCannotReadIsListed(_ text: String, _ problem: String) throws {
        #expect(try InterfaceDescription(parsing: text).lint == [problem])
    }

    @Test func syntaxThatAllClientsReadIsNotListed() throws {
        let text = """
            interface a.b-2.c

            type X (one, two)
            method Y(a: ?[]X, b: [string](), c: [][string]int) -> ()
            error Z ()

            """
        #expect(try InterfaceDescription(parsing: text).lint == [])
    }

    @Test func membersWithoutACommentAreListed() throws {
        let text = "interface a.b\ntype X ()\n# Does it.\nmethod Y() -> ()\nerror Z ()\n"
        #expect(try InterfaceDescription(parsing: text).undocumented == ["type X", "error Z"])
    }
}
