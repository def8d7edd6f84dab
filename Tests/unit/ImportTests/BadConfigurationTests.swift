// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import Import

/// What people and attackers write, and what it costs.
@Suite struct BadConfigurationTests {
    static let configurations: [ImportSource] = [.waybar, .i3blocks, .polybar, .i3statusRust, .i3, .sway]

    @Test(arguments: ImportSource.all)
    func whatIsNotThere(source: ImportSource) {
        let plan = Machine().plan(source, "/home/ada/nothing")
        #expect(plan.manifests.isEmpty)
        #expect(plan.plugins.isEmpty)
        #expect(plan.texts.count == 1)
        #expect(plan.texts.first?.hasPrefix("~/nothing: ") == true)
        #expect(plan.hasErrors)
    }

    @Test(arguments: configurations)
    func whatCannotBeRead(source: ImportSource) {
        for reading in [
            ImportFiles.Reading.directory, .tooLarge, .unreadable("Permission denied"),
            .bytes(Array(repeating: 0x20, count: (1 << 20) + 1)),
        ] {
            let files = ImportFiles(read: { _ in reading }, list: { _ in .missing }, variable: { _ in nil })
            let plan = ImportPlan.plan(for: source, path: "/x", files: files)
            #expect(plan.remarks.count == 1)
            #expect(plan.hasErrors)
        }
    }

    /// As many files as may include each other, and one more.
    @Test(arguments: [ImportSource.waybar, .polybar])
    func aChainOfFilesHasAnEnd(source: ImportSource) {
        func plan(files count: Int) -> ImportPlan {
            let names = (0..<count).map { $0 == 0 ? "/home/ada/config" : "/home/ada/\($0)" }
            let texts = names.dropFirst().map {
                source == .waybar ? "{\"include\": \"\($0)\"}" : "include-file = \($0)\n"
            }
            let last = source == .waybar ? "{}" : "\n"
            return Machine(Dictionary(uniqueKeysWithValues: zip(names, texts + [last]))).plan(source)
        }
        let reason = "more than \(ImportLimits.depth) files include each other"
        #expect(!plan(files: ImportLimits.depth).texts.contains { $0.contains(reason) })
        #expect(plan(files: ImportLimits.depth + 1).texts.contains { $0.contains(reason) })
    }

    private static let units = [
        "x", "[", "{", "\"", "\\", "a=", "\u{301}", "[[", "{\"a\":", "/*", "${", "\u{0}", "=\"\"\"", "a=[", "😀", "\n",
        "[a]\n",
        "a=1\n", "[[block]]\n", "[[block]]\nblock='custom'\ncommand='x'\n", "[a]\ncommand=x\n", "a = [1,\n",
        "a = '''\n",
        "x = {\n", "[module/a]\ninherit=module/a\n", "include-file = /home/ada/config\n", "\"a\": 1,\n",
    ]

    /// One line or many lines, 32 KiB of each.
    @Test(arguments: configurations)
    func muchOfOneThing(source: ImportSource) {
        for unit in Self.units { expectBounded(Machine.plan(source, Self.text(unit, bytes: 32 << 10))) }
    }

    private static func text(_ unit: String, bytes: Int) -> [UInt8] {
        Array(String(repeating: unit, count: bytes / unit.utf8.count).utf8)
    }

    /// A megabyte takes sixteen times as long as 64 KiB, within what a busy machine makes of it.
    @Test(arguments: [
        (ImportSource.waybar, "{\"a\":"), (.i3blocks, "x"), (.polybar, "a=1\n"), (.i3statusRust, "x=1\n"),
        (.sway, "set $a $a$b\n"), (.i3, "bar {\n"),
    ])
    func aMegabyteIsLinear(source: ImportSource, unit: String) {
        func time(_ bytes: Int) -> Duration {
            let text = Self.text(unit, bytes: bytes)
            return ContinuousClock().measure { expectBounded(Machine.plan(source, text)) }
        }
        let small = min(time(64 << 10), time(64 << 10), time(64 << 10))
        let large = time(1 << 20)
        #expect(large < small * 64 + .milliseconds(200))
    }

