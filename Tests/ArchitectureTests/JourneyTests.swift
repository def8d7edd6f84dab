// SPDX-License-Identifier: MIT
import Testing

/// The two journeys of docs/architecture.md against the source.
@Suite struct JourneyTests {
    /// One line: the declaration and the file that it is in.
    struct Step {
        let line: Int
        let name: String
        let file: String
    }

    /// A reader who follows a journey keeps so many files in mind.
    @Test(arguments: [("A perform-update", 45), ("`set-has-content`", 35)])
    func aJourneyIsAsItIsDrawn(title: String, mostFiles: Int) throws {
        let steps = try Self.steps(of: title)
        try #require(steps.count > 15)
        #expect(Set(steps.map(\.file)).count <= mostFiles)
        var earlier = ""
        for step in steps {
            let text = try Tree.text(of: step.file)
            let words = Self.words(of: text)
            let place = "docs/architecture.md:\(step.line)"
            #expect(Self.declares(step.name, words), "\(place): \(step.file) does not declare \(step.name)")
            if !earlier.isEmpty {
                let isMentioned = Self.words(of: earlier).contains { $0 == step.name }
                #expect(isMentioned, "\(place): no earlier step mentions \(step.name)")
            }
            earlier += "\n" + text
        }
    }

    private static let keywords: Set<Substring> = [
        "func", "var", "let", "class", "struct", "enum", "protocol", "case", "typealias",
    ]

    private static func declares(_ name: String, _ words: [Substring]) -> Bool {
        zip(words, words.dropFirst()).contains { keywords.contains($0) && $1 == name }
    }

    private static func words(of text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }

    /// Lines such as: 3. `launch` in `Sources/…/Daemon+Runs.swift`: what it does
    private static func steps(of title: String) throws -> [Step] {
        let lines = try Tree.text(of: "docs/architecture.md").split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "### \(title)" })
        return lines.enumerated().dropFirst(start + 1).prefix { !$0.element.hasPrefix("#") }.compactMap { index, line in
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            guard parts.count >= 4, line.first?.isNumber == true, parts[2] == " in " else { return nil }
            return Step(line: index + 1, name: String(parts[1]), file: String(parts[3]))
        }
    }
}
