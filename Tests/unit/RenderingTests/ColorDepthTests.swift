// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// Colours on light and dark grounds.
@Suite struct ColorDepthTests {
    @Test(
        arguments: [
            ("rgb:ffff/ffff/ffff", Ground.light), ("rgb:0/0/0", .dark), ("rgb:1e/1e/2e", .dark),
            ("rgb:fd/f6/e3", .light),
            ("rgb:fdf/f6f/e3e", .light), ("rgb:0000/2b2b/3636", .dark),
        ] as [(String, Ground)])
    func aTerminalSaysItsBackground(answer: String, ground: Ground) { #expect(Ground(answer: answer) == ground) }

    @Test(arguments: [
        "", "rgb:", "rgb:1/2", "rgb:1/2/3/4", "rgb:11111/0/0", "rgba:0/0/0/0", "#ffffff", "rgb:g/0/0", "rgb://",
        "rgb:-1/0/0",
    ])
    func otherAnswersAreNone(answer: String) { #expect(Ground(answer: answer) == nil) }

    @Test(
        arguments: [
            ("15;0", Ground.dark), ("0;15", .light), ("0;default;7", .light), ("12;8", .dark), ("0;6", .dark),
            ("0;9", .light),
            ("default;default", nil), ("", nil), ("0;16", nil), ("0;-1", nil),
        ] as [(String, Ground?)])
    func aVariableSaysIt(text: String, ground: Ground?) {
        #expect(Ground(variable: text) == ground)
        #expect(ColorDepth(always: { $0 == "COLORFGBG" ? text : nil }).ground == ground)
    }

    private static let depths: [(variables: [String: String], depth: ColorDepth)] = [
        (["COLORTERM": "truecolor"], .direct), (["COLORTERM": "24bit", "TERM": "xterm"], .direct),
        (["COLORTERM": "yes", "TERM": "xterm-256color"], .indexed), (["TERM": "screen-256color"], .indexed),
        (["TERM": "xterm"], .sixteen), ([:], .sixteen),
    ]

    @Test(arguments: depths.indices) func variablesSayHowManyColoursThereAre(index: Int) {
        let (variables, depth) = Self.depths[index]
        #expect(ColorDepth(always: { variables[$0] }) == depth)
        let terminal = ColorDepth(ofTerminal: { variables[$0] })
        #expect(terminal == (variables["TERM"] == nil ? .none : depth))
        #expect(ColorDepth(ofTerminal: { $0 == "NO_COLOR" ? "1" : variables[$0] }) == .none)
    }

    private static func contrast(_ color: Color, _ ground: Double) -> Double {
        guard case .rgb(let red, let green, let blue) = color else { return 0 }
        let light = Color.luminance([red, green, blue].map { Double($0) / 255 })
        return (max(light, ground) + 0.05) / (min(light, ground) + 0.05)
    }

    @Test func everyExactColourIsReadable() {
        for level in stride(from: 0, through: 0xfff, by: 7) {
            let parts = [level >> 8, level >> 4 & 15, level & 15].map { UInt8($0 * 17) }
            let color = Color.rgb(red: parts[0], green: parts[1], blue: parts[2])
            #expect(Self.contrast(color.readable(on: .light), 1) > 4.4)
            #expect(Self.contrast(color.readable(on: .dark), 0.02) > 4.4)
            #expect(color.readable(on: nil) == color)
        }
    }

    @Test func whatIsReadableStays() throws {
        let (navy, cream) = (try #require(Color("#000080")), try #require(Color("#fffdd0")))
        #expect(navy.readable(on: .light) == navy && cream.readable(on: .dark) == cream)
        #expect(navy.readable(on: .dark) != navy && cream.readable(on: .light) != cream)
        #expect(Color.meaning(.warning).readable(on: .light) == .meaning(.warning))
        var depth = ColorDepth.direct
        depth.ground = .light
        let yellow = Style(color: .rgb(red: 255, green: 255, blue: 0))
        #expect(yellow.escapeSequence(depth) == "\u{1B}[38;2;113;113;0m")
    }
}
