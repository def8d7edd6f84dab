// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

/// The shell widgets in Sources/Widgets print content that the daemon accepts, on any machine.
struct BundledWidgetsTests {
    static let directory = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Sources/Widgets"
    static let names = ["disk", "host", "load", "units"]
    /// The widgets in Swift, which have their own tests.
    static let programs = [
        "Agenda", "Calendar", "Crypticker", "Feed", "Follow", "Greeting", "HTTPJSON", "Repositories", "UsedSpace",
        "Weather",
    ]

    /// Runs a widget and decodes its output as the daemon does.
    private func content(of name: String, environment: [String: String] = [:]) throws -> Content {
        let result = try run("\(Self.directory)/\(name)/\(name)", [], environment: environment)
        #expect(result.status == 0)
        #expect(result.errors == "")
        return try Content(JSONField(root: JSON.parse(Array(result.output.utf8))))
    }

    /// A `PATH` with these commands in front of the real ones.
    private func path(_ commands: [String: String]) throws -> (TemporaryDirectory, String) {
        let directory = TemporaryDirectory()
        for (name, script) in commands { try directory.script("#!/bin/sh\n\(script)", to: name) }
        return (directory, "\(directory.path):/usr/bin:/bin")
    }

    @Test func everyWidgetIsTested() throws {
        let found = try run("/bin/ls", [Self.directory]).output.split(separator: "\n").map(String.init)
        #expect(found == Self.programs + (Self.names + GalleryTests.names).sorted())
    }

    /// As on iOS: com.tutsplus.Today.Used-Space begins with com.tutsplus.Today.
    @Test func anIdentifierBeginsWithThatOfTheContainingApp() throws {
        let manifests = try run("/usr/bin/find", [Self.directory, "-name", "*.widget"]).output.split(separator: "\n")
        var apps: [String: String] = [:]
        for path in manifests {
            let text = try run("/bin/cat", [String(path)]).output
            let line = text.split(separator: "\n").first { $0.hasPrefix("ContainingApp=") }
            let id = path.split(separator: "/").last.map { String($0.dropLast(".widget".utf8.count)) } ?? ""
            guard let app = line?.dropFirst("ContainingApp=".utf8.count) else { continue }
            apps[id] = String(app)
            #expect(id == app || id.hasPrefix("\(app)."))
        }
        #expect(apps["org.todayd.used-space"] == "org.todayd")
        #expect(apps["org.todayd.crypticker.btc"] == "org.todayd.crypticker")
    }

    /// The help of `enable` shows how, with the disk.
    @Test func theUserMayAllowTheDiskOnTheLockScreen() throws {
        let daemon = try PrivateDaemon(options: ["--widgets", "\(Self.directory)/disk"])
        #expect(try !daemon.todayctl("show", "--point", "lock-screen").output.contains("Disks"))
        #expect(try daemon.todayctl("enable", "--on", "lock-screen", "disk").errors == "")
        #expect(try daemon.todayctl("show", "--point", "lock-screen").output.contains("Disks"))
    }

    /// In a sandbox it would show /usr, and no other file system of the machine.
    @Test func theDiskIsThatOfTheMachineWithSandboxesByDefault() throws {
        let configuration = TemporaryDirectory()
        try configuration.write("[Daemon]\nDefaultSandbox=strict\n", to: "todayd.conf")
        let daemon = try PrivateDaemon(
            options: ["--config", configuration("todayd.conf"), "--widgets", "\(Self.directory)/disk"])
        let place = try content(of: "disk").text.prefix { $0 != " " }
        #expect(try daemon.todayctl("update", "disk").errors == "")
        #expect(try daemon.todayctl("get", "disk", "text").output.hasPrefix("\(place) is "))
    }

    @Test(arguments: names) func contentIsValidOnThisMachine(_ name: String) throws {
        let content = try content(of: name)
        #expect(content.isEmpty || (content.compact != nil && content.expanded != nil))
    }

    @Test(arguments: names) func contentIsValidInAnyLocale(_ name: String) throws {
        // In this locale the decimal sign is a comma, which JSON does not allow.
        _ = try content(of: name, environment: ["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"])
    }

    /// A directory's name, and the text that the widget shows for it, which has no control characters.
    struct MountName: CustomTestStringConvertible {
        let name: String
        let shown: String
        var testDescription: String { shown }

        init(_ name: String, shown: String? = nil) {
            self.name = name
            self.shown = shown ?? name
        }
    }

