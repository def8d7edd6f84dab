// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What remains of markup: its plain text, and its first colour. A `<` that begins no tag stays, and so does an `&` that begins
/// no entity: programs that forget to escape them print both.
struct PangoText: Equatable {
    enum Dialect {
        case pango
        /// Also the HTML tags that programs print for web pages. The end of a paragraph is a line end.
        case html
    }

    private(set) var text: String
    private(set) var color: Color?
    /// The first tag or quote that is not closed, in words. Hosts that parse the markup strictly show nothing of such a text.
    private(set) var trouble: String?

    init(_ markup: String, _ dialect: Dialect = .pango) {
        var reader = Reader(rest: Array(markup.utf8)[...], dialect: dialect)
        reader.read()
        text = String(decoding: reader.text, as: UTF8.self)
        color = reader.color
        trouble = dialect == .pango ? reader.trouble ?? reader.open.last.map { "<\($0)> is not closed" } : nil
    }

    /// Whether a text that may be plain is meant as markup: it has an element that only Pango knows.
    static func isMarkup(_ text: String) -> Bool {
        let bytes = Array(text.utf8)[...]
        return bytes.position(of: "<span") != nil && bytes.position(of: "</span>") != nil
    }

    static func isTag(_ name: String) -> Bool { Reader.tags.contains(name) }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        let dialect: Dialect
        var text: [UInt8] = []
        var color: Color?
        var trouble: String?
        /// The tags that are not closed yet.
        var open: [String] = []
        /// How many more are open.
        var deeper = 0
        /// Deeper markup is not followed.
        private static let deepest = 64

        static let tags = ["span", "b", "i", "u", "s", "tt", "sub", "sup", "small", "big", "markup", "a"]
        private static let htmlTags = [
            "br", "p", "div", "font", "pre", "code", "strong", "em", "hr", "img", "table", "tbody", "thead", "tr", "td",
            "th", "ul", "ol", "li", "h1", "h2", "h3", "h4",
        ]
        private static let lineEnds = ["br", "p", "div", "tr", "li", "hr", "h1", "h2", "h3", "h4"]
        private static let colorNames = ["color", "foreground", "fgcolor"]
        private static let entities: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}",
        ]
        /// `&#x10ffff;` with some zeros.
        private static let longestEntity = 12

        mutating func read() {
            text.reserveCapacity(rest.count)
            while let place = rest.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
                text += rest[..<place]
                rest = rest[place...]
                if rest.first == UInt8(ascii: "<"), let length = tag() {
                    rest = rest.dropFirst(length)
                } else if rest.first == UInt8(ascii: "&"), let (scalar, length) = entity() {
                    text += Array(String(Character(scalar)).utf8)
                    rest = rest.dropFirst(length)
                } else {
                    text += rest.prefix(1)
                    rest = rest.dropFirst()
                }
            }
            text += rest
        }

        /// The length of the tag that begins here. A tag ends before the next `<`, so each byte is read at most twice.
        private mutating func tag() -> Int? {
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
                inside[end] == UInt8(ascii: ">")
            else {
                if inside.starts(with: Array("span ".utf8)) { trouble = trouble ?? "<span has no >" }
                return nil
            }
            let isClosing = inside.first == UInt8(ascii: "/")
            let tag = isClosing ? inside[..<end].dropFirst() : inside[..<end]
            let nameBytes = tag.prefix(while: \.isAlphanumeric)
            guard nameBytes.count <= 8 else { return nil }
            let next = tag.dropFirst(nameBytes.count).first
            guard next == nil || next == UInt8(ascii: "/") || next.map({ $0 <= 0x20 }) ?? false else { return nil }
            let name = dialect == .html ? nameBytes.text.lowercased() : nameBytes.text
            let isHTML = dialect == .html && Self.htmlTags.contains(name)
            guard isHTML || Self.tags.contains(name) else { return nil }
            if dialect == .pango { note(name, tag.dropFirst(nameBytes.count), isClosing: isClosing) }
            if !isClosing, color == nil { color = Self.color(in: tag.dropFirst(nameBytes.count)) }
            // A paragraph in HTML is `<p>…</p>`; a line break has no end.
            if isHTML, Self.lineEnds.contains(name), isClosing || name == "br" || name == "hr" {
                text.append(UInt8(ascii: "\n"))
            }
            return end - rest.startIndex + 1
        }

        /// Takes note of an opening or closing tag and its attributes.
        private mutating func note(_ name: String, _ attributes: ArraySlice<UInt8>, isClosing: Bool) {
            guard trouble == nil else { return }
            if isClosing, deeper > 0 {
                deeper -= 1
                return
            }
            if isClosing {
                if open.last == name {
                    open.removeLast()
                } else {
                    trouble = open.last.map { "</\(name)> is where </\($0)> should be" } ?? "</\(name)> closes no tag"
                }
                return
            }
            var quote: UInt8?
            for byte in attributes where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            }
            if quote != nil { trouble = "a quote in <\(name)> is not closed" }
            guard attributes.last != UInt8(ascii: "/") else { return }
            // Of deeper tags only the number is kept.
            if open.count < Self.deepest { open.append(name) } else { deeper += 1 }
        }

        /// The first colour among attributes: ` size="small" color='#ff0000'`.
        private static func color(in attributes: ArraySlice<UInt8>) -> Color? {
            var rest = attributes
            while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
                let name = rest[..<equals].trimmed
                let value = rest[(equals + 1)...].drop { $0 <= 0x20 }
                let quote = value.first
                let content: ArraySlice<UInt8>
                if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    content = value.dropFirst().prefix { $0 != quote }
                    rest = value.dropFirst(content.count + 2)
                } else {
                    content = value.prefix { $0 > 0x20 }
                    rest = value.dropFirst(content.count)
                }
                let isColor = colorNames.contains { name.elementsEqual($0.utf8) }
                if isColor, let color = CSSColor.color(content.text) { return color }
            }
            return nil
        }

        private func entity() -> (Unicode.Scalar, length: Int)? {
            let name = rest.dropFirst().prefix(Self.longestEntity).prefix { $0 != UInt8(ascii: ";") }
            guard rest.dropFirst(name.count + 1).first == UInt8(ascii: ";") else { return nil }
            let length = name.count + 2
            if let scalar = Self.entities[name.text] { return (scalar, length) }
            guard name.first == UInt8(ascii: "#") else { return nil }
            let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            // An Int may have a sign, but an entity may not.
            guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
                let number = UInt32(digits.text, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
            else { return nil }
            return (scalar, length)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Where an ASCII text begins.
    func position(of text: String) -> Int? {
        guard let first = text.utf8.first else { return nil }
        var rest = self
        while let place = rest.firstIndex(of: first) {
            if self[place...].starts(with: text.utf8) { return place }
            rest = rest[(place + 1)...]
        }
        return nil
    }
}