    private final class Counter {
        var value = 0
    }

    /// What a configuration names costs a bounded number of calls of the system.
    @Test(arguments: [
        "include-directory = /d/N\n", "include-file = /d/N\n", "xN = ${file:/d/N}\n", "xN = ${file:/d/1}\n",
    ])
    func manyFilesOfPolybar(line: String) {
        let text = "[module/a]\n" + (0..<20_000).map { line.replacing("N", with: "\($0)") }.joined()
        let asked = Counter()
        let files = ImportFiles(
            read: { path in
                asked.value += 1
                return path == "/c" ? .bytes(Array(text.utf8)) : .bytes(Array("y\n".utf8))
            },
            list: { _ in
                asked.value += 1
                return .entries([.init(name: "a"), .init(name: "b")])
            }, variable: { _ in nil })
        let plan = ImportPlan.plan(for: .polybar, path: "/c", files: files)
        #expect(asked.value <= ImportLimits.files, "\(asked.value)")
        expectBounded(plan)
    }

    /// What is in a file, or what an X server has, may be another value at another time.
    @Test func valuesFromElsewhereAreNotAsked() throws {
        func plan(_ value: String) -> ImportPlan {
            Machine(["/home/ada/config": "[module/a]\ntype=custom/script\nexec=\(value)\ninterval=5\n", "/e": "date\n"])
                .plan(.polybar)
        }
        for (kind, source) in [("file:/e", "the file /e"), ("xrdb:e", "e of the X server")] {
            let fallback = plan("${\(kind):uptime}")
            #expect(try fallback.manifest("import.polybar.a").text.contains("uptime"))
            #expect(fallback.texts.contains { $0.contains("\(source) is not asked; it is uptime") })
            let bad = plan("${\(kind)}")
            #expect(
                bad.manifests.isEmpty
                    && bad.texts.contains { $0.contains("a value from elsewhere, which is not asked") })
        }
    }

    private func expectBounded(_ plan: ImportPlan) {
        #expect(plan.manifests.count <= ImportLimits.manifests)
        #expect(plan.remarks.count <= ImportLimits.remarks + 2)
    }

    @Test func aThousandModulesAreCutWithARemark() {
        let text = (1...1_000).map { "[b\($0)]\ncommand=true\ninterval=5\n" }.joined()
        let plan = Machine.plan(.i3blocks, text)
        #expect(plan.manifests.count == 500)
        #expect(plan.texts == ["~/config: 500 more programs; one import has 500 at most"])
    }

    @Test(arguments: [
        ("a NUL byte", "{\"custom/x\": {\"exec\": \"a\\u0000b\", \"interval\": 1}}"),
        ("the text direction override U+202E", "{\"custom/x\": {\"exec\": \"a\\u202eb\", \"interval\": 1}}"),
        ("its command is empty", "{\"custom/x\": {\"exec\": \" \", \"interval\": 1}}"),
        ("exec is a number", "{\"custom/x\": {\"exec\": 3, \"interval\": 1}}"),
        (
            "its condition contains a NUL byte",
            "{\"custom/x\": {\"exec\": \"a\", \"exec-if\": \"\\u0000\\u0041\", \"interval\": 1}}"
        ),
        ("is an array, not a module", "{\"custom/x\": []}"), ("a string is not a bar", "[\"x\"]"),
        ("is not JSON", "{\"custom/x\""),
    ])
    func whatNoManifestCanSay(reason: String, text: String) {
        let plan = Machine.plan(.waybar, text)
        #expect(plan.manifests.isEmpty)
        #expect(plan.texts.count == 1)
        #expect(plan.texts.first?.contains(reason) == true, "\(plan.texts)")
        #expect(plan.hasErrors)
    }

    @Test func aLongCommandIsRefusedAlone() {
        let long = String(repeating: "x", count: 70_000)
        let plan = Machine.plan(.i3blocks, "[a]\ncommand=\(long)\n[b]\ncommand=true\n")
        #expect(plan.ids == ["import.i3blocks.b"])
        // Each quote takes two bytes in the manifest.
        let quotes = String(repeating: "'", count: 40_000)
        let second = Machine.plan(.i3blocks, "[a]\ncommand=\(quotes)\n[b]\ncommand=true\n")
        #expect(second.ids == ["import.i3blocks.b"])
    }

    @Test func includesThatGoInCircles() {
        var machine = Machine([
            "/home/ada/config":
                "{\"include\": [\"/home/ada/a\", \"missing\"], \"custom/x\": {\"exec\": \"x\", \"interval\": 5}}",
            "/home/ada/a": "{\"include\": \"./b\"}",
            "/home/ada/b": "{\"include\": \"../ada/config\", \"custom/y\": {\"exec\": \"y\"}}",
        ])
        let waybar = machine.plan(.waybar)
        #expect(waybar.ids == ["import.waybar.x", "import.waybar.y"])
        #expect(
            waybar.texts == [
                "~/b:1: include: ~/config includes itself", "~/config:1: ~/missing, which it includes, does not exist",
            ])

        machine.files["/home/ada/config"] = Array("[module/x]\ntype=custom/script\nexec=x\ninclude-file=a\n".utf8)
        machine.files["/home/ada/a"] = Array("interval=7\ninclude-file=/home/ada/config\ninclude-directory=none\n".utf8)
        let polybar = machine.plan(.polybar)
        #expect(polybar.manifests.first?.value("Interval") == "7s")
        #expect(polybar.texts.map { $0.prefix(8) } == ["~/a:2: i", "~/a:3: i"])
    }

    @Test func includesThatMultiply() {
        var machine = Machine(["/home/ada/config": "{\"include\": [\"n1\", \"n1\"]}"])
        for index in 1...30 {
            machine.files["/home/ada/n\(index)"] = Array("{\"include\": [\"n\(index + 1)\", \"n\(index + 1)\"]}".utf8)
        }
        #expect(machine.plan(.waybar).hasErrors)
        for index in 1...30 {
            machine.files["/home/ada/n\(index)"] = Array(
                "include-file=n\(index + 1)\ninclude-file=n\(index + 1)\n".utf8)
        }
        machine.files["/home/ada/config"] = Array("include-file=n1\n".utf8)
        #expect(machine.plan(.polybar).hasErrors)
    }

    /// Fixtures with bytes that are changed, left out, repeated and exchanged.
    @Test(arguments: configurations)
    func seededNoise(source: ImportSource) throws {
        let path = try #require(source.find(Fixture.files))
        guard case .bytes(let original) = Fixture.files.read(path) else { return }
        var random = SeededNumbers(seed: 7)
        let special: [UInt8] = Array("\"'\\[]{}=,:#;/\n\t %$.\0".utf8) + [0xff, 0xcc, 0x81]
        for _ in 0..<60 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = special.randomElement(using: &random) ?? 0
                case 1: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                default: bytes += bytes[place..<min(bytes.count, place + 200)]
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let plan = Machine.plan(source, bytes)
            #expect(plan == Machine.plan(source, bytes))
            for manifest in plan.manifests { try expectWellFormed(manifest) }
            for remark in plan.remarks {
                #expect(PlainText.complaint(about: remark.description, allowingLines: false) == nil)
            }
            #expect(Set(plan.ids).count == plan.ids.count)
        }
    }

    @Test(arguments: configurations)
    func randomBytes(source: ImportSource) throws {
        var random = SeededNumbers(seed: 99)
        let words = [
            "[", "]", "[[block]]", "\n", "=", "\"", "'", "\\", "block", "custom", "command", "{", "}", ",", ":",
            "custom/x", "exec",
            "[module/x]", "type=custom/script\n", "exec=", "${", "self.exec}", "interval", "1e999", "-1", "0",
            "persist", "%", "#",
            "\u{1b}[0m", "\u{202e}", "e\u{301}", "\"\"\"", "'''", "env-", "inherit=module/x\n", "\u{0}", "//", "/*",
            "modules-left",
        ]
        for _ in 0..<400 {
            let text = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }
            let plan = Machine.plan(source, text.joined())
            for manifest in plan.manifests { try expectWellFormed(manifest) }
        }
    }
}
