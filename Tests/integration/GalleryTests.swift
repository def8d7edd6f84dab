// SPDX-License-Identifier: MIT
import Formats
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

/// The widgets that are scripts, with recorded answers of the programs that they ask.
struct GalleryTests {
    static let names = [
        "ai-usage", "battery", "clock", "containers", "countdown", "mail", "media", "network", "todo", "updates",
        "volume",
    ]

    /// What a script prints, or the first update of a stream.
    private func content(
        of name: String, _ programs: [String: String] = [:], _ environment: [String: String] = [:],
        as contentProtocol: ContentProtocol = .keyvalue, in directory: TemporaryDirectory = TemporaryDirectory()
    ) throws -> Content {
        try #require(try contents(of: name, programs, environment, as: contentProtocol, in: directory).first)
    }

    /// What a script prints, or all updates of a stream, decoded as the daemon does.
    ///
    /// - Parameters:
    ///   - programs: what stands in front of the programs in `PATH`, by name: the text of a shell script.
    private func contents(
        of name: String, _ programs: [String: String] = [:], _ environment: [String: String] = [:],
        as contentProtocol: ContentProtocol = .keyvalue, in directory: TemporaryDirectory = TemporaryDirectory()
    ) throws -> [Content] {
        // A stream ends where it would wait.
        for (program, script) in ["sleep": "exit 1"].merging(programs, uniquingKeysWith: { $1 }) {
            try directory.script("#!/bin/sh\n\(script)", to: "bin/\(program)")
        }
        var environment = environment.merging(["PATH": "\(directory("bin")):/usr/bin:/bin"]) { $1 }
        environment["HOME"] = environment["HOME"] ?? directory.path
        let result = try run("\(BundledWidgetsTests.directory)/\(name)/\(name)", [], environment: environment)
        #expect(result.errors == "")
        return try result.output.split(separator: "\n\n").filter { $0 != "\n" }.map { update in
            let read = try contentProtocol.content(from: ProgramOutput(Array(update.utf8)))
            #expect(read.notes.isEmpty)
            return read.content
        }
    }

    // MARK: Battery

    private static let batteries: [(files: [String: String], text: String, severity: Severity)] = [
        (
            ["energy_now": "41000000", "energy_full": "50000000", "power_now": "9840000", "status": "Discharging"],
            "82 %, 4 h 10 min left", .normal
        ),
        (
            ["charge_now": "1000000", "charge_full": "4000000", "current_now": "2000000", "status": "Charging"],
            "25 %, full in 1 h 30 min", .normal
        ),
        (
            ["charge_now": "600000", "charge_full": "4000000", "current_now": "-1200000", "status": "Discharging"],
            "15 %, 30 min left", .warning
        ),
        (["energy_now": "1", "energy_full": "50", "power_now": "0", "status": "Discharging"], "2 %", .critical),
        (["energy_now": "50", "energy_full": "50", "power_now": "0", "status": "Full"], "100 %, full", .normal),
        (["capacity": "60", "status": "Not charging"], "60 %, plugged in", .normal),
    ]

    @Test(arguments: batteries.indices) func batteryCounts(index: Int) throws {
        let (files, text, severity) = Self.batteries[index]
        let directory = TemporaryDirectory()
        for (file, value) in files { try directory.write("\(value)\n", to: "supplies/BAT0/\(file)") }
        try directory.write("Battery\n", to: "supplies/BAT0/type")
        // A mouse and the mains are none of the machine's batteries.
        for (file, value) in ["type": "Battery", "scope": "Device", "capacity": "5"] {
            try directory.write("\(value)\n", to: "supplies/hid/\(file)")
        }
        try directory.write("Mains\n", to: "supplies/AC/type")
        let content = try content(of: "battery", [:], ["SUPPLIES": directory("supplies")], in: directory)
        #expect([content.text, Self.detail(of: content)].compactMap { $0 }.joined(separator: ", ") == text)
        #expect(content.severity == severity)
    }

