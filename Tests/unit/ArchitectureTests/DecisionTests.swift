// SPDX-License-Identifier: MIT
import Testing

/// Compares the names of types in docs/architecture.md and docs/decisions with the source.
@Suite struct DecisionTests {
    /// A method of polkit, an option of OpenSSH, and a type of Foundation.
    private static let others: Set<Substring> = ["CheckAuthorization", "ControlMaster", "JSONDecoder"]

    @Test func theTypesThatTheyNameExist() throws {
        var words = Self.others
        for file in try ["Sources", "Tests"].flatMap({ try Tree.swiftFiles(below: $0) }) {
            words.formUnion(try Tree.text(of: file).split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
        let documents = "'\(Tree.root)'/docs/architecture.md '\(Tree.root)'/docs/decisions/*.md"
        let spans = try Tree.output(of: "cat \(documents)").split(separator: "`", omittingEmptySubsequences: false)
        let names = zip(spans, 0...).filter { $1 % 2 == 1 && Self.isType($0) }.map(\.0)
        #expect(names.count > 60)
        #expect(Set(names).subtracting(words).sorted() == [])
    }

    /// Two words in one, such as `ItemCache`.
    private static func isType(_ text: Substring) -> Bool {
        text.first?.isUppercase == true && text.allSatisfy(\.isLetter) && text.contains(where: \.isLowercase)
            && text.dropFirst().contains(where: \.isUppercase)
    }
}
