// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

@Suite struct ManifestFileNameTests {
    @Test(
        arguments: [
            ("temp.widget", "org.example.temp.widget"), ("my temp.widget", "org.example.my-temp.widget"),
            ("a.my temp.widget", "a.my-temp.widget"), ("-a.b.widget", "a.b.widget"), ("a..b.widget", "a.b.widget"),
            ("日本.widget", "org.example.name.widget"), (".widget", "org.example.name.widget"),
        ])
    func aNameThatWorksIsMadeOfTheOneThatDoesNot(name: String, suggestion: String) {
        #expect(Survey.id(of: name, suffix: Survey.suffix) == nil)
        #expect(ManifestFileName.suggestion(for: name) == suggestion)
        #expect(Survey.id(of: suggestion, suffix: Survey.suffix) != nil)
    }

    @Test func aNameThatIsTooLongIsNotRepeated() {
        let name = String(repeating: "x", count: 240) + Survey.suffix
        #expect(ManifestFileName.suggestion(for: name) == "org.example.name.widget")
    }
}
