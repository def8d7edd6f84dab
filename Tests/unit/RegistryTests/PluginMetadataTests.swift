// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

struct PluginMetadataTests {
    private func metadata(_ text: String) -> PluginMetadata { PluginMetadata(Array(text.utf8)) }

    @Test func tagsAreInCommentsOfAnyLanguage() {
        let metadata = metadata(
            """
            #!/usr/bin/env node
            // <xbar.title>Disk</xbar.title>
            /* <xbar.version>v1.2</xbar.version> <xbar.author>Ada</xbar.author> */
            -- <xbar.desc> How full it is </xbar.desc>
            # <xbar.dependencies>python3, jq;Node.js;ruby (3+)</xbar.dependencies>
            # <xbar.title>another</xbar.title>
            echo "<b>no tag</b> <html.title>none</html.title>"
            """)
        #expect(metadata["title"] == "Disk")
        #expect(metadata["version"] == "v1.2")
        #expect(metadata["author"] == "Ada")
        #expect(metadata["desc"] == "How full it is")
        #expect(metadata.dependencies == ["python3", "jq", "node"])
        #expect(metadata.dialect == .xbar)
    }

    @Test(
        arguments: [
            ("<bitbar.title>a</bitbar.title>", ContentProtocol.bitbar),
            ("<bitbar.title>a</bitbar.title><xbar.title>a</xbar.title>", .xbar),
            ("<bitbar.title>a</bitbar.title><swiftbar.hideAbout>true</swiftbar.hideAbout>", .swiftbar),
            ("<SwiftBar.title>a</SwiftBar.title>", .swiftbar), ("<argos.title>a</argos.title>", .argos),
        ])
    func theTagsNameTheHost(text: String, dialect: ContentProtocol) {
        #expect(metadata(text).dialect == dialect)
    }

    @Test(arguments: [
        "", "plain", "<", "<xbar.", "<xbar.title>", "<xbar.title>a", "<xbar.title>a<", "</", "<xbar.>a</x>",
    ])
    func whatIsCutOffIsNoTag(text: String) {
        #expect(metadata(text)["title"] == nil)
    }

    @Test func variablesHaveTheirLines() {
        let metadata = metadata(
            "#!/bin/sh\n# <xbar.var>string(NAME=\"Ada\"): Who.</xbar.var>\n#<xbar.var>boolean(ON=true): On?</xbar.var>")
        #expect(metadata.variables.map(\.text) == ["string(NAME=\"Ada\"): Who.", "boolean(ON=true): On?"])
        #expect(metadata.variables.map(\.line) == [2, 3])
    }

    @Test func environmentHasOnlyValidNames() {
        let text = "# <swiftbar.environment>[A=1, B = two words, 3=x, TODAY_REASON=x, C]</swiftbar.environment>"
        #expect(metadata(text).environment == ["A": "1", "B": "two words"])
    }

    /// Eight times the tags take at most thrice as long for each tag; the machine may be slower for a moment.
    @Test(arguments: ["<xbar.title>", "<xbar.title>\n"]) func openTagsAreReadInOnePass(tag: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: tag, count: count)
            return ContinuousClock().measure { #expect(metadata(text)["title"] == nil) }
        }
        #expect((0..<3).contains { _ in time(16_000) < time(2_000) * 24 })
    }
}
