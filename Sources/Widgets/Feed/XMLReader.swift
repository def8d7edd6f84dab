// SPDX-License-Identifier: MIT

/// The tokens of an XML document, as far as feeds need them: elements by their local names, attributes, text with its
/// references, and CDATA. It never goes back, so its time is linear, and it reads broken markup as text.
struct XMLReader {
    enum Token: Equatable {
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    private static let mostAttributes = 64

    private let bytes: [UInt8]
    private var place = 0
    /// The end of an element that closes itself: `<a/>`.
    private var pending: Token?

    init(_ bytes: [UInt8]) { self.bytes = XMLEncoding.utf8(bytes) }

    mutating func next() -> Token? {
        if let token = pending {
            pending = nil
            return token
        }
        while place < bytes.count {
            if bytes[place] != UInt8(ascii: "<") {
                let start = place
                while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
                return .text(Self.resolved(String(decoding: bytes[start..<place], as: UTF8.self)))
            }
            if skip("<![CDATA[") { return .text(String(decoding: take(until: "]]>"), as: UTF8.self)) }
            if skip("<!--") {
                _ = take(until: "-->")
            } else if skip("<?") {
                _ = take(until: "?>")
            } else if skip("<!") {
                _ = take(until: ">")
            } else if skip("</") {
                return .end(Self.localName(take(until: ">")))
            } else {
                place += 1
                if let token = element() { return token }
            }
        }
        return nil
    }

    private mutating func element() -> Token? {
        let name = Self.localName(word())
        if name.isEmpty { return .text("<") }
        var attributes: [String: String] = [:]
        while place < bytes.count {
            skipSpace()
            if skip("/>") {
                pending = .end(name)
                return .start(name, attributes)
            }
            if skip(">") { return .start(name, attributes) }
            let key = Self.localName(word())
            skipSpace()
            guard skip("=") else {
                if key.isEmpty { place += 1 }
                continue
            }
            skipSpace()
            guard let quote = place < bytes.count ? bytes[place] : nil, quote == 0x22 || quote == 0x27 else { continue }
            place += 1
            let value = Self.resolved(String(decoding: take(until: quote == 0x22 ? "\"" : "'"), as: UTF8.self))
            if attributes.count < Self.mostAttributes, attributes[key] == nil { attributes[key] = value }
        }
        return .start(name, attributes)
    }

    // MARK: Bytes

    private mutating func skip(_ text: StaticString) -> Bool {
        let found = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
        if found { place += text.utf8CodeUnitCount }
        return found
    }

    /// The bytes before a mark, or to the end; the mark is skipped.
    private mutating func take(until mark: StaticString) -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count {
            let end = place
            if skip(mark) { return bytes[start..<end] }
            place += 1
        }
        return bytes[start...]
    }

    private mutating func word() -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count, !Self.isSpace(bytes[place]), !"=/><\"'".utf8.contains(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }

    private mutating func skipSpace() { while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 } }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    /// The name without the prefix of a namespace, and without anything after it.
    private static func localName(_ bytes: ArraySlice<UInt8>) -> String {
        let name = bytes.prefix { !isSpace($0) }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    /// Those of XML, and those of HTML that titles have.
    private static let references: [String: String] = {
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
            para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
            Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
            Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
            igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
            thorn yuml
            """
        let letters = zip(latin.split(whereSeparator: \.isWhitespace), (0xa0...0xff).compactMap(Unicode.Scalar.init))
        var all = Dictionary(uniqueKeysWithValues: letters.map { (String($0), String(Character($1))) })
        all.merge([
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
            "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "hellip": "…",
            "bull": "•", "trade": "™", "euro": "€", "rarr": "→", "larr": "←", "lsaquo": "‹", "rsaquo": "›",
        ]) { $1 }
        return all
    }()

    /// The text with its references resolved; an unknown reference stays.
    static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
        var resolved = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let value = value(of: part[..<end]) else {
                resolved += "&" + part
                continue
            }
            resolved += value + part[part.index(after: end)...]
        }
        return resolved
    }

    private static func value(of reference: Substring) -> String? {
        guard reference.hasPrefix("#") else { return references[String(reference)] }
        let digits = reference.dropFirst()
        let number =
            digits.hasPrefix("x") || digits.hasPrefix("X") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { String(Character($0)) }
    }
}