    /// The second line of the view.
    private static func detail(of content: Content) -> String? {
        guard case .stack(let stack)? = content.compact, stack.children.count > 1,
            case .text(let text) = stack.children[1]
        else { return nil }
        return text.text
    }

    @Test func twoBatteriesAreOne() throws {
        let directory = TemporaryDirectory()
        for (name, now) in [("BAT0", 10), ("BAT1", 30)] {
            let files = ["type": "Battery", "energy_now": "\(now)", "energy_full": "40", "power_now": "0"]
            for (file, value) in files { try directory.write("\(value)\n", to: "supplies/\(name)/\(file)") }
            try directory.write("Discharging\n", to: "supplies/\(name)/status")
        }
        #expect(try content(of: "battery", [:], ["SUPPLIES": directory("supplies")], in: directory).percentage == 50)
    }

    /// Some batteries change without a report of the kernel.
    @Test func aBatteryIsLookedAtEveryMinute() throws {
        let directory = TemporaryDirectory()
        for (file, value) in ["type": "Battery", "capacity": "60", "status": "Discharging"] {
            try directory.write("\(value)\n", to: "supplies/BAT0/\(file)")
        }
        let sleep = "[ ! -e \"$HOME/slept\" ] && : >\"$HOME/slept\" && echo 59 >\"$SUPPLIES/BAT0/capacity\""
        let environment = ["SUPPLIES": directory("supplies")]
        let shown = try contents(of: "battery", ["sleep": sleep], environment, in: directory)
        #expect(shown.map(\.text) == ["60 %", "59 %"])
    }

    @Test func withoutABatteryItIsEmpty() throws {
        #expect(try content(of: "battery", [:], ["SUPPLIES": "/nowhere"]).isEmpty)
    }

    // MARK: Network

    private static let addresses = """
        1: lo    inet 127.0.0.1/8 scope host lo
        2: wlan0    inet 192.168.1.20/24 brd 192.168.1.255 scope global wlan0
        2: wlan0    inet6 fe80::1/64 scope link
        """

    private func ip(_ route: String) -> String {
        """
        case "$*" in
            *"route get"*) \(route.isEmpty ? "exit 2" : "echo '\(route)'") ;;
            *address*show*) echo '\(Self.addresses)' ;;
        esac
        """
    }

