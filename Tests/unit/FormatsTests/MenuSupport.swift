// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import Formats

extension MenuFormat.Dialect {
    static let all: [MenuFormat.Dialect] = [.xbar, .bitbar, .swiftbar, .argos]

    /// Reads output, and checks that other parts may trust the content.
    func read(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws -> ReadContent {
        let read = try MenuFormat(self).content(from: bytes)
        do {
            let json = try JSON.parse(read.content.json.text, maxValues: ContentLimits.values)
            let same = try Content(JSONField(root: json))
            #expect(same == read.content, sourceLocation: sourceLocation)
        } catch {
            Issue.record("the content is refused: \(error)", sourceLocation: sourceLocation)
        }
        #expect(read.content.json.text.utf8.count <= ContentLimits.contentBytes, sourceLocation: sourceLocation)
        for note in read.lines {
            #expect(PlainText.complaint(about: note, allowingLines: false) == nil, sourceLocation: sourceLocation)
        }
        return read
    }

    func read(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> ReadContent {
        try read(Array(text.utf8), sourceLocation: sourceLocation)
    }

    /// The lines of a menu below a line in the bar.
    func menu(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [View] {
        let content = try read("bar\n---\n" + text, sourceLocation: sourceLocation).content
        return Array(content.expanded?.children.dropFirst(2) ?? [])
    }

    /// The only item of a menu.
    func item(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> View.Item {
        let menu = try menu(text, sourceLocation: sourceLocation)
        guard menu.count == 1, case .item(let item) = menu.first else {
            Issue.record("\(menu) is not an item", sourceLocation: sourceLocation)
            return View.Item(title: "")
        }
        return item
    }

    /// What is complained of in a line of the menu.
    func notes(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        try read("bar\n---\n" + text, sourceLocation: sourceLocation).lines
    }
}

extension View {
    /// The menu as text: items with their children in parentheses.
    var outline: String {
        switch self {
        case .item(let item):
            item.title + (item.children.isEmpty ? "" : "(\(item.children.map(\.outline).joined(separator: ",")))")
        case .text(let text): "\"\(text.text)\""
        case .divider: "-"
        case .stack(let stack): "[\(stack.children.map(\.outline).joined(separator: ","))]"
        default: "?"
        }
    }
}

extension View.Text {
    init(_ text: String, _ color: String?, bold: Bool = false) {
        self.init(text)
        self.color = color.flatMap(Color.init)
        weight = bold ? .bold : .regular
    }
}
