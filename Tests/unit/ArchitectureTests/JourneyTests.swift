// SPDX-License-Identifier: MIT
import Testing

/// Compares the two journeys of docs/architecture.md with the source.
@Suite struct JourneyTests {
    /// One step: a declaration and its file.
    struct Step {
        let line: Int
        let name: String
        let file: String
        /// The journey begins here, or continues on the other side of a socket, so no earlier file mentions the step.
        let isBeginning: Bool
    }

    /// The most files that a reader of a journey should have to open.
    @Test(arguments: [("A perform-update", 45), ("`set-has-content`", 35)])
    func eachStepIsReachedFromAnEarlierOne(title: String, mostFiles: Int) throws {
        let steps = try Self.steps(of: title)
        try #require(steps.count > 15)
        #expect(Set(steps.map(\.file)).count <= mostFiles)
        var earlier: Set<Substring> = []
        for (step, before) in zip(steps, [nil] + steps) {
            let words = Self.words(of: try Tree.text(of: step.file))
            let place = "docs/architecture.md:\(step.line)"
            #expect(Self.declares(step.name, words), "\(place): \(step.file) does not declare \(step.name)")
            if step.isBeginning { earlier = [] }
            let isCalled = earlier.contains(step.name[...])
            let listens = before.map { words.contains($0.name[...]) } ?? false
            #expect(isCalled || listens || earlier.isEmpty, "\(place): no earlier step leads to \(step.name)")
            earlier.formUnion(words)
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
        var steps: [Step] = []
        var isBeginning = true
        for (index, line) in lines.enumerated().dropFirst(start + 1).prefix(while: { !$0.element.hasPrefix("#") }) {
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            if parts.count >= 4, line.first?.isNumber == true, parts[2] == " in " {
                let (name, file) = (String(parts[1]), String(parts[3]))
                steps.append(Step(line: index + 1, name: name, file: file, isBeginning: isBeginning))
                isBeginning = false
            } else if !line.isEmpty {
                isBeginning = true
            }
        }
        return steps
    }
}