    @Test func networkNamesTheWirelessNetwork() throws {
        let programs = [
            "ip": ip("1.1.1.1 via 192.168.1.1 dev wlan0 src 192.168.1.20 uid 1000"),
            "nmcli": "echo 'no:80:Next door'; echo 'yes:64:Home\\\\: upstairs'",
        ]
        let content = try content(of: "network", programs)
        #expect(
            content.text == "Home: upstairs" && Self.detail(of: content) == "192.168.1.20" && content.percentage == 64
                && content.severity == .normal)
        let wired = try self.content(of: "network", ["ip": ip("1.1.1.1 via 10.0.0.1 dev eth0 src 10.0.0.2 uid 1000")])
        #expect(wired.text == "Ethernet" && Self.detail(of: wired) == "10.0.0.2" && wired.percentage == nil)
        let mobile = try self.content(of: "network", ["ip": ip("1.1.1.1 via 10.0.0.1 dev wwan0 src 10.0.0.2 uid 1000")])
        #expect(mobile.text == "Mobile")
        let iw = "printf 'Connected to 00:11\\n\\tSSID: Café x\\n\\tsignal: -70 dBm\\n'"
        let other = try self.content(
            of: "network", ["ip": ip("1.1.1.1 dev wlp2s0 src 10.0.0.2"), "nmcli": "exit 1", "iw": iw])
        #expect(other.text == "Wi-Fi", "nmcli is there and knows nothing")
    }

    /// iw writes letters other than those of ASCII as their bytes in hexadecimal.
    @Test(.enabled(if: access("/usr/bin/nmcli", F_OK) != 0)) func iwNamesTheWirelessNetwork() throws {
        let iw = #"printf 'Connected to 00:11\n\tSSID: Caf\\xc3\\xa9 x\n\tsignal: -70 dBm\n'"#
        let content = try content(of: "network", ["ip": ip("1.1.1.1 dev wlp2s0 src 10.0.0.2"), "iw": iw])
        #expect(content.text == "Café x" && content.percentage == 60)
    }

    @Test(arguments: [
        ("nordlynx", "DEVTYPE=wireguard", "VPN"), ("home", "DEVTYPE=wlan", "Wi-Fi"), ("usb0", "DEVTYPE=wwan", "Mobile"),
        ("eth0", "INTERFACE=eth0", "Ethernet"), ("wg0", "", "VPN"), ("office", "tun", "VPN"),
    ])
    func anInterfaceIsWhatTheKernelCallsIt(name: String, file: String, kind: String) throws {
        let directory = TemporaryDirectory()
        if file == "tun" { try directory.write("0x1001", to: "net/\(name)/tun_flags") }
        if file.contains("=") { try directory.write("INTERFACE=\(name)\n\(file)\n", to: "net/\(name)/uevent") }
        let programs = ["ip": ip("1.1.1.1 dev \(name) src 10.0.0.2"), "nmcli": "exit 1"]
        let content = try content(of: "network", programs, ["INTERFACES": directory("net")], in: directory)
        #expect(content.text == kind)
    }

    @Test func theNetworkIsLookedAtEveryMinute() throws {
        let programs = [
            "ip": """
            case "$*" in
                *monitor*) exit 1 ;;
                *"route get"*) if [ -e "$HOME/slept" ]; then exit 2; else echo '1.1.1.1 dev eth0 src 10.0.0.2'; fi ;;
            esac
            """, "sleep": "[ ! -e \"$HOME/slept\" ] && : >\"$HOME/slept\"",
        ]
        #expect(try contents(of: "network", programs).map(\.text) == ["Ethernet", "offline"])
    }

    @Test func withoutARouteItIsOffline() throws {
        let content = try content(of: "network", ["ip": ip("")])
        #expect(content.text == "offline" && content.severity == .warning)
    }

    // MARK: Volume and media

    @Test func volumeHasButtons() throws {
        let directory = TemporaryDirectory()
        let wpctl = "echo \"$*\" >>'\(directory("calls"))'; [ \"$1\" != get-volume ] || echo 'Volume: 0.45'"
        let programs = ["wpctl": wpctl, "pactl": "exit 1"]
        let shown = try content(of: "volume", programs, in: directory)
        #expect(shown.text == "45 %" && shown.actions == ["mute", "quieter", "louder"])
        _ = try content(of: "volume", programs, ["TODAY_ACTION": "louder"], in: directory)
        let calls = try directory.read("calls").split(separator: "\n")
        #expect(calls.contains("set-volume -l 1 @DEFAULT_AUDIO_SINK@ 5%+"))
        let muted = try content(of: "volume", ["wpctl": "echo 'Volume: 1.20 [MUTED]'", "pactl": "exit 1"])
        #expect(muted.text == "muted" && muted.percentage == 100)
        #expect(try content(of: "volume", ["wpctl": "exit 1", "pactl": "exit 1"]).isEmpty)
    }

    private func busctl(_ state: String, _ metadata: String) -> String {
        """
        case "$*" in
            *" list --acquired"*) echo 'org.freedesktop.DBus 1 dbus'; echo 'org.mpris.MediaPlayer2.vlc 42 vlc' ;;
            *PlaybackStatus) echo 's "\(state)"' ;;
            *Metadata) printf '%s\\n' '\(metadata)' ;;
        esac
        """
    }

    @Test func mediaNamesWhatIsPlayed() throws {
        let metadata =
            #"a{sv} 4 "mpris:length" x 240000000 "xesam:title" s "A \"great\" song" "xesam:artist" as 1 "Björk" "xesam:album" s "Post""#
        let playing = try content(of: "media", ["busctl": busctl("Playing", metadata)])
        #expect(playing.text == #"Björk – A "great" song"# && playing.short == #"A "great" song"#)
        #expect(playing.actions == ["previous", "play", "next"] && playing.relevance != nil)
        let paused = try content(of: "media", ["busctl": busctl("Paused", #"a{sv} 1 "xesam:title" s "x = y; z""#)])
        #expect(paused.text == "x = y; z" && paused.relevance == nil)
        let bare = try content(of: "media", ["busctl": busctl("Playing", "a{sv} 0")])
        #expect(bare.text == "vlc", "a player that says nothing")
        #expect(try content(of: "media", ["busctl": busctl("Stopped", "a{sv} 0")]).isEmpty)
        #expect(try content(of: "media", ["busctl": "exit 1"]).isEmpty, "there is no session")
    }

    // MARK: Updates and containers

    private static let others = ["dnf", "pacman", "checkupdates", "flatpak", "fwupdmgr", "apt-get"]

    /// None of the managers says anything but these.
    private func managers(_ programs: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Self.others.map { ($0, "exit 0") }).merging(programs) { $1 }
    }

    @Test func updatesAreCountedOnce() throws {
        let apt = """
            echo 'Inst libssl3 [3.0.1] (3.0.2 Debian-Security:12/stable-security [amd64])'
            echo 'Inst vim [9.0] (9.1 Debian:12/stable [amd64])'
            echo 'Inst vim [9.0] (9.1 Debian:12/stable [amd64])'
            echo 'Conf vim'
            """
        let programs = managers(["apt-get": apt, "flatpak": "echo org.gimp.GIMP"])
        let content = try content(of: "updates", programs, ["RESTART": "/nowhere"])
        #expect(content.text == "3 updates, 1 for security" && content.severity == .warning)
        #expect(content.metrics.first?.value == 3)
        let one = try self.content(
            of: "updates", managers(["checkupdates": "echo 'vim 1 -> 2'"]), ["RESTART": "/nowhere"])
        #expect(one.text == "1 update" && one.severity == .normal)
        let restart = try self.content(of: "updates", managers([:]), ["RESTART": "/dev/null"])
        #expect(restart.text == "restart needed" && restart.severity == .warning)
        let fedora = try self.content(
            of: "updates",
            managers([
                "dnf": """
                case "$*" in
                    *updateinfo*) echo 'FEDORA-2026-1 Important/Sec. openssl-3.0.2-1.fc40.x86_64' ;;
                    *) echo 'openssl.x86_64 3.0.2-1.fc40 updates'; echo 'vim.x86_64 9.1 updates'; exit 100 ;;
                esac
                """
            ]), ["RESTART": "/nowhere"])
        #expect(fedora.text.hasSuffix("1 for security"))
        let none = managers(["checkupdates": "exit 2", "fwupdmgr": "exit 2", "dnf": "exit 0"])
        #expect(try self.content(of: "updates", none, ["RESTART": "/nowhere"]).isEmpty)
    }

    @Test func aManagerThatFailsIsNamedWithWhatItWasAsked() throws {
        let none = try content(of: "updates", managers(["dnf": "echo Cache-only >&2; exit 1"]), ["RESTART": "/nowhere"])
        #expect(none.text == "dnf failed" && none.severity == .normal)
        #expect(
            none.compact?.texts == [
                "dnf failed", "failed: dnf -qC check-update", "failed: dnf -qC updateinfo list --security",
            ])
        let programs = managers(["checkupdates": "exit 1", "flatpak": "echo org.gimp.GIMP", "fwupdmgr": "exit 1"])
        let some = try content(of: "updates", programs, ["RESTART": "/dev/null"])
        #expect(some.text == "1 update, restart needed, fwupd failed, pacman failed")
    }

    @Test func containersThatFailAreFirst() throws {
        let docker = """
            [ "$2" != -q ] || exit 0
            echo 'web Up 3 hours (healthy)'
            echo 'db Up 3 hours (unhealthy)'
            echo 'job Exited (0) 2 days ago'
            echo 'bad Exited (137) 5 minutes ago'
            echo 'loop Restarting (1) 4 seconds ago'
            """
        let content = try content(of: "containers", ["docker": docker, "podman": "exit 1"])
        #expect(content.text == "1 running, 3 failed" && content.severity == .warning)
        #expect(
            content.compact?.texts == [
                "1 running, 3 failed", "✗ db    Up 3 hours (unhealthy)", "✗ bad   exit 137",
                "✗ loop  Restarting, exit 1", "● web   Up 3 hours (healthy)",
                "1 stopped",
            ])
        #expect(try self.content(of: "containers", ["docker": "exit 1", "podman": docker]).text == content.text)
    }

    // MARK: Mail, AI usage

    @Test func unreadMessagesAreCounted() throws {
        let directory = TemporaryDirectory()
        for name in ["new/1", "cur/2:2,S", "cur/3:2,F", "Lists/new/a", "Lists/cur/b:2,FS"] {
            try directory.write("x", to: "Mail/\(name)")
        }
        #expect(try content(of: "mail", in: directory).text == "3 unread")
        try directory.makeDirectory("Other/new")
        let none = try content(of: "mail", [:], ["MAIL_SOURCE": directory("Other")], in: directory)
        #expect(none.isEmpty)
        #expect(symlink("Mail", directory("Linked")) == 0)
        let linked = try content(of: "mail", [:], ["MAIL_SOURCE": directory("Linked")], in: directory)
        #expect(linked.text == "3 unread")
    }

    /// The password is in no argument of curl.
    @Test func aServerIsAsked() throws {
        let directory = TemporaryDirectory()
        let curl = """
            cat >'\(directory("config"))'
            echo "$*" >'\(directory("arguments"))'
            echo '* STATUS INBOX (UNSEEN 12)'
            """
        let environment = ["MAIL_SOURCE": "imaps://a.b/", "MAIL_USER": "me", "MAIL_PASSWORD": "x\"y\\z"]
        #expect(try content(of: "mail", ["curl": curl], environment, in: directory).text == "12 unread")
        #expect(try directory.read("config") == "user = \"me:x\\\"y\\\\z\"\n")
        #expect(try directory.read("arguments").contains("y") == false)
    }

    @Test func costsAreOfTodayAndTheMonth() throws {
        let today = try today()
        let answer = """
            {"daily": [{"date": "2020-01-01", "inputTokens": 5, "totalCost": 1.5,
              "modelBreakdowns": [{"modelName": "a", "cost": 9}]},
             {"date": "\(today)", "totalTokens": 7, "totalCost": 2.25, "modelBreakdowns": []}],
             "totals": {"totalCost": 3.75}}
            """
        let content = try content(of: "ai-usage", ["ccusage": "cat <<'END'\n\(answer)\nEND"])
        #expect(
            content.text == "$2.25 today" && Self.detail(of: content) == "$3.75 this month"
                && content.metrics.first?.value == 2.25)
        #expect(try self.content(of: "ai-usage", ["ccusage": "echo '{\"daily\": []}'"]).isEmpty)
    }

    @Test func aMissingMaildirSaysHowToNameOne() throws {
        let result = try run(
            "\(BundledWidgetsTests.directory)/mail/mail", [], environment: ["MAIL_SOURCE": "/nowhere", "HOME": "/tmp"])
        #expect(
            result.status == 1
                && result.errors.hasPrefix("there is no directory /nowhere; 'todayctl config mail MAIL_SOURCE=PATH'"))
    }

    // MARK: To do, countdown, clock

    private func today(_ offset: String = "today", _ environment: [String: String] = [:]) throws -> String {
        let output = try run("/usr/bin/date", ["-d", offset, "+%Y-%m-%d"], environment: environment).output
        return String(output.dropLast())
    }

    @Test func tasksAreMarkedAsDone() throws {
        let directory = TemporaryDirectory()
        let today = try today()
        let file = """
            buy "milk" \\ +home
            (B) 2026-11-01 Write due:2099-12-24
            x 2026-01-01 old
            (A) Call Ada due:\(today)\r
            late due:2020-01-01

            """
        try directory.write(file, to: "my todo.txt")
        func look(_ action: String? = nil, _ name: String = "~/my todo.txt") throws -> Content {
            var environment = ["FILE": name]
            environment["TODAY_ACTION"] = action
            return try self.content(of: "todo", [:], environment, as: .json, in: directory)
        }
        let content = try look()
        #expect(content.text == "4 to do, 2 due" && content.severity == .warning)
        #expect(
            content.actions == [
                "done (A) Call Ada due:\(today)", "done late due:2020-01-01",
                "done (B) 2026-11-01 Write due:2099-12-24",
                "done buy \"milk\" \\ +home",
            ])
        #expect(try look("done buy \"milk\" \\ +home").text == "3 to do, 2 due")
        #expect(try look("done (A) Call Ada due:\(today)").text == "2 to do, 1 due")
        let left = try directory.read("my todo.txt")
        #expect(
            left.hasPrefix("x \(today) buy \"milk\" \\ +home\n(B) 2026-11-01") && left.contains("x \(today) Call Ada"))
        #expect(try look("done never there", "my todo.txt").text == "2 to do, 1 due")
        #expect(try directory.read("my todo.txt") == left)
    }

    @Test func aMissingListSaysHowToNameOne() throws {
        let result = try run(
            "\(BundledWidgetsTests.directory)/todo/todo", [], environment: ["FILE": "/nowhere", "HOME": "/tmp"])
        #expect(result.status == 1 && result.errors.contains("todayctl config"))
    }

    @Test(arguments: [
        ("3 days", "in 3 days"), ("1 day", "tomorrow"), ("today", "today"), ("1 day ago", "yesterday"),
        ("9 days ago", "9 days ago"),
    ])
    func theCountdownTurnsOver(offset: String, words: String) throws {
        var environment = ["TITLE": "The \"big\" day", "TZ": "Europe/Berlin"]
        environment["DATE"] = try today(offset, environment)
        let content = try content(of: "countdown", [:], environment, as: .json)
        #expect(content.text == "The \"big\" day \(words)")
        let entries = content.timeline?.entries ?? []
        #expect(entries.count == 30)
        if offset == "3 days" {
            #expect(entries.prefix(4).map { $0.content.short } == ["2", "1", "0", "-1"])
            #expect(entries[2].content.severity == .good)
        }
        let wrong = try run(
            "\(BundledWidgetsTests.directory)/countdown/countdown", [], environment: ["DATE": "soon", "TITLE": "x"])
        #expect(wrong.status == 1 && wrong.errors == "DATE=soon is not a date such as 2026-12-24\n")
    }

    @Test func theClockHasAnHourInAdvance() throws {
        let environment = ["ZONES": "Asia/Kolkata\nAmerica/New_York", "TZ": "UTC"]
        let content = try content(of: "clock", [:], environment, as: .json)
        #expect(content.text.hasPrefix("Kolkata ") && content.text.contains(", New York "))
        #expect(content.timeline?.entries.count == 59)
        let list = "'timedatectl list-timezones' lists them"
        for (zones, hint) in [
            ("Nowhere/Else", list), ("../../etc/passwd", list), ("/etc/passwd", list),
            ("Tokyo", "did you mean Asia/Tokyo?"), ("Asia/Tokyo,Europe/Bern", "a space separates two zones"),
        ] {
            let wrong = try run(
                "\(BundledWidgetsTests.directory)/clock/clock", [], environment: ["ZONES": zones])
            #expect(wrong.status == 1 && wrong.errors == "there is no time zone \(zones); \(hint)\n")
        }
        let empty = try run("\(BundledWidgetsTests.directory)/clock/clock", [], environment: ["ZONES": ""])
        #expect(empty.status == 1 && empty.errors.hasPrefix("there are no ZONES"))
    }
}
