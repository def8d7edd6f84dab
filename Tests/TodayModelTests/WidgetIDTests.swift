// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct WidgetIDTests {
    @Test(arguments: ["org.todayd.disk", "a.b", "org.example.a-b_c", "plugin.cpu", "1.2"])
    func acceptsReverseDNSNames(_ text: String) {
        #expect(WidgetID(text)?.text == text)
    }

    @Test(arguments: [
        "", "disk", ".disk", "disk.", "a..b", "a.-b", "a/b.c", "a b.c", "a.b\n", "../etc.passwd", "ä.b", "a.b\0",
        String(repeating: "a.", count: 100) + "a",
    ])
    func refusesWhatCouldNotBeAFileName(_ text: String) {
        #expect(WidgetID(text) == nil)
    }

    @Test func knowsItsLastLabelsAsShortNames() throws {
        let id = try #require(WidgetID("org.todayd.disk"))
        #expect(id.hasSuffix("disk"))
        #expect(id.hasSuffix("todayd.disk"))
        #expect(!id.hasSuffix("isk"))
        #expect(!id.hasSuffix(""))
    }
}
