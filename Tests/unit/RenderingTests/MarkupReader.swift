// SPDX-License-Identifier: MIT

/// Reads markup as strictly as XML does, apart from the code that writes it: Pango's, that of an SVG image and that of a page
/// of HTML, whose elements here are closed too, except those without content.
struct MarkupReader {
    struct Element: Equatable {
        let name: String
        var attributes: [String: String] = [:]
        /// All text below it.
        var text = ""
    }

    struct Mistake: Error, Equatable {
        let reason: String
    }

    /// In the order of their ends.
    private(set) var elements: [Element] = []
    /// All text.
    private(set) var text = ""
    private var open: [Element] = []
    private var rest: Substring.UnicodeScalarView

    private static let void = ["meta", "hr", "img", "!DOCTYPE"]
    private static let unclosed = ["html"]

    init(_ markup: String) throws {
        rest = Substring(markup).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<": try readTag()
            case ">" where open.last?.name != "style": throw Mistake(reason: "> in text")
            case "&": append(try entity())
            default:
                guard Self.isCharacter(scalar) else { throw Mistake(reason: "U+\(String(scalar.value, radix: 16))") }
                append(scalar)
            }
        }
        guard open.isEmpty else { throw Mistake(reason: "\(open.map(\.name)) not closed") }
    }

    func texts(of name: String, class wanted: String? = nil) -> [String] {
        elements.filter { $0.name == name && (wanted == nil || $0.attributes["class"] == wanted) }.map(\.text)
    }

    /// The characters of XML 1.0.
    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && scalar.value < 0xfffe) || scalar.value > 0xffff
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        text.unicodeScalars.append(scalar)
        for index in open.indices { open[index].text.unicodeScalars.append(scalar) }
    }

    private mutating func entity() throws -> Unicode.Scalar {
        let entities: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\""]
        let name = String(String.UnicodeScalarView(rest.prefix { $0 != ";" }))
        let number = name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
        guard let scalar = entities[name] ?? number else { throw Mistake(reason: "entity \(name)") }
        rest = rest.dropFirst(name.unicodeScalars.count + 1)
        return scalar
    }

    private mutating func word(until ends: String) -> String {
        let word = rest.prefix { !ends.unicodeScalars.contains($0) }
        rest = rest.dropFirst(word.count)
        return String(String.UnicodeScalarView(word))
    }

    private mutating func readTag() throws {
        if rest.first == "/" {
            rest.removeFirst()
            let name = word(until: ">")
            rest = rest.dropFirst()
            guard let element = open.popLast(), element.name == name else { throw Mistake(reason: "</\(name)>") }
            elements.append(element)
            return
        }
        var element = Element(name: word(until: " />"))
        while rest.first == " " {
            rest.removeFirst()
            let name = word(until: "=/> ")
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            guard rest.popFirst() == "\"" else { throw Mistake(reason: "\(name) without quotes") }
            var value = ""
            while let scalar = rest.popFirst(), scalar != "\"" {
                guard scalar != "<" else { throw Mistake(reason: "< in \(name)") }
                value.unicodeScalars.append(scalar == "&" ? try entity() : scalar)
            }
            element.attributes[name] = value
        }
        let isClosed = rest.first == "/"
        if isClosed { rest.removeFirst() }
        guard rest.popFirst() == ">" else { throw Mistake(reason: "<\(element.name)") }
        if isClosed || Self.void.contains(element.name) { elements.append(element) } else { open.append(element) }
    }
}
