// SPDX-License-Identifier: MIT
import Testing

@testable import Import

@Suite struct ImportSourceTests {
    @Test func names() {
        let names = ImportSource.all.map(\.name)
        #expect(names == ["waybar", "i3blocks", "polybar", "i3status-rust", "i3", "sway", "xbar", "swiftbar", "argos"])
    }

    @Test func placesComeFromTheEnvironment() {
        let variables = [
            "HOME": "/home/ada", "XDG_CONFIG_HOME": "/cfg/", "XDG_CONFIG_DIRS": "relative:/etc/a:/etc/b",
            "XDG_DATA_HOME": "/data",
        ]
        func places(_ source: ImportSource) -> [String] { source.places { variables[$0] } }
        #expect(
            places(.waybar) == [
                "/cfg/waybar/config", "/cfg/waybar/config.jsonc", "/home/ada/.config/waybar/config",
                "/home/ada/.config/waybar/config.jsonc", "/home/ada/waybar/config", "/home/ada/waybar/config.jsonc",
                "/etc/xdg/waybar/config", "/etc/xdg/waybar/config.jsonc",
            ])
        #expect(
            places(.i3blocks) == [
                "/cfg/i3blocks/config", "/home/ada/.config/i3blocks/config", "/home/ada/.i3blocks.conf",
                "/etc/a/i3blocks/config", "/etc/b/i3blocks/config", "/etc/i3blocks.conf",
            ])
        #expect(
            places(.polybar).suffix(3) == [
                "/etc/a/polybar/config.ini", "/etc/b/polybar/config.ini", "/etc/polybar/config.ini",
            ])
        #expect(places(.i3statusRust).contains("/data/i3status-rust/config.toml"))
        #expect(
            places(.i3) == [
                "/cfg/i3/config", "/home/ada/.config/i3/config", "/home/ada/.i3/config", "/etc/a/i3/config",
                "/etc/b/i3/config", "/etc/i3/config",
            ])
        #expect(
            places(.sway) == [
                "/home/ada/.sway/config", "/cfg/sway/config", "/home/ada/.config/sway/config", "/etc/sway/config",
            ])
        #expect(places(.argos) == ["/cfg/argos", "/home/ada/.config/argos"])
    }

    @Test(arguments: ImportSource.all)
    func withoutAHomeThereAreNoRelativePlaces(source: ImportSource) {
        let places = source.places { $0 == "XDG_CONFIG_HOME" ? "config" : nil }
        #expect(places.allSatisfy { $0.hasPrefix("/etc/") || $0.hasPrefix("/usr/") })
    }

    @Test func theFirstPlaceCounts() {
        var machine = Machine(["/home/ada/.config/waybar/config.jsonc": "{}", "/etc/xdg/waybar/config": "{}"])
        machine.directories["/home/ada/.config/argos"] = []
        machine.directories["/home/ada/.config/polybar/config"] = []
        machine.files["/etc/polybar/config.ini"] = []
        #expect(ImportSource.waybar.find(machine.importFiles) == "/home/ada/.config/waybar/config.jsonc")
        #expect(ImportSource.argos.find(machine.importFiles) == "/home/ada/.config/argos")
        #expect(ImportSource.polybar.find(machine.importFiles) == "/etc/polybar/config.ini")
        #expect(ImportSource.xbar.find(machine.importFiles) == nil)
    }

    @Test func aDirectoryHasItsConfiguration() {
        let machine = Machine(["/d/config.jsonc": "{}", "/d/config.ini": "", "/d/config.toml": ""])
        let files = machine.importFiles
        #expect(ImportSource.waybar.configuration(in: "/d", files) == "/d/config.jsonc")
        #expect(ImportSource.polybar.configuration(in: "/d", files) == "/d/config.ini")
        #expect(ImportSource.i3statusRust.configuration(in: "/d", files) == "/d/config.toml")
        #expect(ImportSource.i3blocks.configuration(in: "/d", files) == nil)
        #expect(ImportSource.argos.configuration(in: "/d", files) == "/d")
    }

    @Test(arguments: [
        ("~", "/home/ada"), ("~/x", "/home/ada/x"), ("x", "/d/x"), ("../x", "/x"), ("/a/./b/../c", "/a/c"),
        ("$HOME/x", "/home/ada/x"), ("${HOME}x", "/home/adax"), ("a$", nil), ("$NO/x", nil), ("${HOME", nil),
        ("../../..", "/"),
    ])
    func pathsAreExpanded(path: String, expanded: String?) {
        #expect(Machine().importFiles.expanded(path, in: "/d") == expanded)
    }
}
