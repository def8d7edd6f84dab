// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayDaemon

struct DefaultsWritersTests {
    @Test(arguments: ["group.org.test"]) func onlyWhoIsAloneIsTheWriter(name: String) throws {
        let group = try #require(AppGroup(name))
        let (a, b) = (WidgetID("org.test.a"), WidgetID("org.test.b"))
        var writers = DefaultsWriters()
        #expect(writers.onlyWriter(of: group) == nil)
        writers.begin(group, a)
        writers.begin(group, a)
        #expect(writers.onlyWriter(of: group) == a)
        writers.begin(group, b)
        #expect(writers.onlyWriter(of: group) == nil)
        writers.end(group, b)
        #expect(writers.onlyWriter(of: group) == a)
        writers.begin(group, nil)
        #expect(writers.onlyWriter(of: group) == nil)
        for writer in [nil, a, a] { writers.end(group, writer) }
        #expect(writers.onlyWriter(of: group) == nil)
        writers.end(group, a)
    }
}
