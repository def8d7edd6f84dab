// SPDX-License-Identifier: MIT
import Testing

@testable import Import

@Suite struct INIFileTests {
    /// The lines in short: `[name]`, `key=value`, each with its number; then the remarks.
    private func read(_ text: String, _ dialect: INIFile.Dialect) -> [String] {
        var notes = ImportNotes(source: .polybar, files: Machine().importFiles)
        let lines = notes.lines(of: Array(text.utf8), file: "/f")
        let file = INIFile(lines, file: "/f", dialect: dialect, &notes)
        let read = file.lines.map { line in
            switch line {
            case .section(let name, let origin): "\(origin.line) [\(name)]"
            case .entry(let entry): "\(entry.origin.line) \(entry.key)=\(entry.value)"
            }
        }
        return read + notes.plan.texts
    }

    @Test(arguments: [
        ("a=b", "1 a=b"), ("a = b ", "1 a= b "), ("a=", "1 a="), ("a==b", "1 a==b"), ("[x]\r\na=1\r", "1 [x]|2 a=1"),
        ("# c\n;d=1", "2 ;d=1"), ("a=\"b\"", "1 a=\"b\""), ("a=b\\\\c", "1 a=b\\\\c"),
        ("[a] # x", "/f:1: this is not a [section]; it is skipped with its keys"),
        ("x", "/f:1: this is neither a [section] nor key=value"),
        ("a b=c", "/f:1: this is neither a [section] nor key=value"),
        ("=x", "/f:1: this is neither a [section] nor key=value"),
    ])
    func i3blocks(text: String, lines: String) {
        #expect(read(text, .i3blocks).joined(separator: "|") == lines)
    }

    @Test(arguments: [
        ("a = b ", "1 a=b"), ("a=\" b \"", "1 a= b "), ("a=\"", "1 a=\""), ("a=\"\"", "1 a="),
        ("a=\"b\" c", "1 a=\"b\" c"),
        ("a=x\\\\y", "1 a=x\\y"), ("a=\\n", "1 a=\\n"), ("a=\\\\\\\\", "1 a=\\\\"),
        ("; a=1\n#b=2\n  \n c = d", "4 c=d"),
        ("  [module/x]  ", "1 [module/x]"), ("[]", "/f:1: this is not a [section]; it is skipped with its keys"),
        ("[a\nb=1\n[c]\nd=1", "3 [c]|4 d=1|/f:1: this is not a [section]; it is skipped with its keys"),
    ])
    func polybar(text: String, lines: String) {
        #expect(read(text, .polybar).joined(separator: "|") == lines)
    }

    @Test func linesThatAreNoTextCostThemselves() {
        var machine = Machine()
        let start = Array("[a]\ncommand=true\n".utf8)
        let marks = Array(("x=e" + String(repeating: "\u{301}", count: 40) + "\n").utf8)
        let end = Array("[b]\ncommand=date\ninterval=5".utf8)
        machine.files["/home/ada/config"] = start + [0x78, 0x3d, 0xff, 0x0a] + [0x79, 0x3d, 0x00, 0x0a] + marks + end
        let plan = machine.plan(.i3blocks)
        #expect(plan.ids == ["import.i3blocks.a", "import.i3blocks.b"])
        let wrong = plan.remarks.filter { $0.kind == .error }
        #expect(wrong.map(\.line) == [3, 4, 5])
    }
}