    static let mountNames = [
        MountName(#"/mnt/two words  and more"#),
        MountName(#"/mnt/"quoted" \ back\\slash\n"#),
        MountName("/mnt/€uro 日本 🎉"),
        MountName("/mnt/\u{1b}[31mred\u{7}", shown: "/mnt/?[31mred?"),
        MountName("/mnt/\u{9b}31m \u{202e}backwards\u{2069}", shown: "/mnt/?31m ?backwards?"),
        MountName("/mnt/%s%n$(id)`id`&"),
        MountName("/" + String(repeating: "é", count: 40), shown: "…" + String(repeating: "é", count: 18)),
    ]

    @Test(arguments: mountNames) func mountPointsMayHaveAnyName(_ mount: MountName) throws {
        let directory = TemporaryDirectory()
        try directory.write("the header\next4 1000000 700000 300000 \(mount.name)\n", to: "mounts")
        try directory.script("#!/bin/sh\ncat '\(directory("mounts"))'\n", to: "df")
        let content = try content(of: "disk", environment: ["PATH": "\(directory.path):/usr/bin:/bin"])
        #expect(content.text == "\(mount.shown) is 70% full, 293K free")
    }

    @Test func mountPointsNeedNotBeUTF8() throws {
        let (directory, path) = try path([
            "df": #"printf 'Type\next4 1000 10 990 /fine\nxfs 1000 900 100 /mnt/\377\376\303 caf\351\n'"#
        ])
        defer { withExtendedLifetime(directory) {} }
        let content = try content(of: "disk", environment: ["PATH": path])
        #expect(content.text.hasPrefix("/mnt/ caf is 90% full"))
        #expect(content.severity == .warning)
    }

    static let usages: [(used: Int, available: Int, Severity)] = [
        (89, 11, .normal), (90, 10, .warning), (95, 5, .warning), (96, 4, .critical), (100, 0, .critical),
    ]

    @Test(arguments: usages) func severityFollowsTheFullestDisk(used: Int, available: Int, severity: Severity) throws {
        let (directory, path) = try path([
            "df": """
            echo 'Type'
            echo 'ext4 100 1 99 /'
            echo 'ext4 100000000000 \(used)000000000 \(available)000000000 /srv'
            echo 'squashfs 100 100 0 /snap/core'
            echo 'tmpfs 100 100 0 /run'
            echo 'fuse.odd - - - /odd'
            """
        ])
        defer { withExtendedLifetime(directory) {} }
        let content = try content(of: "disk", environment: ["PATH": path])
        #expect(content.text.hasPrefix("/srv is \(used)% full"))
        #expect(content.severity == severity)
        #expect(content.percentage == Double(used))
    }

    /// In a chroot df does not know the type of the root directory, and prints "-".
    @Test(arguments: [true, false]) func anUnknownTypeIsNotShown(otherIsKnown: Bool) throws {
        let (directory, path) = try path([
            "df": """
            echo 'Type'
            echo '- 100 1 99 /'
            echo '\(otherIsKnown ? "ext4" : "-") 1000 1 999 /srv'
            """
        ])
        defer { withExtendedLifetime(directory) {} }
        guard case .grid(let grid)? = try content(of: "disk", environment: ["PATH": path]).expanded else {
            Issue.record("no grid")
            return
        }
        #expect(grid.columns == (otherIsKnown ? 5 : 4))
        #expect(grid.children.count == 2 * grid.columns)
        #expect(!grid.children.contains(.text(.init("-"))))
    }

    /// df names a btrfs once for each subvolume that is mounted.
    @Test func subvolumesAreOneFileSystem() throws {
        let (directory, path) = try path([
            "df": """
            echo 'Type'
            echo 'btrfs 100 50 50 /'
            echo 'btrfs 100 50 50 /home'
            echo 'btrfs 100 40 60 /srv'
            echo 'ext4 100 50 50 /boot'
            """
        ])
        defer { withExtendedLifetime(directory) {} }
        let shown = try content(of: "disk", environment: ["PATH": path]).expanded?.texts ?? []
        #expect(shown.filter { $0.hasPrefix("/") } == ["/", "/boot", "/srv"])
    }

    @Test func withoutFileSystemsContentIsEmpty() throws {
        let (directory, path) = try path(["df": "exit 1"])
        defer { withExtendedLifetime(directory) {} }
        #expect(try content(of: "disk", environment: ["PATH": path]).isEmpty)
    }

    @Test func loadHasAChartOfItsHistory() throws {
        let content = try content(of: "load")
        guard case .stack(let stack) = content.expanded, case .chart(let chart) = stack.children.last else {
            Issue.record("the expanded view has no chart")
            return
        }
        #expect(content.metrics.map(\.name) == ["load1"])
        #expect(chart.history == "load1")
    }

    // MARK: Programs that fail

    /// What cannot be asked is a failure with its reason, never nothing to show: it would look as if all were well.
    @Test(arguments: [
        ("containers", ["docker": "echo 'no daemon' >&2; exit 1", "podman": "exit 1"], "no daemon"),
        ("updates", ["apt-get": "echo 'E: no lists' >&2; exit 100"], "E: no lists"),
        ("units", ["systemctl": "echo 'Access denied' >&2; exit 1"], "Access denied"),
        ("ai-usage", ["ccusage": "echo 'no logs' >&2; exit 1"], "no logs"),
    ])
    func aProgramThatFailsIsNoGoodNews(_ name: String, _ programs: [String: String], _ reason: String) throws {
        let (directory, path) = try path(programs)
        let environment = ["PATH": path, "HOME": directory.path, "BOOTED": "/"]
        let result = try run("\(Self.directory)/\(name)/\(name)", [], environment: environment)
        #expect(result.status != 0 && result.errors == "\(reason)\n" && result.output == "")
    }

    // MARK: Units

    @Test func aFailedUnitHasItsJournalAndAButton() throws {
        let systemctl =
            "case \"$*\" in *state=failed*) echo 'back.service loaded failed failed Back everything up' ;; esac"
        let (directory, path) = try path(["systemctl": systemctl])
        let content = try content(of: "units", environment: ["PATH": path, "BOOTED": directory.path])
        #expect(content.text == "1 unit failed: back" && content.actions == ["restart --system back.service"])
        #expect(try self.content(of: "units", environment: ["BOOTED": "/nowhere"]).isEmpty)
    }
}
