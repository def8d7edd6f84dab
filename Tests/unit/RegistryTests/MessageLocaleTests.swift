// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

/// Which of the localized values of a key a user gets.
@Suite struct MessageLocaleTests {
    @Test(
        arguments: [
            ("de_CH.UTF-8@formal", ["de_CH@formal", "de_CH", "de@formal", "de"]), ("de_CH", ["de_CH", "de"]),
            ("de@formal", ["de@formal", "de"]), ("de.UTF-8", ["de"]), ("de", ["de"]), ("C", []), ("POSIX", []),
            ("C.UTF-8", []),
            ("", []), (".UTF-8", []), ("_CH", []), ("@formal", []),
        ] as [(String, [String])])
    func theBestTagComesFirst(name: String, tags: [String]) {
        let locale = MessageLocale(name)
        #expect(locale.tags == tags)
        for (place, tag) in tags.enumerated() { #expect(locale.rank(of: tag) == place) }
        #expect(locale.rank(of: nil) == tags.count && locale.rank(of: "fr") == nil)
    }

    @Test(
        arguments: [
            (["LANG": "de"], ["de"]), (["LANG": "de", "LC_MESSAGES": "fr"], ["fr"]),
            (["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "it"], ["it"]), (["LANG": "de", "LC_ALL": ""], ["de"]),
            ([:], []), (["LC_TIME": "de"], []),
        ] as [([String: String], [String])])
    func theStrongestVariableCounts(environment: [String: String], tags: [String]) {
        #expect(MessageLocale(environment: environment).tags == tags)
    }
}
