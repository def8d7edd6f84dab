// SPDX-License-Identifier: MIT
import Testing

@testable import Import

/// Rules of single hosts that the fixtures do not show from all sides.
@Suite struct HostTests {
    /// Polled, by signal, or a program that stays: waybar-custom(5).
    @Test(arguments: [
        ("", "100d", true), ("\"interval\": 5", "5s", false), ("\"interval\": \"once\"", "100d", false),
        ("\"interval\": 0.001", "1s", false), ("\"interval\": 1e300", "14w 2d", false),
        ("\"interval\": 0", "100d", true),
        ("\"interval\": \"7\"", "7s", false), ("\"interval\": null", "100d", true), ("\"signal\": 3", "100d", false),
        ("\"signal\": 3, \"restart-interval\": 1", "100d", true), ("\"interval\": 3.5", "3s 500ms", false),
        ("\"interval\": [1]", "100d", true),
    ])
    func timesOfWaybar(keys: String, interval: String, isStream: Bool) throws {
        let members = keys.isEmpty ? "" : ", \(keys)"
        let manifest = try Machine.plan(.waybar, "{\"custom/x\": {\"exec\": \"x\"\(members)}}").manifest(
            "import.waybar.x")
        #expect(manifest.value("Interval") == interval)
        #expect((manifest.value("Stream") == "yes") == isStream)
    }

    @Test(arguments: [
        ("{}", nil), ("☀ {}", "☀"), ("{icon} {}", "♪"), ("{icon}", "♪"), ("CPU {}", nil), ("{percentage}% {icon}", "♪"),
        ("<b>☀</b> {text}", "☀"),
    ])
    func iconsOfWaybar(format: String, icon: String?) throws {
        let text =
            "{\"custom/x\": {\"exec\": \"x\", \"interval\": 1, \"format\": \"\(format)\", \"format-icons\": \"♪\"}}"
        #expect(try Machine.plan(.waybar, text).manifest("import.waybar.x").value("Icon") == icon)
    }

    @Test func aBlockWithoutScriptDirectoryGetsTheOneThatIsThere() throws {
        var machine = Machine(["/home/ada/config": "[x]\ncommand=$SCRIPT_DIR/cpu\ninterval=5\n"])
        #expect(machine.plan(.i3blocks).manifests.first?.values("Environment").last == "SCRIPT_DIR=/usr/share/i3blocks")
        machine.directories["/usr/libexec/i3blocks"] = []
        #expect(
            machine.plan(.i3blocks).manifests.first?.values("Environment").last == "SCRIPT_DIR=/usr/libexec/i3blocks")
        machine.variables["SCRIPT_DIR"] = "/opt/blocks"
        #expect(machine.plan(.i3blocks).manifests.first?.values("Environment").last == "SCRIPT_DIR=/opt/blocks")
    }

    /// A program must not run when the condition that guards it is unknown.
    @Test func anUnknownConditionCostsItsModule() {
        let plan = Machine.plan(.polybar, "[module/x]\ntype=custom/script\nexec=rm\nexec-if=${a.b}\n")
        #expect(plan.manifests.isEmpty)
        #expect(plan.texts == ["~/config:4: x: exec-if: ${a.b} refers to nothing", "~/config:1: x is not imported"])
    }

    @Test func theShellOfTheUserRunsCommandsOfI3StatusRust() throws {
        var machine = Machine(["/home/ada/config": "[[block]]\nblock = 'custom'\ncommand = 'x y'\n"])
        #expect(try machine.plan(.i3statusRust).manifests.first?.command() == ["/bin/sh", "-c", "x y"])
        machine.variables["SHELL"] = "/usr/bin/fish"
        #expect(try machine.plan(.i3statusRust).manifests.first?.command() == ["/usr/bin/fish", "-c", "x y"])
    }

    /// An import overwrites nothing, and can be run again.
    @Test func outcomes() throws {
        let manifest = try Machine.plan(.i3blocks, "[x]\ncommand=x\n").manifest("import.i3blocks.x")
        #expect(manifest.fileName == "import.i3blocks.x.widget")
        #expect(manifest.outcome(over: nil) == .new)
        #expect(manifest.outcome(over: Array(manifest.text.utf8)) == .unchanged)
        #expect(manifest.outcome(over: Array(manifest.text.utf8) + [0x0a]) == .differs)
        #expect(manifest.outcome(over: []) == .differs)
    }
}
