// SPDX-License-Identifier: MIT

import Testing

/// The text format 0.0.4 of Prometheus: metrics with their types, then samples, each metric in one group.
struct PrometheusReader {
    struct Sample: Equatable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        try #require(text.isEmpty || text.unicodeScalars.last == "\n")
        var helped: Set<String> = []
        var current = ""
        for line in text.unicodeScalars.split(separator: "\n").map({ String(String.UnicodeScalarView($0)) }) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if words.first == "#" {
                try #require(words.count == 4)
                if words[1] == "HELP" {
                    #expect(helped.insert(words[2]).inserted, "\(words[2]) is in two groups")
                    current = words[2]
                } else {
                    #expect(words[1] == "TYPE" && types[words[2]] == nil && words[2] == current)
                    types[words[2]] = words[3]
                }
                continue
            }
            let sample = try Self.sample(line)
            #expect(sample.name == current)
            #expect(
                !samples.contains { $0.name == sample.name && $0.labels == sample.labels }, "\(line) is twice there")
            samples.append(sample)
        }
    }

    func values(_ name: String, widget: String) -> [Double] {
        samples.filter { $0.name == name && $0.labels["widget"] == widget }.map(\.value)
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = Array(line.unicodeScalars)[...]
        func word(until end: Unicode.Scalar) throws -> String {
            let place = try #require(rest.firstIndex(of: end), "\(line)")
            defer { rest = rest[(place + 1)...] }
            return String(String.UnicodeScalarView(rest[..<place]))
        }
        let name = try word(until: "{")
        #expect(name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "_") })
        var labels: [String: String] = [:]
        while rest.first != "}" {
            if rest.first == "," { rest.removeFirst() }
            let label = try word(until: "=")
            try #require(rest.popFirst() == "\"" && labels[label] == nil)
            var value = ""
            while let scalar = rest.popFirst(), scalar != "\"" {
                guard scalar == "\\" else {
                    value.unicodeScalars.append(scalar)
                    continue
                }
                let escapes: [Unicode.Scalar: Unicode.Scalar] = ["\\": "\\", "\"": "\"", "n": "\n"]
                value.unicodeScalars.append(try #require(rest.popFirst().flatMap { escapes[$0] }, "\(line)"))
            }
            labels[label] = value
        }
        let value = String(String.UnicodeScalarView(rest.dropFirst())).split(separator: " ")
        try #require(value.count == 1)
        return Sample(name: name, labels: labels, value: try #require(Double(String(value[0])), "\(line)"))
    }
}

/// What a monitor reads of a plugin: the text before the first `|`, the numbers behind it, and the lines below.
struct NagiosReader {
    let first: String
    let rest: [String]
    private(set) var values: [String: String] = [:]

    init(_ output: String) throws {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.last == "")
        rest = Array(lines.dropFirst().dropLast())
        #expect(!rest.contains { $0.contains("|") })
        let parts = lines[0].split(separator: "|", maxSplits: 1).map(String.init)
        first = parts[0].hasSuffix(" ") && parts.count > 1 ? String(parts[0].dropLast()) : parts[0]
        guard parts.count > 1 else { return }
        #expect(!parts[1].contains("|"))
        var data = Array(parts[1])[...]
        while let next = data.first {
            if next == " " {
                data.removeFirst()
                continue
            }
            try #require(next == "'")
            data.removeFirst()
            var label = ""
            while let character = data.popFirst() {
                if character == "'" {
                    if data.first != "'" { break }
                    data.removeFirst()
                }
                label.append(character)
            }
            try #require(data.popFirst() == "=" && !label.contains("="))
            let value = data.prefix { $0 != " " }
            data = data.dropFirst(value.count)
            #expect(values[label] == nil)
            values[label] = String(value)
        }
    }
}
