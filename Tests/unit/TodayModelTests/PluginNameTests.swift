// SPDX-License-Identifier: MIT
import Testing

@testable import TodayModel

struct PluginNameTests {
    @Test(
        arguments: [
            ("cpu.5m.sh", "plugin.cpu", "5min"), ("010-cpu.10s.py", "plugin.cpu", "10s"), ("cpu.sh", "plugin.cpu", nil),
            ("cpu", "plugin.cpu", nil), ("git.status.1h.rb", "plugin.git.status", "1h"),
            ("cpu.500ms.sh", "plugin.cpu", "1s"), ("a.365d.sh", "plugin.a", "52w 1d"),
            ("a.5x.sh", "plugin.a.5x", nil), ("hello world+.1d.sh", "plugin.hello-world-", "1d"),
            ("7.5m.sh", "plugin.7", "5min"), ("grün.5m.sh", "plugin.gr-n", "5min"),
            ("🍄.5m.sh", "plugin.u1f344", "5min"),
            // SwiftBar: the interval may be anywhere, and the shortest counts.
            ("a.5m.b.1h.sh", "plugin.a.b", "5min"), ("5m.sh", "plugin.5m", nil),
        ] as [(String, String, String?)])
    func aFileNameIsReadAsItsHostDoes(file: String, id: String, interval: String?) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == id)
        #expect(name.interval?.text == interval)
        #expect(name.complaint == nil && !name.isForArgos && !name.runsOnAppear)
    }

    /// Argos: without an interval, it runs when its menu opens.
    @Test(arguments: [("cpu.+.sh", "plugin.cpu"), ("cpu.1r.+.sh", "plugin.cpu"), ("010-c.pu.+.sh", "plugin.c.pu")])
    func aPlusAloneIsArgos(file: String, id: String) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == id && name.isForArgos && name.runsOnAppear)
        #expect(name.interval == nil && !name.hasInterval && name.complaint == nil)
    }

    @Test(
        arguments: [
            ("cpu.5m.sh", "plugin.cpu", "cpu"), ("  cpu load .5m.sh", "plugin.cpu-load-", "cpu load"),
            ("\u{1b}[31mcpu\u{1b}[0m.5m.sh", "plugin.cpu", "cpu"), ("\u{9b}1mcpu.5m.sh", "plugin.cpu", "cpu"),
            ("\u{1b}]0;a\u{7}b.5m.sh", "plugin.b", "b"), ("a\nb.5m.sh", "plugin.a-b", "a b"),
            ("\u{202e}abc.5m.sh", "plugin.abc", "abc"), ("a.\u{1b}[31m.b.5m.sh", "plugin.a.b", "a..b"),
            ("\u{a0}.5m.sh", "plugin.ua0", "ua0"), ("\u{3000}\u{3000}.5m.sh", "plugin.u3000-3000", "u3000-3000"),
            ("🍄 .5m.sh", "plugin.u1f344", "🍄"), ("🍄.ü.5m.sh", "plugin.u1f344", "🍄.ü"),
        ] as [(String, String, String)])
    func aNameIsOfWhatPeopleCanRead(file: String, id: String, displayName: String) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == id && name.displayName == displayName && name.interval == .minutes(5))
    }

    @Test func aLongNameIsCut() throws {
        let letters = String(repeating: "a", count: 192)
        let name = try #require(PluginName(fileName: letters + ".bcd.5m.sh"))
        #expect(name.id.text == "plugin." + letters && name.displayName == letters + ".bcd")
        #expect(name.spelledOut(fileName: letters + ".bcd.5m.sh") == nil)
    }

    @Test(
        arguments: [
            "010-.5m.sh", "---.5m.sh", "\u{1b}[31m.5m.sh", "\u{1b}]0;cpu.5m.sh", "\u{202e}.5m.sh", " .5m.sh",
            "()!.5m.sh",
        ])
    func aNameOfNothingIsNoName(file: String) {
        #expect(PluginName(fileName: file) == nil && PluginName.hasInterval(file) && !PluginName.isIgnored(file))
    }

    @Test(arguments: ["a.0s.sh", "a.00m.sh"])
    func anIntervalOfZeroIsAComplaint(file: String) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == "plugin.a" && name.interval == nil && name.hasInterval)
        #expect(name.complaint?.contains("in its name is not possible; it runs as if it had none") == true)
    }

    @Test(arguments: ["a.9999d.sh", "a.99999999d.sh", "a.99999999999999999999999d.sh"])
    func aLongIntervalMeansNever(file: String) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == "plugin.a" && name.complaint == nil)
        #expect(try #require(name.interval) >= .days(9_999) && name.interval ?? .zero <= .days(36_500))
    }

    @Test(
        arguments: [
            ("a.1r.5m.sh", "plugin.a", false), ("a.l.5m+.sh", "plugin.a", true), ("a.5m+.sh", "plugin.a", true),
            ("a.5m.+.sh", "plugin.a", true),
        ])
    func argosHasAPlaceAndAPlus(file: String, id: String, runsOnAppear: Bool) throws {
        let name = try #require(PluginName(fileName: file))
        #expect(name.id.text == id && name.interval == .minutes(5) && name.isForArgos)
        #expect(name.runsOnAppear == runsOnAppear)
    }

    @Test(arguments: [".hidden.5m.sh", "cpu.5m.sh.off", "cpu.5m.sh.vars.json", "cpu.5m.sh~", "....", "---.sh"])
    func someFilesAreNoPlugins(file: String) {
        #expect(PluginName(fileName: file) == nil)
    }
}
