// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import Import

@Suite struct BundledWidgetTests {
    struct Module: Sendable, CustomTestStringConvertible {
        let name: String
        let values: String
        let words: String
        var testDescription: String { name }
        init(_ name: String, _ values: String, _ words: String) {
            (self.name, self.values, self.words) = (name, values, words)
        }
    }

    static let modules: [Module] = [
        Module("internal/cpu", "{}", "org.todayd.load shows the same"),
        Module("disk#home", #"{"path": "/home"}"#, "org.todayd.disk shows the same"),
        Module("battery", "{}", "org.todayd.battery shows the same"),
        Module("packages", "{}", "org.todayd.updates shows the same"),
        Module("tray", "{}", "there is no program to import"),
        Module("", "{}", "there is no program to import"),
        Module("pulseaudio", "{}", "'todayctl add volume' shows the same"),
        Module("internal/alsa", "{}", "'todayctl add volume' shows the same"),
        // The bar's own clock stays in the bar.
        Module("clock", "{}", "there is no program to import"),
        Module("clock", #"{"timezone": ""}"#, "there is no program to import"),
        Module("clock", #"{"timezone": "Asia/Tokyo"}"#, #"'todayctl add clock "zones=Asia/Tokyo"' shows the same"#),
        Module("clock#tokyo", #"{"timezone": "Asia/Tokyo"}"#, #"'todayctl add clock@tokyo "zones=Asia/Tokyo"' shows"#),
        Module(
            "clock#a;b", #"{"timezones": ["Asia/Tokyo", "Etc/GMT+3"]}"#,
            #"'todayctl add clock "zones=Asia/Tokyo Etc/GMT+3"' shows"#),
        Module("clock", #"{"timezone": "$(reboot)"}"#, "there is no program to import"),
        Module("clock", #"{"timezone": "a'b"}"#, "there is no program to import"),
        Module("clock", #"{"timezone": ["Asia/Tokyo", true]}"#, "there is no program to import"),
        Module("weather", "{}", "'todayctl add weather' shows the same"),
        Module("weather", #"{"place": "Bern"}"#, #"'todayctl add weather "city=Bern"' shows the same"#),
        Module(
            "weather", #"{"coordinates": ["46.95", "7.45"]}"#,
            #"'todayctl add weather "city=46.95,7.45"' shows the same"#),
        Module("weather", #"{"coordinates": [46.95, 7.45]}"#, #""city=46.95,7.45""#),
        Module("maildir", #"{"inboxes": ["~/Mail"]}"#, #"'todayctl add mail "mail_source=~/Mail"' shows the same"#),
    ]

    @Test(arguments: modules) func aBuiltInModuleHasItsWidget(_ module: Module) throws {
        let values = try JSON.parse(Array(module.values.utf8))
        let remark = BundledWidget.remark(about: module.name, of: "Waybar") { values[$0] }
        #expect(remark.hasPrefix("\(module.name) is built into Waybar: ") && remark.contains(module.words), "\(remark)")
    }

    @Test func aLongNameIsNoModule() {
        let name = String(repeating: "cpu", count: 30)
        #expect(BundledWidget.remark(about: name, of: "Polybar").hasSuffix("there is no program to import"))
    }
}
