// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The output of plugins for xbar and the programs after it: lines for the bar, `---`, and a menu. Items carry the commands and
/// URLs of the menu. A host executes and opens them as the user who clicks; this code does neither.
struct MenuFormat {
    enum Dialect: Sendable { case xbar, bitbar, swiftbar, argos }

    let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }

    /// More lines than any menu has. A remark says how many more there were.
    static let mostLines = 20_000

    func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let block = dialect == .swiftbar ? MenuBlock.last(of: output) : MenuBlock(bytes: output, firstLine: 1)
        let (lines, count) = LenientText.lines(of: block.bytes, most: Self.mostLines, from: block.firstLine) {
            read.note($0)
        }
        var bar = MenuBar()
        var menu = MenuBody(dialect, count: count)
        var pictures = MenuPictures()
        var isInMenu = false
        for (index, text) in lines.enumerated() {
            let line = MenuLine(text, number: block.firstLine + index, of: dialect)
            if isInMenu {
                let isAdded = menu.add(line, within: &pictures) { read.note("line \(line.number): \($0)") }
                if !isAdded { break }
            } else if line.shape == .divider, line.level == 0 {
                isInMenu = true
                menu.begins(after: index + 1)
            } else if bar.hasRoom {
                bar.isThere = bar.isThere || !text.isEmpty
                bar.add(
                    MenuEntry(line, isInBar: true, of: dialect, within: &pictures) {
                        read.note("line \(line.number): \($0)")
                    })
            } else {
                bar.leaveOut()
            }
        }
        if !isInMenu { bar.leaveOut(count - lines.count) }
        read.content = content(bar, isInMenu ? menu.views() : [])
        return read
    }

    private func content(_ bar: MenuBar, _ menu: [View]) -> Content {
        var content = Content(text: MenuBar.placeholder)
        // Argos shows no button for a menu without a line above it; the other hosts do.
        if bar.isEmpty, menu.isEmpty || dialect == .argos && !bar.isThere {
            content.text = ""
            content.isEmpty = true
            return content
        }
        bar.fill(&content)
        if !menu.isEmpty {
            let repeated = bar.menuViews
            let divider = repeated.isEmpty ? [] : [View.divider]
            content.expanded = .stack(View.Stack(.vertical, repeated + divider + menu))
        }
        return content
    }
}

/// The last output of a SwiftBar program that streams. A line `~~~` ends the part before it.
struct MenuBlock {
    let bytes: [UInt8]
    let firstLine: Int

    private static let end = Array("~~~".utf8)

    /// The part after the last such line or, if that is empty, the part before it.
    static func last(of output: [UInt8]) -> MenuBlock {
        var rest = output[...]
        var number = 1
        var block = (start: output.startIndex, firstLine: 1, isBlank: true)
        var shown = (bytes: output[...].prefix(0), firstLine: 1)
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            let start = line.startIndex
            rest = rest[end...].dropFirst()
            number += 1
            if line.count <= 16, line.filter({ !$0.isSpace }).elementsEqual(Self.end) {
                if !block.isBlank { shown = (output[block.start..<start], block.firstLine) }
                block = (rest.startIndex, number, true)
            } else if block.isBlank {
                block.isBlank = line.allSatisfy(\.isSpace)
            }
        }
        if !block.isBlank { shown = (output[block.start...], block.firstLine) }
        return MenuBlock(bytes: Array(shown.bytes), firstLine: shown.firstLine)
    }
}
