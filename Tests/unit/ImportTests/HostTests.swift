// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import Import

/// Rules of single hosts that the fixtures do not show from all sides.
@Suite struct HostTests {
    /// Polled, by signal, or a program that stays: waybar-custom(5).
    @Test(arguments: [
        ("", "once", true), ("\"interval\": 5", "5s", false), ("\"interval\": \"once\"", "once", false),
        ("\"interval\": 0.001", "1s", false), ("\"interval\": 1e300", "14w 2d", false),
        ("\"interval\": 0", "once", true),
        ("\"interval\": \"7\"", "7s", false), ("\"interval\": null", "once", true), ("\"signal\": 3", "once", false),
        ("\"signal\": 3, \"restart-interval\": 1", "once", true), ("\"interval\": 3.5", "3s 500ms", false),
        ("\"interval\": [1]", "once", true),
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

    @Test(arguments: [
        ("status_command x", []), ("bar {\nstatus_command x\n}", ["x"]), ("bar{\nstatus_command x\n}", []),
        ("bar a {\n status_command\tx  y \n}", ["x  y"]), ("bar {\na {\n}\nstatus_command x", ["x"]),
        ("mode a {\nbar {\nstatus_command x\n}\n}", []), ("bar {\n}\nstatus_command x", []),
        ("bar {\n#status_command x\n}", []), ("bar {\nstatus_command x # y\n}", ["x # y"]),
        ("set $a b\nset $ab c\nbar {\nstatus_command $a $ab $abc $aB $$HOME\n}", ["b c cc bB $$HOME"]),
        ("set $a \"b c\"\nset $a. d\nset e f\nbar {\nstatus_command 'x $a' $a. e\n}", ["'x b c' b c. e"]),
        ("set $ y\nbar {\nstatus_command $x\n}", ["$x"]),
        ("bar {\nset $a b\nstatus_command \"x\" \"$a\"\n}", ["\"x\" \"$a\""]),
        ("bar {\nstatus_command x\n}\nbar {\nstatus_command x\nstatus_command y\n}", ["x", "y"]),
        ("bar {\nstatus_command i3blocks\nstatus_command todayctl bar i3bar\n}", []),
    ])
    func statusCommandsOfSway(text: String, commands: [String]) throws {
        let found = try Machine.plan(.sway, text).manifests.map { try #require($0.command().last) }
        #expect(found == commands)
    }

    /// Users replace the command by todayd's own, which shows the widget that was made of it.
    @Test(arguments: [("x", 0), ("y", 1), ("todayctl bar i3bar", 0)])
    func theWidgetOfAReplacedCommandIsKept(command: String, gone: Int) {
        func plan(_ command: String) -> ImportPlan { Machine.plan(.i3, "bar {\nstatus_command \(command)\n}") }
        let files = plan("x").manifests.map { ($0.id, Array($0.text.utf8)) }
        #expect(files.count == 1)
        #expect(EarlierManifests(Dictionary(files) { $1 }).gone(from: plan(command)).count == gone)
    }

    @Test func variablesOfSwayAreBounded() throws {
        let doubled = "set $a xy\n" + String(repeating: "set $a $a$a\n", count: 40)
        let plan = Machine.plan(.sway, doubled + "bar {\nstatus_command $a\n}")
        #expect(plan.texts.first == "~/config:16: $a: its value is too long, or there are too many variables")
        let many = (0...500).map { "set $a\($0) x\n" }.joined()
        #expect(Machine.plan(.sway, many).texts.count == 1)
    }

    @Test func theShellOfTheUserRunsCommandsOfI3StatusRust() throws {
        var machine = Machine(["/home/ada/config": "[[block]]\nblock = 'custom'\ncommand = 'x y'\n"])
        #expect(try machine.plan(.i3statusRust).manifests.first?.command() == ["/bin/sh", "-c", "x y"])
        machine.variables["SHELL"] = "/usr/bin/fish"
        #expect(try machine.plan(.i3statusRust).manifests.first?.command() == ["/usr/bin/fish", "-c", "x y"])
    }

    /// An import can be run again, also after lines were written above a module.
    @Test func commentsAreNoDifference() throws {
        let manifest = try Machine.plan(.i3blocks, "[x]\ncommand=x\n").manifest("import.i3blocks.x")
        let moved = try Machine.plan(.i3blocks, "# here\n\n[x]\ncommand=x\n").manifest("import.i3blocks.x")
        #expect(manifest.fileName == "import.i3blocks.x.widget")
        #expect(manifest.text != moved.text)
        #expect(manifest.isEqual(to: Array(manifest.text.utf8)))
        #expect(moved.isEqual(to: Array(manifest.text.utf8)))
        #expect(!manifest.isEqual(to: Array(manifest.text.utf8) + Array("Timeout=1s\n".utf8)))
        #expect(!manifest.isEqual(to: []))
    }

    /// Lines of a module of Polybar, what its manifest has of them, and the key of the only loss.
    static let labels: [(lines: String, values: [String], loss: String?)] = [
        ("label = VPN %output%", ["Label=VPN"], nil),
        ("label = 5%%output%", ["Label=5%", "BarFormat={label}{text}"], nil),
        ("label = %{F#F0C674}VPN%{F-} %output%", ["Label=VPN"], nil),
        ("label = %{A1:x:}♪ %output%%{A}", ["Icon=♪"], nil),
        ("format-prefix = %{T2}♪%{T-}", ["Icon=♪", "BarFormat={icon}{text}"], nil),
        ("label = %output%%{F#f00}°C%{F-}", ["BarFormat={text}°C"], nil), ("format = ♪ <label>", ["Icon=♪"], nil),
        ("format = (<label>)\nlabel = a %output%\nformat-suffix = %", ["Label=(a", "BarFormat={label} {text})%"], nil),
        ("label = ♪ %output:0:30:...%", ["Icon=♪"], "label"), ("label = none", [], "label"),
        ("label = %output", [], "label"),
        ("format = <ramp> <label>\nlabel = ♪ %output%", ["Icon=♪"], "format"), ("format = <ramp>", [], "format"),
        ("format = <label> <ramp>", [], "format"), ("format = none", [], "format"),
    ]

    @Test(arguments: labels.indices) func aLabelOfPolybarIsTakenWithoutItsTags(index: Int) throws {
        let (lines, values, loss) = Self.labels[index]
        let plan = Machine.plan(.polybar, "[module/x]\ntype = custom/script\nexec = x\n\(lines)\n")
        let manifest = try plan.manifest("import.polybar.x")
        let found = ["Icon", "Label", "BarFormat"].compactMap { key in manifest.value(key).map { "\(key)=\($0)" } }
        #expect(found == values, "\(lines)")
        #expect(
            plan.texts.map { $0.split(separator: " ").dropFirst(2).first.map(String.init) } == (loss.map { [$0] } ?? [])
        )
    }

    /// What Waybar does with a program is todayd's; how the module looks and what clicks do stays.
    @Test func aModuleOfWaybarIsReplaced() throws {
        let text = """
            {"custom/x": {"exec": "x", "exec-if": "true", "interval": 5, "signal": 3, "return-type": "json",
                "format": "{} %", "on-click": "y", "escape": false}, "custom/y": {"format": "label"}}
            """
        let replacements = Machine.plan(.waybar, text).replacements
        #expect(replacements.map(\.module) == ["custom/x"])
        let value = try #require(replacements.first?.value.objectValue)
        #expect(value.keys == ["exec", "return-type", "restart-interval", "format", "on-click"])
        #expect(value["exec"] == "todayctl bar waybar --no-icon import.waybar.x")
        #expect(Machine.plan(.i3blocks, "[x]\ncommand=x\n").replacements.isEmpty)
    }

    /// Waybar runs a module again after a click, and todayd has to be asked.
    @Test(arguments: [
        ("\"interval\": 5, \"on-click\": \"y\"", "on-click", "y; UPDATE"),
        ("\"interval\": \"once\", \"on-scroll-up\": \"y &\"", "on-scroll-up", "y &\nUPDATE"),
        ("\"signal\": 8, \"on-double-click\": \"y # z\"", "on-double-click", "y # z\nUPDATE"),
        ("\"interval\": 5, \"exec-on-event\": true, \"on-click-right\": \"y\"", "on-click-right", "y; UPDATE"),
        ("\"interval\": 5, \"exec-on-event\": false, \"on-click\": \"y\"", "on-click", "y"),
        ("\"on-click\": \"y\"", "on-click", "y"), ("\"interval\": 5, \"on-update\": \"y\"", "on-update", "y"),
        ("\"interval\": 5, \"on-click\": \"\"", "on-click", ""),
    ])
    func aClickOfWaybarUpdates(module: String, key: String, command: String) throws {
        let plan = Machine.plan(.waybar, "{\"custom/x\": {\"exec\": \"x\", \(module)}}")
        let value = try #require(plan.replacements.first?.value[key]?.stringValue)
        #expect(value.replacing("todayctl update --quiet import.waybar.x", by: "UPDATE") == command)
        #expect(try plan.manifest("import.waybar.x").text.contains("UPDATE") == false)
    }

    /// A user who names a file says that it is a plugin, and may be wrong.
    @Test(arguments: [
        ("cpu", "#!/bin/sh\n", false, true), ("cpu", "\u{7f}ELF", false, true), ("cpu", "text", false, false),
        ("cpu", "", false, false), ("cpu", "text", true, true), ("cpu.5m.sh", "text", false, true),
        ("README", "text", false, false), ("run.log", "#!/bin/sh\n", false, true),
    ])
    func aNamedFileIsAPluginIfItCanRun(name: String, text: String, isExecutable: Bool, isTaken: Bool) {
        var machine = Machine(["/home/ada/\(name)": text])
        machine.directories["/home/ada"] = [.init(name: name, isDirectory: false, isExecutable: isExecutable)]
        let plan = machine.plan(.plugins, "/home/ada/\(name)")
        #expect(plan.plugins.map(\.fileName) == (isTaken ? [name] : []))
        let refusal = "~/\(name): is not a program: it is not executable, and its first line has no #!"
        #expect(plan.texts == (isTaken ? [] : [refusal]))
        #expect(plan.remarks.allSatisfy { $0.kind == .error })
    }

    /// The replaced configuration can be imported again: no widget shows itself, and no other one changes its identifier.
    @Test func whatShowsTodayIsNotImported() throws {
        func text(_ module: String) -> String {
            "[{\"custom/x\": \(module)}, {\"custom/x\": {\"exec\": \"y\", \"interval\": 5}}]"
        }
        let first = Machine.plan(.waybar, text("{\"exec\": \"x\", \"interval\": 5}"))
        #expect(first.ids == ["import.waybar.x", "import.waybar.x-2"])
        let replacement = try #require(first.replacements.first).value
        let second = Machine.plan(.waybar, text(replacement.text))
        #expect(second.ids == ["import.waybar.x-2"] && second.replacements.count == 1)
        #expect(second.texts == ["~/config:1: custom/x shows what todayd has; it is not imported"])
    }

    /// ExecStart= would mean something else by it.
    @Test(arguments: ["ba=sh", "a|b", "$SHELL", "x;", "`x`", "x&", "a b", "a/b", "~/sh", ""])
    func aShellThatIsNoNameIsNotTaken(shell: String) throws {
        let plan = Machine.plan(
            .i3statusRust, "[[block]]\nblock = \"custom\"\ncommand = \"x y\"\nshell = \"\(shell)\"\n")
        #expect(try plan.manifests.first?.command() == ["/bin/sh", "-c", "x y"])
        #expect(plan.texts.contains { $0.hasSuffix("shell is neither a path nor a name; it is /bin/sh") })
    }

    @Test func aPluginMayBeNamedAlone() {
        var machine = Machine()
        machine.directories["/d"] = [
            .init(name: "a.5s.sh"), .init(name: "a.5s.sh.vars.json", isExecutable: false), .init(name: "b.5s.sh"),
            .init(name: "c", isExecutable: false), .init(name: "d", isDirectory: true),
        ]
        #expect(machine.plan(.xbar, "/d/a.5s.sh").plugins.map(\.path) == ["/d/a.5s.sh", "/d/a.5s.sh.vars.json"])
        for name in ["c", "d", "none", "a.5s.sh.vars.json"] {
            let plan = machine.plan(.xbar, "/d/\(name)")
            #expect(plan.plugins.isEmpty && plan.hasErrors && plan.texts.count == 1, "\(name)")
        }
    }
}
