// SPDX-License-Identifier: MIT

import Testing

@testable import Arguments

@Suite struct HelpTextTests {
    @Test func helpHasAllSections() {
        #expect(
            sample.help(for: ["show"], width: 60) == """
                demo show - show things

                Usage: demo show [OPTION...] [ID...]

                One paragraph in two lines.

                Another one.

                Arguments:
                  ID  Which

                Options:
                  -h, --help  Show this help

                Options of every command:
                  -j, --json        Print JSON
                  -q, --quiet       Print nothing
                  -w, --width N     Columns
                      --color WHEN  When to colour (auto, always, never)
                      --user        The user's
                      --system      The system's
                      --file PATH   A file: any

                Examples:
                  demo show a
                      Shows a.

                """)
    }

    @Test func programListsItsCommands() {
        let help = sample.help(width: 80)
        #expect(help.contains("Usage: demo [OPTION...] COMMAND\n"))
        let commands = "  show   show things\n  set    set a thing\n  press  press a thing\n  group  deal with groups\n"
        #expect(help.contains("Commands:\n\(commands)"))
    }

    @Test(arguments: [40, 60, 80])
    func linesFitTheWidth(width: Int) {
        for path in [[], ["show"], ["group"], ["group", "add"]] {
            for line in sample.help(for: path, width: width).split(separator: "\n") where !line.hasPrefix("Usage") {
                #expect(line.count <= width, "\(line)")
            }
        }
    }

    /// Long lines are hard to read, and short ones hard to lay out.
    @Test(arguments: [(200, 100), (100, 100), (1, 40)]) func widthsHaveBounds(width: Int, most: Int) {
        for count in [most, most + 1] {
            let text = "\(String(repeating: "a", count: 20)) \(String(repeating: "b", count: count - 21))"
            let help = Command("demo", summary: "d", description: text).help(width: width)
            #expect(help.contains(text) == (count == most), "\(count)")
        }
    }

    /// Of many commands: by what they are for, with their texts below each other.
    @Test func groupsHaveTheirCommands() {
        let program = Command(
            "demo", summary: "demonstrate",
            subcommands: [
                Command("see", summary: "see it"), Command("remove", summary: "remove it"),
                Command("secret", summary: "do that", isHidden: true), Command("rare", summary: "seldom"),
            ], groups: [.init("Look", ["see"]), .init("Change", ["remove", "secret"]), .init("None", [])])
        #expect(program.help().contains("\n\nLook:\n  see     see it\nChange:\n  remove  remove it\n"))
        #expect(!program.help().contains("secret") && !program.help().contains("rare"))
    }
}
