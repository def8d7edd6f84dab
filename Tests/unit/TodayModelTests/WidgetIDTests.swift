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

    /// Otherwise a dictionary that is filled from another one would get its keys in the order of its own slots, and long runs of
    /// full slots.
    @Test func eachDictionaryHasAnOrderOfItsOwn() throws {
        let ids = try (0..<100).map { try #require(WidgetID("org.example.w\($0)")) }
        func order(_ seed: Int) -> [WidgetID] {
            ids.sorted { $0._rawHashValue(seed: seed) & 0xffff < $1._rawHashValue(seed: seed) & 0xffff }
        }
        #expect(order(0x5000) == order(0x5000) && order(0x5000) != order(0x5040))
        let same = try #require(WidgetID(ids[7].text))
        #expect(same._rawHashValue(seed: 3) == ids[7]._rawHashValue(seed: 3) && Set(ids).contains(same))
    }

    @Test func isAsLongAsAFileNameMayBe() {
        let longest = "a." + String(repeating: "b", count: 198)
        #expect(WidgetID(longest)?.text == longest)
        #expect(WidgetID(longest + "b") == nil)
    }

    @Test(arguments: ["a", "z", "A", "Z", "0", "9", "_", "b-"]) func takesTheseCharacters(_ character: String) {
        #expect(WidgetID("a.\(character)")?.text == "a.\(character)")
    }

    @Test(arguments: ["`", "{", "@", "[", "/", ":", "^", ",", "b.", "-"]) func refusesTheirNeighbours(
        _ character: String
    ) {
        #expect(WidgetID("a.\(character)") == nil)
    }

    @Test func isItsText() throws {
        let (one, same) = (try #require(WidgetID("a.b")), try #require(WidgetID("a.b")))
        let other = try #require(WidgetID("a.c"))
        #expect(one == same && one.hashValue == same.hashValue && Set([one, same, other]).count == 2)
        #expect(one != other && one < other && !(other < one) && !(one < same))
        #expect("\(one)" == "a.b")
    }
}
