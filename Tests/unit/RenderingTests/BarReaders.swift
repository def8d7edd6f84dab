// SPDX-License-Identifier: MIT

import Testing

/// What polybar shows of a line: the rules of its tag parser, apart from the code that writes tags.
struct PolybarReader {
    private(set) var text = ""
    private(set) var colors: [String] = []

    init(_ line: String) throws {
        var rest = Array(line.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%", rest.first == "{" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            let end = try #require(rest.firstIndex(of: "}"), "a tag without an end")
            let tag = String(String.UnicodeScalarView(rest[rest.startIndex + 1..<end]))
            rest = rest[(end + 1)...]
            switch tag {
            case "O0", "F-": break
            case let color where color.hasPrefix("F#"): colors.append(String(color.dropFirst()))
            default: Issue.record("the tag %{\(tag)}")
            }
        }
    }
}

/// What tmux shows of the output of a command in its status line: it expands it as a format, and then draws it.
struct TmuxReader {
    private(set) var text = ""
    private(set) var styles: [String] = []

    init(_ line: String) throws { try draw(Self.expanded(line)) }

    private static func signs(_ scalars: ArraySlice<Unicode.Scalar>) -> Int { scalars.prefix { $0 == "#" }.count }

    /// `##` becomes `#`, except in front of `[`. Other sequences would be replaced.
    private static func expanded(_ line: String) throws -> [Unicode.Scalar] {
        var rest = Array(line.unicodeScalars)[...]
        var out: [Unicode.Scalar] = []
        var isInStyle = false
        while let first = rest.first {
            let count = signs(rest)
            if count == 0 {
                if first == "]" { isInStyle = false }
                out.append(first)
                rest = rest.dropFirst()
            } else if rest.dropFirst(count).first == "[" {
                isInStyle = count % 2 == 1
                out += rest.prefix(count + 1)
                rest = rest.dropFirst(count + 1)
            } else {
                guard isInStyle || count % 2 == 0 else { throw Mistake(rest: String(String.UnicodeScalarView(rest))) }
                out += isInStyle ? rest.prefix(count) : rest.prefix(count / 2)
                rest = rest.dropFirst(count)
            }
        }
        return out
    }

    private mutating func draw(_ scalars: [Unicode.Scalar]) throws {
        var rest = scalars[...]
        while let first = rest.first {
            let count = Self.signs(rest)
            guard count > 0 else {
                text.unicodeScalars.append(first)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(count)
            guard rest.first == "[" else {
                text += String(repeating: "#", count: (count + 1) / 2)
                continue
            }
            text += String(repeating: "#", count: count / 2)
            if count % 2 == 0 { continue }
            let end = try #require(rest.firstIndex(of: "]"), "a style without an end")
            styles.append(String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end])))
            rest = rest[(end + 1)...]
        }
    }

    struct Mistake: Error { let rest: String }
}

/// The tags of yambar's script module: what it takes from one update.
struct YambarReader {
    private(set) var tags: [String: String] = [:]
    private(set) var types: [String: String] = [:]

    init(_ output: String) throws {
        let end = try #require(
            output.utf8.split(separator: 10, omittingEmptySubsequences: false).firstIndex { $0.isEmpty })
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Only one update, and nothing behind it.
        #expect(lines.count == end + 2 && lines.suffix(2) == ["", ""])
        for line in lines[..<end] {
            let parts = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 3, "\(line)")
            tags[parts[0]] = parts[2]
            types[parts[0]] = parts[1]
            switch parts[1] {
            case "string": break
            case "int": #expect(Int(parts[2]) != nil, "\(line)")
            case "bool": #expect(["true", "false"].contains(parts[2]), "\(line)")
            case "range:0-100": #expect(Int(parts[2]).map { (0...100).contains($0) } == true, "\(line)")
            default: Issue.record("the type \(parts[1])")
            }
        }
    }
}

/// The tags of xfce4-genmon-plugin, which it looks for anywhere in the output.
struct GenmonReader {
    let text: MarkupReader
    let tooltip: String
    let bar: Int?

    init(_ output: String) throws {
        func content(_ tag: String) -> String? {
            guard let start = output.firstRange(of: "<\(tag)>"), let end = output.firstRange(of: "</\(tag)>") else {
                return nil
            }
            return String(output[start.upperBound..<end.lowerBound])
        }
        text = try MarkupReader(try #require(content("txt")))
        tooltip = try MarkupReader(try #require(content("tool"))).text
        bar = content("bar").flatMap { Int($0) }
    }
}
